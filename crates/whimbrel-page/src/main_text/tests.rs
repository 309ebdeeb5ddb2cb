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

#[test]
fn sections_of_other_pages_go_apart() {
    let teaser = "<div><h4><a href=/other>Another bird</a></h4><p>A teaser for another bird, which is told elsewhere in full length.</p></div>";
    for heading in ["You may also like…", "Related articles", "Читайте также", "関連記事"] {
        let page = content(&format!(
            "<article>{}<h3>{heading}</h3>{}<p><a href=/s>Read more: the curlew</a></p></article>",
            PROSE.repeat(3),
            teaser.repeat(3)
        ));
        assert!(page.text.contains("berries"), "{heading}");
        assert!(
            !page.text.contains("teaser") && page.navigation_text.contains("teaser"),
            "{heading}: {}",
            page.text
        );
    }
}

#[test]
fn text_goes_on_behind_a_box_in_its_middle() {
    let page = content(&format!(
        "<article>{0}<h3>Read more</h3><ul><li><a href=/1>One other story</a></ul><p>Behind the box the text goes on, as it did \
         before, with sentences.</p>{0}</article>",
        PROSE.repeat(2)
    ));
    assert!(page.text.contains("Behind the box"), "{}", page.text);
    assert!(!page.text.contains("One other story"));
}

#[test]
fn chapters_keep_their_text_whatever_they_are_called() {
    let chapter = |id: &str, name: &str| {
        format!("<section id={id}><h2>{name}<a href=#{id}>¶</a></h2>{PROSE}</section>")
    };
    let page = content(&format!(
        "<main><section id=manual><h1>Manual</h1>{}{}{}{}</section></main>",
        chapter("comments", "Comments"),
        chapter("sharing-with-others", "Sharing with others"),
        chapter("related-tools", "Related tools"),
        chapter("menu", "Menu")
    ));
    for name in ["Comments", "Sharing with others", "Related tools", "Menu"] {
        assert!(page.text.contains(name), "{name}: {}", page.text);
    }
}

#[test]
fn headline_and_byline_are_fields_not_text() {
    let page = content(&format!(
        "<title>The whimbrel in winter - Bird News</title><article><p>News</p><h1>The whimbrel in winter</h1>\
         <p>By Ada Bird</p><p>12 November 2026, 10:00</p>{}</article>",
        PROSE.repeat(3)
    ));
    assert!(page.text.starts_with("The whimbrel breeds"), "{}", page.text);
    assert_eq!(page.headings[0].text, "The whimbrel in winter");
    assert!(page.navigation_text.contains("Ada Bird"));
}

#[test]
fn a_body_in_two_parts_is_one_text() {
    let page = content(&format!(
        "<main><div class='story-body one'>{0}</div><div class=ad>Buy this.</div><div class='story-body two'>{0}<p>The end of it, \
         which is short but a sentence of its own.</p></div></main>",
        PROSE.repeat(2)
    ));
    assert!(
        page.text.contains("The end of it") && page.text.matches("berries").count() == 4,
        "{}",
        page.text
    );
    assert!(!page.text.contains("Buy this"));
}

#[test]
fn a_table_of_data_is_part_of_its_page() {
    let rows: String = (0..8)
        .map(|n| format!("<tr><td>f{n}()<td>Returns the value of number {n}, or nothing, if there is none."))
        .collect();
    let page = content(&format!(
        "<div class=sect><p>Functions for numbers, all of them described in the table below.</p><table><thead><tr><th>Function\
         <th>Meaning</thead>{rows}</table><p>Notes behind the table, with a sentence or two about it.</p></div>"
    ));
    assert!(
        page.text.contains("all of them described")
            && page.text.contains("Notes behind")
            && page.text.contains("f7()")
    );
}

#[test]
fn captions_in_spans_and_hidden_words_go_apart() {
    let page = content(&format!(
        "<article>{0}<div class=photo><img src=x><span class=newsCaption>A bird on a stone</span></div>{0}\
         <p>Visible <span class=sr-only>for machines</span> words, and a full sentence around them to be sure.</p></article>",
        PROSE.repeat(2)
    ));
    assert!(!page.text.contains("A bird on a stone") && !page.text.contains("for machines"), "{}", page.text);
    assert!(page.text.contains("Visible words"));
}
