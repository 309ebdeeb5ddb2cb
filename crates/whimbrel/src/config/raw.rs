//! The configuration as typed: one struct per section of `whimbrel.toml`, every key with its default.
//! Durations and sizes are strings here; `checked` reads them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RawConfig {
    /// Who crawls.
    pub agent: Agent,
    /// What is crawled.
    pub crawl: Crawl,
    /// How gently.
    pub politeness: Politeness,
    /// How pages are fetched.
    pub fetch: Fetch,
    /// When pages are visited again.
    pub revisit: Revisit,
    /// Where and how long things are kept.
    pub store: Store,
    /// The full-text index.
    pub index: Index,
    /// Bounds that protect memory and time.
    pub limits: Limits,
    /// Sites and programs that make pages without end.
    pub traps: Traps,
    /// Overrides by site, keyed by origin (`https://docs.example.org`).
    pub site: BTreeMap<String, SiteOverride>,
}

macro_rules! section {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty = $default:expr,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }
    };
}

section! {
    /// Who crawls.
    Agent {
        /// A web page or mail address that tells webmasters who crawls. No crawl off loopback without it.
        contact: String = String::new(),
        /// Replaces the whole `User-Agent`; must still hold the contact.
        user_agent: String = String::new(),
    }
}

section! {
    /// What is crawled.
    Crawl {
        /// Start URLs, beside those of the command line.
        seeds: Vec<String> = Vec::new(),
        /// Files with one start URL per line.
        seed_files: Vec<String> = Vec::new(),
        /// `page`, `prefix`, `host`, `domain` or `any`.
        scope: String = "host".into(),
        /// Links from a seed at the most, or `unlimited`.
        depth: String = "10".into(),
        /// Pages to store per run; 0 is no limit.
        limit: u64 = 0,
        /// Pages to store per site and run; 0 is no limit.
        site_limit: u64 = 0,
        /// A run ends after so long; 0 is no limit.
        time_limit: String = "0".into(),
        /// A run ends after so many bytes received; 0 is no limit.
        size_limit: String = "0".into(),
        /// `best-first` or `breadth-first`.
        strategy: String = "best-first".into(),
        /// Regular expressions; a URL must match one of them, when there are any.
        include: Vec<String> = Vec::new(),
        /// Regular expressions; a URL must match none.
        exclude: Vec<String> = Vec::new(),
        /// Named filter expressions that every URL must pass.
        filters: BTreeMap<String, String> = BTreeMap::new(),
        /// Files with further filter expressions, one per line.
        filter_files: Vec<String> = Vec::new(),
        /// Extensions that are never fetched, beside the built-in list.
        deny_extensions: Vec<String> = Vec::new(),
        /// Extensions taken out of the built-in list.
        allow_extensions: Vec<String> = Vec::new(),
        /// Media types that are never stored, as `image/*`.
        deny_types: Vec<String> = Vec::new(),
        /// Kinds of links followed beside `a` and `area`: `frame` (also `iframe`), `refresh`, `link`, `image`.
        embedded: Vec<String> = vec!["frame".into(), "refresh".into()],
        /// Visits in flight in all.
        concurrency: usize = 64,
        /// Seed of everything random.
        seed: u64 = 0,
    }
}

section! {
    /// How gently.
    Politeness {
        /// Between two visits to a host.
        delay: String = "10s".into(),
        /// Between two visits to an address, whatever the host.
        ip_delay: String = "2s".into(),
        /// A host whose page took long to read rests so many times as long; 0 for no rest.
        reading_pause: u64 = 9,
        /// Visits in flight per host; more than 1 only on loopback or for one's own sites.
        connections_per_site: usize = 1,
        /// `host`, or `domain` for one gate over all hosts of a registrable domain.
        gate: String = "host".into(),
        /// A site that asks for more is skipped and reported.
        crawl_delay_max: String = "1h".into(),
        /// First wait after trouble at a host; doubled each time.
        back_off: String = "1s".into(),
        /// Longest wait after trouble.
        back_off_max: String = "1h".into(),
        /// A longer `Retry-After` is cut to this.
        retry_after_max: String = "1d".into(),
        /// How long robots.txt is current.
        robots_ttl: String = "1d".into(),
        /// A site whose robots.txt was unreachable for so long is taken to have none; `never` keeps it closed.
        robots_give_up: String = "never".into(),
        /// Start of the daily window for revisits (UTC).
        window_start: String = "0h".into(),
        /// Length of that window.
        window: String = "24h".into(),
        /// The operator owns the sites: lower delays and more connections are allowed off loopback.
        i_own_these_sites: bool = false,
    }
}

section! {
    /// How pages are fetched.
    Fetch {
        /// For a whole visit.
        timeout: String = "30s".into(),
        /// To connect.
        connect_timeout: String = "10s".into(),
        /// Without a byte.
        idle_timeout: String = "15s".into(),
        /// Of a decoded page; what is longer is cut.
        max_body: String = "16MiB".into(),
        /// Of robots.txt.
        max_robots: String = "500KiB".into(),
        /// Of response headers.
        max_headers: String = "64KiB".into(),
        /// Redirects in a row.
        redirects_max: u8 = 5,
        /// Tries per URL and run.
        tries: u8 = 3,
        /// First wait before a URL is tried again; doubled each time.
        retry_delay: String = "5s".into(),
        /// Private networks that may be visited.
        allow_private: Vec<String> = Vec::new(),
        /// `HOST:PORT:ADDRESS`, as curl has it.
        resolve: Vec<String> = Vec::new(),
        /// Further request headers, as `Name: value`.
        headers: Vec<String> = Vec::new(),
        /// Offer HTTP/2 on https.
        http2: bool = true,
        /// Header fields of a response at the most.
        header_fields_max: usize = 256,
        /// Interim (1xx) responses before the real one at the most.
        interim_max: usize = 16,
        /// Content codings on top of each other at the most.
        codings_max: usize = 3,
        /// Decoded bytes per byte received at the most.
        ratio_max: u64 = 200,
        /// Decoded bytes below which any ratio is fine.
        ratio_from: String = "1MiB".into(),
        /// How long an idle connection is kept.
        connection_idle: String = "30s".into(),
        /// Name servers to ask instead of the system's, as `192.0.2.53` or `192.0.2.53:5353`.
        name_servers: Vec<String> = Vec::new(),
        /// For one answer of a name server.
        dns_timeout: String = "5s".into(),
        /// An address is asked for again after this, whatever its record says.
        dns_ttl_max: String = "10m".into(),
        /// Host names whose addresses are remembered.
        dns_hosts_max: usize = 20_000,
        /// Cookies kept for a site, where they are kept at all.
        cookies_max: usize = 50,
        /// Of a cookie; a longer one is not kept.
        max_cookie: String = "4KiB".into(),
        /// `http://HOST:PORT`, `socks5://HOST:PORT` or `socks5h://HOST:PORT`; empty for none.
        proxy: String = String::new(),
        /// Leave the resolving of names to the proxy.
        proxy_resolves: bool = false,
        /// Hosts, `.suffixes` and networks that are visited without the proxy.
        no_proxy: Vec<String> = Vec::new(),
        /// Files with root certificates (PEM) that are trusted besides the built-in ones.
        extra_roots: Vec<String> = Vec::new(),
    }
}

section! {
    /// When pages are visited again.
    Revisit {
        /// Between two visits of a page.
        interval: String = "7d".into(),
        /// The shortest interval there is.
        shortest: String = "1h".into(),
    }
}

section! {
    /// Where and how long things are kept.
    Store {
        /// Page versions per URL; 0 keeps all.
        keep_versions: u32 = 0,
        /// Days a replaced version is kept; 0 keeps it for ever.
        keep_days: u32 = 0,
        /// Of the whole data directory; 0 is no limit.
        disk_bytes_max: String = "0".into(),
        /// Visits stop before less than this is free.
        disk_free_min: String = "1GB".into(),
        /// Size at which a new WARC file is begun.
        warc_file_max: String = "1GB".into(),
        /// Write a record for visits that found nothing new.
        warc_revisits: bool = false,
        /// Longest wait before a group of pages is committed.
        group_commit: String = "100ms".into(),
        /// Bytes at which a group is committed.
        group_commit_bytes: String = "8MB".into(),
        /// Finished visits that may wait for their commit.
        uncommitted_pages_max: usize = 64,
        /// Memory for cached blocks.
        cache: String = "64MiB".into(),
    }
}

section! {
    /// The full-text index.
    Index {
        /// Index pages at all.
        enabled: bool = true,
        /// Memory of the writer.
        memory: String = "64MB".into(),
        /// Longest time before new pages can be found.
        commit: String = "10s".into(),
        /// `bm25`, `pagerank` or `blend`.
        rank: String = "blend".into(),
        /// Automatic calendars, counters and series of numbers: `skip` or `index`.
        low_value: String = "skip".into(),
    }
}

section! {
    /// Bounds that protect memory and time.
    Limits {
        /// Of a URL.
        url_bytes_max: usize = 2048,
        /// Stops an itinerary carries.
        stops_max: usize = 8,
        /// Queue heads per site in memory.
        heads_max: usize = 64,
        /// Itineraries under way at a time.
        migrants_max: usize = 10_000,
        /// Links that wait for another site.
        pending_max: usize = 10_000,
        /// How long links from other sites wait at the most while other sites are busy.
        pending_wait: String = "60s".into(),
        /// Rows of the URL table in memory.
        seen_rows_max: usize = 65_536,
        /// Anchor texts per page.
        anchors_max: usize = 8,
        /// Links per page.
        links_max: usize = 50_000,
        /// Different URLs followed per page.
        targets_max: usize = 5000,
        /// Bytes of a body that are parsed; the rest is archived only.
        parsed_bytes_max: String = "4MiB".into(),
        /// References per page that were refused, kept for the report.
        refused_links_max: usize = 1000,
        /// Nodes of a page's tree; the rest of the page is left out.
        nodes_max: usize = 262_144,
        /// Elements inside elements; deeper ones are left out, their text is not.
        nesting_max: u16 = 512,
        /// Attributes of one element.
        attributes_max: usize = 256,
        /// Visible text of a page.
        text_bytes_max: String = "2MiB".into(),
        /// Headings of a page.
        headings_max: usize = 2000,
        /// Value of one attribute; a longer one counts as missing.
        attribute_bytes_max: usize = 1 << 20,
        /// Words of one link.
        anchor_bytes_max: usize = 4096,
        /// A title, an author, a description, a heading.
        field_bytes_max: usize = 2000,
        /// `meta` elements, microdata properties, times and authors of a page, each.
        statements_max: usize = 500,
        /// JSON-LD scripts of a page.
        structured_max: usize = 8,
        /// One JSON-LD script; a longer one is not read.
        structured_bytes_max: usize = 256 * 1024,
    }
}

section! {
    /// Sites and programs that make pages without end.
    Traps {
        /// `skip` leaves `/cgi-bin/` out, `crawl` visits it like other pages.
        cgi: String = "skip".into(),
        /// URLs of one pattern that pages of that pattern lead to, in a chain.
        pattern_budget: u64 = 500,
        /// The same for patterns with dates outside the window.
        calendar_budget: u64 = 100,
        /// Years ahead that are within the window; five times as many back.
        calendar_years: u32 = 2,
        /// URLs of a site at which it is reported; 0 is never.
        site_report: u64 = 10_000,
        /// Equal path segments, or sequences of them, in a row.
        repeated_segments_max: usize = 3,
        /// Segments of a path.
        path_segments_max: usize = 32,
        /// Parameters of a query.
        parameters_max: usize = 32,
        /// Patterns per site in memory.
        patterns_max: usize = 4096,
    }
}

/// What can be set for one site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SiteOverride {
    /// Between two visits; a larger `Crawl-delay` still wins.
    pub delay: Option<String>,
    /// Pages to store per run.
    pub limit: Option<u64>,
    /// Request headers for this site, as `Name: value`.
    pub headers: Vec<String>,
    /// `basic` or `bearer`.
    pub auth: Option<String>,
    /// Variable of the environment that holds `user:password` or the token.
    pub auth_env: Option<String>,
    /// Send them over plain http too.
    pub auth_insecure: bool,
    /// Keep this site's cookies in memory and send them back.
    pub cookies: bool,
}
