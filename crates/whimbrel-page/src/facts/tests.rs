use super::Facts;
use crate::limits::ParseLimits;
use crate::parse::parse_tree;
use crate::visit::Visit;

fn facts(html: &str) -> Facts {
    let tree = parse_tree(html, &ParseLimits::default());
    let limits = ParseLimits::default();
    Visit::walk(&tree, &limits).facts.read(&tree, "Whimbrel/0.1", &limits)
}

fn published(html: &str) -> Option<String> {
    facts(html).published.map(|at| at.to_string())
}

#[test]
fn the_title_is_the_pages_not_a_drawings() {
    assert_eq!(
        facts("<svg><title>no</title></svg><title> The\n &amp; title </title><title>2</title>").title,
        "The & title"
    );
}

#[test]
fn the_author_is_taken_from_the_most_explicit_statement() {
    let visible = "<a rel=author href=/jo>Jo</a>";
    let item = "<span itemprop=author>Jane <b>Roe</b></span>";
    let linked = r#"<script type="application/ld+json">{"@graph":[{"author":[{"name":"Ann"},{"name":"Bo"}]}]}</script>"#;
    let meta = "<meta name=author content='  John  Doe '>";
    let author = |html: &str| facts(html).author;
    assert_eq!(author(visible).as_deref(), Some("Jo"));
    assert_eq!(author(&format!("{visible}{item}")).as_deref(), Some("Jane Roe"));
    assert_eq!(author(&format!("{visible}{item}{linked}")).as_deref(), Some("Ann, Bo"));
    assert_eq!(author(&format!("{visible}{item}{linked}{meta}")).as_deref(), Some("John Doe"));
    assert_eq!(author("<meta property='article:author' content='https://x.example/jo'>"), None);
    assert_eq!(author("<p>by Jo</p>"), None);
}

#[test]
fn dates_come_from_meta_then_linked_data_then_microdata_then_time() {
    let time = "<time datetime=2021-01-04>then</time>";
    let item = "<meta itemprop=datePublished content=2021-01-03>";
    let linked = r#"<script type="application/ld+json">{"datePublished":"2021-01-02T03:04:05+01:00","dateModified":"2022-02-02"}</script>"#;
    let meta = "<meta property='article:published_time' content='2021-01-01'>";
    assert_eq!(published(time).as_deref(), Some("2021-01-04T00:00:00Z"));
    assert_eq!(published(&format!("{time}{item}")).as_deref(), Some("2021-01-03T00:00:00Z"));
    assert_eq!(published(&format!("{time}{item}{linked}")).as_deref(), Some("2021-01-02T02:04:05Z"));
    assert_eq!(published(&format!("{time}{item}{linked}{meta}")).as_deref(), Some("2021-01-01T00:00:00Z"));
    assert_eq!(facts(linked).modified.map(|at| at.to_string()).as_deref(), Some("2022-02-02T00:00:00Z"));
    assert_eq!(published("<time datetime=nonsense>2021-01-01</time>"), None);
}

#[test]
fn broken_or_hostile_linked_data_says_nothing() {
    for json in
        ["{", "[[[", "null", &"[".repeat(100_000), r#"{"author":{"name":""}}"#, r#"{"datePublished":5}"#]
    {
        let found = facts(&format!("<script type='application/ld+json'>{json}</script>"));
        assert_eq!((found.author, found.published), (None, None), "{}", &json[..json.len().min(40)]);
    }
}

#[test]
fn the_declared_language_is_its_primary_subtag() {
    assert_eq!(facts("<html lang=de-CH>").language.as_deref(), Some("de"));
    assert_eq!(facts("<html xml:lang=FR>").language.as_deref(), Some("fr"));
    assert_eq!(facts("<meta http-equiv=content-language content='es, en'>").language.as_deref(), Some("es"));
    assert_eq!(facts("<html lang=klingon>").language, None);
}

#[test]
fn robots_statements_add_up() {
    let robots = facts("<meta name=robots content=nofollow><meta name=WHIMBREL content='noindex, noarchive'><meta name=other content=nosnippet>").robots;
    assert!(robots.noindex && robots.nofollow && robots.noarchive && !robots.nosnippet);
}

#[test]
fn an_author_without_a_name_is_no_author() {
    assert_eq!(facts("<link rel=author title='About us' href=/about><p>x").author, None);
    assert_eq!(facts(r#"<script type="application/ld+json">{"author":{"name":" "}}</script>"#).author, None);
}

#[test]
fn linked_data_about_an_article_counts_before_the_page_and_names_may_stand_elsewhere() {
    let script = r#"<script type="application/ld+json">{"@graph":[{"@type":"WebPage","datePublished":"2020-01-01"},
        {"@type":["NewsArticle"],"datePublished":"2021-02-03","author":{"@id":"/#ada"}},{"@type":"Person","@id":"/#ada","name":"Ada"}]}</script>"#;
    assert_eq!(published(script).as_deref(), Some("2021-02-03T00:00:00Z"));
    assert_eq!(facts(script).author.as_deref(), Some("Ada"));
    let broken =
        "<script type='application/ld+json'>{\"headline\":\"two\nlines\",\"author\":\"Bo\"}</script>";
    assert_eq!(facts(broken).author.as_deref(), Some("Bo"));
}

#[test]
fn nested_items_and_rdfa_are_read() {
    let nested = "<div itemprop=author itemscope><a href=/x><span itemprop=name>Ann Roe</span></a> <b>Follow</b></div>";
    assert_eq!(facts(nested).author.as_deref(), Some("Ann Roe"));
    assert_eq!(facts("<span property='schema:author'>Jo</span>").author.as_deref(), Some("Jo"));
    assert_eq!(
        published("<span property=datePublished content=2020-05-06>May</span>").as_deref(),
        Some("2020-05-06T00:00:00Z")
    );
}

#[test]
fn a_title_for_machines_stands_in_for_a_missing_one() {
    assert_eq!(facts("<meta property=og:title content='For sharing'>").title, "For sharing");
    assert_eq!(facts("<title>T</title><meta property=og:title content='For sharing'>").title, "T");
}
