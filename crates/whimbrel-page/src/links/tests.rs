use crate::limits::ParseLimits;
use crate::parse::{ParseInput, Parsed, parse};
use whimbrel_types::{CanonicalUrl, Link, LinkKind, RejectReason};

fn parsed(html: &str) -> Parsed {
    let url = CanonicalUrl::from_canonical("http://e.com/d/p.html").expect("a canonical URL");
    let input = ParseInput {
        url: &url,
        content_type: Some("text/html; charset=utf-8"),
        body: html.as_bytes(),
        x_robots_tag: &[],
        agent: "whimbrel",
    };
    parse(&input, &ParseLimits { embedded_links: true, ..ParseLimits::default() })
}

fn links(html: &str) -> Vec<Link> {
    parsed(html).content.links
}

fn targets(html: &str) -> Vec<String> {
    links(html).iter().map(|link| link.target.as_str().to_owned()).collect()
}

#[test]
fn anchor_text_holds_words_and_alternatives_in_order() {
    let text = |html: &str| links(html).remove(0).text;
    assert_eq!(text("<a href=x> one\n<b>two</b> </a>"), "one two");
    assert_eq!(text("<a href=x>one<img alt='a  picture'>two</a>"), "one a picture two");
    assert_eq!(text("<p>before <a href=x><img alt=logo></a>"), "logo");
    assert_eq!(text("<p>before <a href=x>mid</a>dle"), "mid");
    assert_eq!(text("<a href=x><div>one</div><div>two</div></a>"), "one two");
    assert_eq!(text("<map><area href=x alt='a region'></map>"), "a region");
    assert_eq!(text("<div style='display:none'>a<a href=x>hidden words</a>b</div>"), "hidden words");
}

#[test]
fn bold_and_italic_count_around_and_inside() {
    let visibility = |html: &str| links(html)[0].visibility;
    assert_eq!(visibility("<a href=x>1</a>"), 1);
    assert_eq!(visibility("<h1><a href=x>1</a></h1>"), 1);
    assert_eq!(visibility("<b><a href=x>1</a></b>"), 2);
    assert_eq!(visibility("<a href=x><em>1</em></a>"), 2);
    assert_eq!(visibility("<i><a href=x><strong>1</strong></a></i>"), 3);
    assert_eq!(visibility("<b>0</b><a href=x>1</a><b>2</b>"), 1);
}

#[test]
fn position_counts_the_words_before_the_link() {
    let html =
        format!("<a href=a>first</a> {0} <a href=b>second</a> {0} <a href=c>third</a>", "word ".repeat(30));
    assert_eq!(links(&html).iter().map(|link| link.position).collect::<Vec<_>>(), [3, 2, 1]);
}

#[test]
fn rel_and_distance_are_read() {
    let found = links("<a href=x rel='noopener NoFollow ugc'>1</a><a href=//other.com/ rel=sponsored>2</a>");
    assert!(found[0].rel.nofollow && found[0].rel.ugc && !found[0].rel.sponsored);
    assert!(found[1].rel.sponsored);
    assert_eq!([found[0].distance, found[1].distance], [1, 5]);
}

#[test]
fn places_on_the_page_are_dropped_and_other_schemes_reported() {
    let content = parsed("<a href='#top'>1</a><a href=mailto:a@b.c>2</a><a href='javascript:x'>3</a><a href='http://['>4</a><a href>5</a>").content;
    assert_eq!(content.links.len(), 1);
    assert_eq!(content.links[0].target.as_str(), "http://e.com/d/p.html");
    let reasons: Vec<&RejectReason> = content.rejected_links.iter().map(|(_, reason)| reason).collect();
    assert_eq!(
        reasons,
        [
            &RejectReason::Scheme("mailto".into()),
            &RejectReason::Scheme("javascript".into()),
            &RejectReason::Malformed
        ]
    );
}

#[test]
fn the_first_usable_base_counts_for_all_links() {
    assert_eq!(targets("<a href=y>1</a><base href=/x/><base href=/z/>"), ["http://e.com/x/y"]);
    assert_eq!(targets("<base href='javascript:1'><a href=y>1</a>"), ["http://e.com/d/y"]);
    assert_eq!(targets("<template><base href=/x/></template><a href=y>1</a>"), ["http://e.com/d/y"]);
}

#[test]
fn markup_that_is_text_has_no_links() {
    assert_eq!(
        targets(
            "<script>'<a href=1>'</script><textarea><a href=2></textarea><!-- <a href=3> --><a href=4>x</a>"
        ),
        ["http://e.com/d/4"]
    );
}

#[test]
fn navigation_links_are_told_from_content_links() {
    let prose = "<p>The whimbrel is a wader that breeds in the north, and winters far in the south, as most of its kin do. See <a href=in>here</a>.</p>";
    let html = format!("<nav><ul><li><a href=out>menu</a></ul></nav><article>{}</article>", prose.repeat(4));
    let found = links(&html);
    assert!(found[0].in_navigation);
    assert!(found[1..].iter().all(|link| !link.in_navigation));
}

#[test]
fn embedded_links_are_a_list_of_their_own() {
    let found = parsed(
        "<link rel=next href=n><link rel=stylesheet href=s><meta http-equiv=refresh content='5; url=r'><iframe src=f></iframe>\
         <img src=i alt=pic srcset='i1 1x, i2 2x'><a href=a>x</a>",
    );
    let got: Vec<(LinkKind, &str)> =
        found.embedded_links.iter().map(|link| (link.kind, link.target.path())).collect();
    assert_eq!(
        got,
        [
            (LinkKind::Head, "/d/n"),
            (LinkKind::Refresh, "/d/r"),
            (LinkKind::Frame, "/d/f"),
            (LinkKind::Image, "/d/i"),
            (LinkKind::Image, "/d/i1"),
            (LinkKind::Image, "/d/i2")
        ]
    );
    assert_eq!(found.content.links.len(), 1);
}

#[test]
fn queries_are_written_in_the_pages_charset() {
    let url = CanonicalUrl::from_canonical("http://e.com/").expect("a canonical URL");
    let body = b"<a href='?q=\xE9'>x</a>";
    let input = ParseInput {
        url: &url,
        content_type: Some("text/html; charset=latin1"),
        body,
        x_robots_tag: &[],
        agent: "w",
    };
    let content = parse(&input, &ParseLimits::default()).content;
    assert_eq!(content.links[0].target.as_str(), "http://e.com/?q=%E9");
}

#[test]
fn a_base_is_the_first_with_a_reference_and_counts_for_links_before_it() {
    for (html, expected) in [
        ("<a href=x>1</a><base href=/b/>", "http://e.com/b/x"),
        ("<base target=_top><base href=/b/><base href=/c/><a href=x>1</a>", "http://e.com/b/x"),
        ("<base href=../up/><a href=x>1</a>", "http://e.com/up/x"),
        ("<base href='  //other.com/q/ '><a href=x>1</a>", "http://other.com/q/x"),
        ("<base href='data:text/html,x'><a href=x>1</a>", "http://e.com/d/x"),
        ("<base href='javascript:1'><a href=x>1</a>", "http://e.com/d/x"),
        ("<base href=''><a href=x>1</a>", "http://e.com/d/x"),
        ("<base href='http://['><a href=x>1</a>", "http://e.com/d/x"),
        ("<base href=/b/><a href='#top'>1</a>", "http://e.com/b/"),
        ("<a href=' \n/x\ty '>1</a>", "http://e.com/xy"),
        ("<svg><a xlink:href=s>1</a></svg>", "http://e.com/d/s"),
        ("<noscript><a href=n>1</a></noscript>", "http://e.com/d/n"),
        ("<a href=f.zip download ping=/p>1</a>", "http://e.com/d/f.zip"),
    ] {
        assert_eq!(targets(html), [expected], "{html}");
    }
}

#[test]
fn what_is_not_on_the_page_leads_nowhere() {
    for html in [
        "<template><a href=x>1</a></template>",
        "<!-- <a href=x>1</a> -->",
        "<script>'<a href=x>1</a>'</script>",
        "<textarea><a href=x>1</a></textarea>",
        "<a name=x>1</a>",
        "<a href='#here'>1</a>",
        "<base href='ftp://e.com/'><a href=x>1</a>",
    ] {
        assert_eq!(targets(html), [] as [&str; 0], "{html}");
    }
}

#[test]
fn embedded_references_come_by_kind() {
    let page = parsed(
        "<link rel=next href=n><link rel=stylesheet href=s><meta http-equiv=refresh content='1; url=r'><iframe src=f></iframe>\
         <img src=i srcset='j 2x'><video src=v poster=p></video><object data=o></object><embed src=e><input type=image src=b>",
    );
    let of = |kind: LinkKind| -> Vec<&str> {
        let links = page.embedded_links.iter().filter(|link| link.kind == kind);
        links.map(|link| link.target.as_str().trim_start_matches("http://e.com/d/")).collect()
    };
    assert_eq!(of(LinkKind::Head), ["n"]);
    assert_eq!(of(LinkKind::Refresh), ["r"]);
    assert_eq!(of(LinkKind::Frame), ["f"]);
    assert_eq!(of(LinkKind::Image), ["i", "j", "v", "p", "o", "e", "b"]);
}
