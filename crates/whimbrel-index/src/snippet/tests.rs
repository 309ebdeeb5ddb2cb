//! What portion of a page is shown.

use crate::Snippet;
use crate::testing::{TestIndex, page};
use whimbrel_types::{MetaRobots, PageContent};

fn snippet(language: &str, text: &str, query: &str) -> Snippet {
    let index = TestIndex::of(language, &[("a", text)]);
    index.search(query).hits.first().map(|hit| hit.snippet.clone()).unwrap_or_default()
}

/// The snippet with brackets around matches.
fn marked(snippet: &Snippet) -> String {
    let mut out = String::new();
    let mut at = 0;
    for range in &snippet.highlights {
        out.push_str(&snippet.text[at..range.start]);
        out.push('[');
        out.push_str(&snippet.text[range.clone()]);
        out.push(']');
        at = range.end;
    }
    out.push_str(&snippet.text[at..]);
    out
}

#[test]
fn matches_are_marked_in_every_script() {
    let table = [
        ("en", "The crawler crawled all night", "crawling", "The crawler [crawled] all night"),
        (
            "en",
            "Crawling the web. A web of crawling insects.",
            "\"the web\"",
            "Crawling [the] [web]. A web of crawling insects.",
        ),
        ("de", "Viele Häuser in der Straße", "haus strasse", "Viele [Häuser] in der [Straße]"),
        ("fr", "Un café très cher", "cafe", "Un [café] très cher"),
        ("zh", "今天我们学习全文检索系统", "全文检索", "今天我们学习[全文检索]系统"),
        ("ja", "これは検索エンジンです", "検索エンジン", "これは[検索エンジン]です"),
        ("th", "ระบบค้นหาข้อมูล", "ค้นหา", "ระบบ[ค้นหา]ข้อมูล"),
        ("ar", "قرأت الكتاب أمس", "كتاب", "قرأت [الكتاب] أمس"),
        ("ko", "한국어를 배웁니다", "한국어", "[한국어를] 배웁니다"),
    ];
    for (language, text, query, expected) in table {
        assert_eq!(marked(&snippet(language, text, query)), expected, "{query} in {text}");
    }
}

#[test]
fn the_window_covers_most_of_the_query_and_is_cut_between_words() {
    let filler = "lorem ipsum dolor sit amet consectetur ".repeat(40);
    let text = format!("{filler} alpha {filler} alpha beta gamma {filler}");
    let found = snippet("en", &text, "alpha gamma");
    assert!(marked(&found).contains("[alpha] beta [gamma]"), "{}", marked(&found));
    assert!(found.text.starts_with("… ") && found.text.ends_with(" …"), "{}", found.text);
    assert!(found.text.chars().count() <= 210, "{}", found.text.chars().count());
    for word in found.text.trim_matches(['…', ' ']).split(' ') {
        assert!(text.split_whitespace().any(|whole| whole == word), "{word} is a whole word");
    }
}

#[test]
fn nothing_that_steers_a_terminal_or_the_direction_of_text_is_shown() {
    let found =
        snippet("en", "a \u{1b}[31mred\u{7} \u{202e}word\u{202c}\u{85}\u{200b} \u{9b}x\n\n\ty", "word");
    assert!(
        !found.text.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)),
        "{:?}",
        found.text
    );
    assert_eq!(marked(&found), "a [31mred [word] x y");
}

#[test]
fn other_parts_of_the_page_serve_when_the_text_has_no_match() {
    let mut index = TestIndex::new();
    index.put("a", PageContent { description: "About herons".into(), ..page("en", "Text on birds") });
    index.put("b", PageContent { title: "Herons".into(), ..page("en", "Nothing here") });
    index.put("c", PageContent { navigation_text: "Home Herons Contact".into(), ..page("en", "More text") });
    let closed = MetaRobots { nosnippet: true, ..MetaRobots::default() };
    index.put("d", PageContent { robots: closed, ..page("en", "Secret herons") });
    index.commit();
    let response = index.search("heron");
    let by_path = |path: &str| {
        let hit = response.hits.iter().find(|hit| crate::testing::path_of(hit) == path).expect("a hit");
        marked(&hit.snippet)
    };
    assert_eq!(by_path("a"), "About [herons]");
    assert_eq!(by_path("b"), "Nothing here");
    assert_eq!(by_path("c"), "Home [Herons] Contact");
    assert_eq!(by_path("d"), "");
}

#[test]
fn a_match_far_into_a_long_page_is_found() {
    let text = format!("{} needle {}", "hay ".repeat(200_000), "hay ".repeat(1_000));
    assert!(marked(&snippet("en", &text, "needle")).contains("[needle]"));
}

#[test]
fn a_word_longer_than_a_snippet_is_left_out_or_cut_on_a_character() {
    let long = "é".repeat(2_000);
    assert_eq!(marked(&snippet("en", &format!("needle {long}"), "needle")), "[needle] …");
    let mut index = TestIndex::new();
    index.put("a", PageContent { title: "Needle".into(), ..page("en", &long) });
    index.commit();
    let shown = index.search("needle").hits.remove(0).snippet.text;
    assert_eq!(shown, format!("{} …", "é".repeat(200)));
}
