//! What reading an archive may cost.

/// Limits of a [`super::WarcReader`]. Whatever is longer is left out and named; reading goes on behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Bytes of a record's header.
    pub header_bytes_max: usize,
    /// Lines of a record's header.
    pub header_lines_max: usize,
    /// Bytes of a block that are kept.
    pub block_bytes_max: u64,
    /// Bytes that one member may unpack to. A whole archive may lie in one.
    pub member_bytes_max: u64,
    /// Digests are computed and compared with those in the headers.
    pub check_digests: bool,
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits {
            header_bytes_max: 1 << 20,
            header_lines_max: 1000,
            block_bytes_max: 1 << 30,
            member_bytes_max: 1 << 36,
            check_digests: false,
        }
    }
}
