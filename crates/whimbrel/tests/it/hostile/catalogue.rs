//! What is to come of every behavior of the fixture, group by group. One crawl each; see `judge`.

use super::judge::{Expected, expect, judge};
use super::outputs;

const ENDLESS: &str = "limits.fetch.max_body or limits.max_body";
const BOMB: &str = "limits.fetch.max_body or limits.fetch.ratio_max or limits.max_body";
const TOO_DEEP: &str = "rejected.too_deep or rejected.trap or limits.traps.pattern_budget";

#[test]
fn connections_that_misbehave_cost_their_time_limit() {
    judge(&connections());
}

#[test]
fn heads_are_taken_up_to_their_limit() {
    judge(&heads());
}

#[test]
fn fields_and_statuses_steer_nothing() {
    judge(&fields());
}

#[test]
fn framing_is_read_by_the_letter_or_not_at_all() {
    judge(&framing());
}

#[test]
fn bodies_end_at_their_limit() {
    judge(&bodies());
}

#[test]
fn codings_are_undone_within_limits() {
    judge(&codings());
}

#[test]
fn redirects_end() {
    judge(&redirects());
}

#[test]
fn no_way_leads_to_private_addresses() {
    judge(&addresses());
}

#[test]
fn types_and_charsets_may_lie() {
    judge(&types());
}

#[test]
fn markup_costs_bounded_time_and_memory() {
    judge(&markup());
}

#[test]
fn mazes_end() {
    judge(&mazes());
}

#[test]
fn robots_files_are_read_within_limits() {
    judge(&robots());
}

#[test]
fn text_from_the_web_stays_text() {
    judge(&injection());
}

#[test]
fn every_behavior_is_judged() {
    let groups = [
        connections(),
        heads(),
        fields(),
        framing(),
        bodies(),
        codings(),
        redirects(),
        addresses(),
        types(),
        markup(),
        mazes(),
        robots(),
        injection(),
    ];
    let mut judged: Vec<&str> = groups.iter().flatten().map(|one| one.name).collect();
    let mut known: Vec<&str> = whimbrel_fixture::behaviors().iter().map(|one| one.name).collect();
    judged.sort_unstable();
    known.sort_unstable();
    assert_eq!(judged, known);
}

fn connections() -> Vec<Expected> {
    vec![
        expect("silence-after-accept").counts("errors.timeout"),
        expect("silence-after-head").counts("errors.timeout"),
        expect("silence-in-body").counts("errors.timeout"),
        expect("reset-after-accept").counts("errors.reset"),
        expect("reset-in-head").counts("errors.reset"),
        expect("reset-in-body").counts("errors.reset"),
        expect("close-without-answer").counts("errors.reset"),
        expect("garbage").counts("errors.protocol"),
        expect("banner-of-another-protocol").counts("errors.protocol or errors.reset"),
        expect("tls-record-on-plain-port").counts("errors.protocol"),
        expect("http-0.9").counts("errors.protocol"),
        expect("http-9.9").counts("errors.protocol"),
        expect("status-not-a-number").counts("errors.protocol"),
        expect("status-999").counts("errors.http_999"),
        expect("interim-flood").counts("errors.headers_too_large or errors.protocol"),
        expect("switching-protocols").counts("errors.http_101 or errors.protocol"),
        expect("second-answer").stored().and(|seen| {
            assert!(seen.text("/victim").contains("true words"), "{}", seen.text("/victim"));
            assert_eq!(seen.collection.total("poisoned"), 0);
        }),
        expect("bytes-after-the-end").stored().and(|seen| {
            assert!(seen.text("/next").contains("true words"), "{}", seen.text("/next"));
            assert_eq!(seen.collection.total("surplus"), 0);
        }),
    ]
}

fn heads() -> Vec<Expected> {
    let too_large = |name| {
        expect(name).counts("errors.headers_too_large").and(|seen| {
            assert!(seen.sent_bytes() < 4 << 20, "{} bytes of heads were taken", seen.sent_bytes());
        })
    };
    vec![
        expect("head-drip").counts("errors.timeout"),
        too_large("headers-1gb"),
        too_large("header-line-endless"),
        too_large("header-name-endless"),
        too_large("status-line-endless"),
        too_large("headers-100k"),
        too_large("headers-many-within-bytes"),
        expect("empty-lines-endless").counts("errors.headers_too_large or errors.protocol"),
        too_large("cookie-flood"),
        expect("cookies-within-limits").stored(),
        expect("header-folded-endless").counts("errors.headers_too_large or errors.protocol"),
        expect("header-nul-bytes").counts("errors.protocol"),
        expect("header-line-feeds-only").stored(),
    ]
}

fn fields() -> Vec<Expected> {
    vec![
        expect("validators-50kb").stored().and(outputs::long_validators_are_not_sent_back),
        expect("retry-after-a-million-years").counts("errors.http_503"),
        expect("retry-after-negative").counts("errors.http_503"),
        expect("too-many-requests-forever").counts("errors.http_429"),
        expect("dates-out-of-range").stored(),
        expect("unauthorized-always").counts("errors.http_401"),
        expect("proxy-challenge").counts("errors.http_407"),
        expect("not-modified-unasked").counts("errors.http_304"),
        expect("partial-unasked").counts("errors.http_206"),
        expect("no-content-with-body").counts("errors.http_204"),
        expect("error-page-endless").counts("errors.http_500"),
    ]
}

fn framing() -> Vec<Expected> {
    vec![
        expect("length-too-long").counts("errors.reset or errors.protocol"),
        expect("length-too-short").stored(),
        expect("length-negative").counts("errors.protocol"),
        expect("length-not-a-number").counts("errors.protocol"),
        expect("length-overflow").counts("errors.protocol"),
        expect("length-one-exabyte").stored().counts(ENDLESS),
        expect("lengths-conflicting").counts("errors.protocol"),
        expect("lengths-in-a-list").stored(),
        expect("length-and-chunked").either().and(|seen| assert_eq!(seen.collection.total("poisoned"), 0)),
        expect("chunk-size-no-number").counts("errors.protocol"),
        expect("chunk-size-overflow").counts("errors.protocol"),
        expect("chunk-size-huge").stored().counts(ENDLESS),
        expect("chunk-extension-flood").counts("errors.protocol or errors.timeout"),
        expect("chunk-extensions-many").counts("errors.protocol or errors.timeout"),
        expect("chunks-of-one-byte").counts("errors.protocol"),
        expect("trailer-flood").counts("errors.protocol or errors.timeout"),
        expect("transfer-coding-unknown").either(),
    ]
}

fn bodies() -> Vec<Expected> {
    vec![
        expect("body-endless").stored().counts(ENDLESS),
        expect("body-endless-chunks").stored().counts(ENDLESS),
        expect("body-drip").counts("errors.timeout"),
        expect("body-drip-fast").counts("errors.timeout"),
        expect("text-endless").stored().counts(ENDLESS),
    ]
}

fn codings() -> Vec<Expected> {
    let bomb = |name| {
        expect(name).stored().counts(BOMB).and(|seen| {
            assert!(seen.sent_bytes() < 4 << 20, "{} bytes of a bomb were taken", seen.sent_bytes());
            let page = &seen.pages[&format!("{}/", seen.origin)];
            assert!(page["bytes"].as_u64().unwrap() <= super::judge::BODY_BYTES_MAX, "{}", page["bytes"]);
        })
    };
    vec![
        bomb("bomb-gzip"),
        bomb("bomb-deflate"),
        bomb("bomb-brotli"),
        bomb("bomb-zstd"),
        expect("bomb-gzip-in-gzip")
            .either()
            .counts("errors.decode or limits.fetch.max_body or limits.fetch.ratio_max or limits.max_body"),
        expect("bomb-brotli-in-gzip")
            .either()
            .counts("errors.decode or limits.fetch.max_body or limits.fetch.ratio_max or limits.max_body"),
        expect("zstd-window-huge").counts("errors.decode"),
        expect("gzip-members-empty").counts("errors.decode"),
        expect("codings-twenty").counts("errors.decode or errors.timeout"),
        expect("coding-unknown").counts("errors.decode"),
        expect("coding-lie").stored(),
        expect("coding-breaks-off").either(),
    ]
}

fn redirects() -> Vec<Expected> {
    const CHAIN: &str = "errors.bad_redirect or limits.fetch.redirects_max or limits.redirects_max";
    vec![
        expect("redirect-self").counts("errors.redirect_to_itself"),
        expect("redirect-loop").requests(8),
        expect("redirect-maze").counts(CHAIN).requests(8),
        expect("redirect-permanent-maze").stored().counts(CHAIN).requests(2 + 20 * 6 + 2),
        expect("redirect-without-target").counts("errors.bad_redirect"),
        expect("redirect-to-other-schemes").stored().counts("errors.bad_redirect").requests(12),
        expect("redirect-location-1mb").counts("errors.headers_too_large"),
        expect("redirect-location-long").counts("errors.bad_redirect or rejected.too_long"),
        expect("redirect-growing")
            .counts("errors.bad_redirect or limits.fetch.redirects_max or rejected.trap")
            .requests(8),
        expect("refresh-header-loop").stored().requests(10),
        expect("meta-refresh-chain").stored().requests(10),
    ]
}

fn addresses() -> Vec<Expected> {
    const REFUSED: &str = "errors.robots_address_refused or errors.address_refused";
    vec![
        expect("redirect-to-private").stored().anywhere().counts(REFUSED).requests(14),
        expect("redirect-to-mapped-addresses").stored().anywhere().counts(REFUSED).requests(10),
        expect("redirect-to-encoded-addresses").stored().anywhere().counts(REFUSED).requests(13),
        expect("redirect-to-another-port").stored().anywhere().counts(REFUSED),
        expect("links-to-private").stored().anywhere().counts(REFUSED),
        expect("links-with-userinfo").stored().anywhere().counts(REFUSED).requests(8),
        expect("links-with-idn-tricks").stored().anywhere().counts(REFUSED),
        expect("hosts-endless").stored().anywhere().counts(REFUSED),
        expect("links-to-other-schemes").stored().anywhere(),
    ]
}

fn types() -> Vec<Expected> {
    vec![
        expect("charset-utf16-on-ascii").stored(),
        expect("charset-utf7").stored(),
        expect("charset-unknown").either(),
        expect("charset-invalid-utf8").stored(),
        expect("type-jpeg-as-html").either(),
        expect("type-zip-as-html").either(),
        expect("type-program-as-text").either(),
        expect("type-html-as-pdf").either(),
        expect("type-image-endless").counts("rejected.content_type"),
        expect("type-missing").either(),
        expect("type-nonsense").either(),
    ]
}

fn markup() -> Vec<Expected> {
    vec![
        expect("elements-400k-nested")
            .stored()
            .and(|seen| assert_eq!(seen.collection.total("bathysphere"), 1)),
        expect("elements-formatting-unclosed").stored(),
        expect("elements-tables-misnested").stored(),
        expect("attributes-200k")
            .stored()
            .and(|seen| assert!(seen.text("/").contains("after the attributes"))),
        expect("attribute-endless").stored().counts(ENDLESS),
        expect("links-100k").stored().flags(&["--site-limit", "12"]).requests(20),
        expect("links-of-2kb").stored().counts(ENDLESS),
        expect("entities-expanding").stored(),
        expect("comment-endless").stored().counts(ENDLESS),
        expect("script-endless").stored().counts(ENDLESS),
        expect("title-10mb").stored().counts(ENDLESS).and(|seen| {
            let title = seen.pages[&format!("{}/", seen.origin)]["title"].as_str().unwrap();
            assert!(title.len() < 10_000, "the title has {} bytes", title.len());
        }),
        expect("word-16mb").stored().counts(ENDLESS),
        expect("words-million").stored().counts(ENDLESS),
        expect("headings-500k").stored().counts(ENDLESS),
        expect("breaks-10m").stored().counts(ENDLESS),
        expect("headings-million").stored().counts(ENDLESS),
        expect("json-ld-nested").stored().and(|seen| assert!(seen.text("/").contains("after the arrays"))),
        expect("base-hostile").stored().anywhere(),
        expect("markup-nul-and-noise").stored(),
    ]
}

fn mazes() -> Vec<Expected> {
    vec![
        expect("calendar-endless").stored().counts(TOO_DEEP).requests(20),
        expect("path-growing").stored().counts(TOO_DEEP).requests(10),
        expect("query-growing").stored().counts(TOO_DEEP).requests(10),
        expect("session-in-path").stored().counts(TOO_DEEP).requests(130),
        expect("session-in-query").stored().requests(130),
        expect("pages-random").stored().counts(TOO_DEEP).requests(130),
        expect("mirror-of-one-page").stored().requests(8),
        expect("fragments-and-case").stored(),
    ]
}

fn robots() -> Vec<Expected> {
    let crawled = |name| expect(name).stored();
    vec![
        crawled("robots-1gb"),
        expect("robots-503").counts("errors.robots_http_503"),
        expect("robots-silent").counts("errors.robots_timeout"),
        expect("robots-drip").counts("errors.robots_timeout"),
        crawled("robots-redirect-loop").requests(10),
        expect("robots-redirect-to-private").counts("errors.robots_address_refused"),
        crawled("robots-html"),
        crawled("robots-binary"),
        crawled("robots-sitemaps-100k"),
        crawled("robots-patterns"),
        crawled("robots-line-endless"),
        expect("robots-crawl-delay-endless").and(|seen| {
            let skipped = &seen.summary["skipped_sites"];
            assert!(skipped.to_string().contains("Crawl-delay"), "{skipped}");
        }),
        crawled("robots-bomb"),
        crawled("robots-forbidden"),
    ]
}

fn injection() -> Vec<Expected> {
    vec![
        expect("injection-in-title").stored().and(outputs::all_outputs_are_harmless),
        expect("injection-in-headers").either().and(outputs::all_outputs_are_harmless),
        expect("injection-by-bare-cr").counts("errors.protocol").and(outputs::all_outputs_are_harmless),
        expect("injection-in-urls").stored().requests(30).and(outputs::all_outputs_are_harmless),
        expect("injection-in-redirect").requests(5).and(outputs::all_outputs_are_harmless),
        expect("injection-of-warc-records").stored().and(outputs::all_outputs_are_harmless),
        expect("names-of-files").stored().requests(30).and(outputs::all_outputs_are_harmless),
    ]
}
