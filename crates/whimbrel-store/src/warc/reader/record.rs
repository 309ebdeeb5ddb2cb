//! A record as it was found in an archive, and what can be found instead of one.

/// One record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WarcRecord {
    /// First byte of the record (of its member, where it has one) in the file.
    pub offset: u64,
    /// Bytes up to the end of its member; for plain files up to the end of its block. Where a member holds several
    /// records, it is no measure of any of them.
    pub length: u64,
    /// `WARC/1.1`, or `ARC/1.0`.
    pub version: String,
    /// Header fields in order. Those of an ARC record have the names that WARC gave them.
    pub headers: Vec<(String, String)>,
    /// The block, as long as the limit allows.
    pub block: Vec<u8>,
    /// Not all bytes of the record are there, or they are not the right ones: the file or member ends too early, or
    /// its checksum is wrong.
    pub cut_short: bool,
    /// All that is wrong with it, in words.
    pub problems: Vec<String>,
}

impl WarcRecord {
    /// First value of a header field.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(field, _)| field.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// `WARC-Type`; `arc_header` and `response` in ARC files.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.header("WARC-Type").unwrap_or("")
    }

    /// `WARC-Target-URI`, without the angle brackets that some writers put around it.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.header("WARC-Target-URI")
            .map(|uri| uri.strip_prefix('<').and_then(|u| u.strip_suffix('>')).unwrap_or(uri))
    }

    /// A field of a block of type `application/warc-fields`.
    #[must_use]
    pub fn block_field(&self, name: &str) -> Option<&str> {
        let text = str::from_utf8(&self.block).ok()?;
        text.lines().find_map(|line| {
            let (field, value) = line.split_once(':')?;
            field.trim().eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// A place where no record could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// Where in the file.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
}
