use crate::limits::ParseLimits;
use crate::parse::{ParseInput, parse};
use whimbrel_types::{CanonicalUrl, PageContent};

const PROSE: &str = "<p>The whimbrel breeds in the north of Europe, on moors and tundra, and spends the winter on coasts far to \
the south. It eats crabs, worms and berries, which it finds by sight.</p>";

fn content(html: &str) -> PageContent {
    let url = CanonicalUrl::from_canonical("http://e.com/").expect("a canonical URL");
    let input = ParseInput {
        url: &url,
        content_type: Some("text/html; charset=utf-8"),
        body: html.as_bytes(),
        x_robots_tag: &[],
        agent: "w",
    };
    parse(&input, &ParseLimits::default()).content
}

#[test]
fn navigation_goes_apart_and_nothing_is_lost() {
    let page = content(&format!(
        "<header><a href=/>Home</a></header><nav><ul><li><a href=/a>Menu entry</a></ul></nav>\
         <div id=content><h1>Whimbrel</h1>{}<pre>code  block</pre></div>\
         <div class=sidebar><p>Popular pages</p></div><footer><p>Imprint</p></footer>",
        PROSE.repeat(4)
    ));
    for kept in ["Whimbrel", "berries", "code  block"] {
        assert!(page.text.contains(kept), "{kept}: {}", page.text);
    }
    for apart in ["Home", "Menu entry", "Popular pages", "Imprint"] {
        assert!(!page.text.contains(apart) && page.navigation_text.contains(apart), "{apart}");
    }
}

#[test]
fn a_wrong_mark_does_not_lose_the_page() {
    let page =
        content(&format!("<body><div class='sidebar menu'>{}</div><p>Other words here</p>", PROSE.repeat(3)));
    assert!(page.text.contains("berries"));
}

#[test]
fn all_sections_of_a_manual_stay() {
    let section = |n: u32| {
        format!(
            "<section><h2>Part {n}</h2>{PROSE}<dl><dt>option-{n}</dt><dd>Sets it, if given.</dd></dl></section>"
        )
    };
    let page = content(&format!(
        "<div class=related><a href=x>next</a></div><div role=main>{}{}{}</div><div class=footer>© 2024 Someone</div>",
        section(1),
        section(2),
        section(3)
    ));
    for n in 1..=3 {
        assert!(page.text.contains(&format!("Part {n}")) && page.text.contains(&format!("option-{n}")));
    }
    assert!(!page.text.contains("©") && !page.text.contains("next"));
}

#[test]
fn an_index_of_links_keeps_its_links() {
    let entries: String = (0..40).map(|n| format!("<li><a href=p{n}>entry {n}</a>")).collect();
    let page = content(&format!(
        "<nav><a href=/>Home</a></nav><main><h1>Index</h1><ul>{entries}</ul></main><footer>© Someone, some place.</footer>"
    ));
    assert!(page.text.contains("entry 0") && page.text.contains("entry 39"));
    assert!(!page.text.contains("Home") && !page.text.contains("Someone"));
}

#[test]
fn link_lists_inside_an_article_go_apart() {
    let page = content(&format!(
        "<article>{}<div><ul><li><a href=1>Another story about birds</a><li><a href=2>Yet another story</a></ul></div>{}</article>",
        PROSE.repeat(2),
        PROSE.repeat(2)
    ));
    assert!(page.text.contains("berries"));
    assert!(!page.text.contains("Another story") && page.navigation_text.contains("Another story"));
}
