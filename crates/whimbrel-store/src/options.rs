//! Every limit and habit of the store, with its default.

/// How a store behaves; `Default` is what a crawl uses.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// A new WARC file is begun when this many bytes are reached.
    pub warc_file_bytes_max: u64,
    /// Longest time a batch waits for company before its group is committed.
    pub group_commit_ms: u64,
    /// A group of this many bytes is committed at once.
    pub group_commit_bytes: u64,
    /// Pages submitted and not yet committed; `submit` blocks above it. Half of it makes a group.
    pub uncommitted_pages_max: usize,
    /// First part of the names of WARC files.
    pub warc_prefix: String,
    /// Fields of the `warcinfo` record: software, operator, robots policy.
    pub warc_info: Vec<(String, String)>,
    /// Page versions kept per URL, the current one included; 0 keeps all.
    pub keep_versions: u32,
    /// Days an old page version is kept; 0 keeps it for ever. The current version always stays.
    pub keep_days: u32,
    /// Bytes the whole collection may take (database and WARC); `None` sets no limit.
    pub disk_bytes_max: Option<u64>,
    /// Bytes that stay free on the disk.
    pub disk_free_bytes_min: u64,
    /// Memory for blocks read from the database.
    pub cache_bytes: u64,
    /// Bytes of journal after which tables are written out; at least 64 MiB. Bounds the time of reopening.
    pub journal_bytes_max: u64,
    /// Report identities remembered, so that a report delivered again changes nothing.
    pub reports_max: usize,
    /// Distinct link texts kept per target.
    pub anchors_max: usize,
    /// Threads of the database for flushing and compaction.
    pub database_threads: usize,
}

impl Default for StoreOptions {
    fn default() -> StoreOptions {
        StoreOptions {
            warc_file_bytes_max: 1_000_000_000,
            group_commit_ms: 100,
            group_commit_bytes: 8 << 20,
            uncommitted_pages_max: 64,
            warc_prefix: "whimbrel".into(),
            warc_info: vec![("software".into(), concat!("whimbrel/", env!("CARGO_PKG_VERSION")).into())],
            keep_versions: 10,
            keep_days: 0,
            disk_bytes_max: None,
            disk_free_bytes_min: 512 << 20,
            cache_bytes: 64 << 20,
            journal_bytes_max: 128 << 20,
            reports_max: 65_536,
            anchors_max: 8,
            database_threads: 2,
        }
    }
}
