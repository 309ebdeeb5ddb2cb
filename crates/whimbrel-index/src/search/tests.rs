//! What is found, and in which order.

use crate::testing::{NOW, TestIndex, page, path_of, url};
use crate::{Rank, SearchRequest};
use proptest::prelude::*;
use whimbrel_types::{DAY_MS, Heading, MetaRobots, PageContent, PageFormat, Timestamp};

const NONE: [&str; 0] = [];

#[test]
fn other_forms_of_a_word_count_only_with_stemming() {
    let index =
        TestIndex::of("en", &[("a", "it crawled all night"), ("b", "crawling is slow"), ("c", "a crawl")]);
    assert_eq!(index.found("crawling"), ["a", "b", "c"]);
    assert_eq!(index.found("crawl"), ["a", "b", "c"]);
    assert_eq!(index.found_exact("crawling"), ["b"]);
    assert_eq!(index.found_exact("CRAWL"), ["c"]);
}

#[test]
fn the_form_typed_comes_before_its_relatives() {
    let index = TestIndex::of(
        "en",
        &[("a", "one crawled here"), ("b", "one crawling here"), ("c", "one crawls here")],
    );
    assert_eq!(index.paths("crawling")[0], "b");
}

#[test]
fn stems_of_one_language_do_not_match_words_of_another() {
    let mut index = TestIndex::new();
    index.put("it", page("it", "il pane e le mele"));
    index.put("en", page("en", "a frying pan"));
    index.commit();
    assert_eq!(index.found("pane"), ["it"]);
    assert_eq!(index.found("pans"), ["en"]);
}

#[test]
fn european_words_are_found_with_and_without_marks() {
    let mut index = TestIndex::new();
    index.put("de", page("de", "Die Häuser in der großen Straße"));
    index.put("fr", page("fr", "Les élèves étaient déjà au café"));
    index.put("ru", page("ru", "Новые книги о поисковых системах"));
    index.put("el", page("el", "Η αναζήτηση στον ιστό"));
    index.commit();
    let table = [
        ("häuser", "de"),
        ("haus", "de"),
        ("hauser", "de"),
        ("strasse", "de"),
        ("straße", "de"),
        ("GROSSE", "de"),
        ("élève", "fr"),
        ("eleves", "fr"),
        ("cafe", "fr"),
        ("cafés", "fr"),
        ("книга", "ru"),
        ("система", "ru"),
        ("αναζητηση", "el"),
    ];
    for (query, expected) in table {
        assert_eq!(index.found(query), [expected], "{query}");
    }
    assert_eq!(index.found_exact("cafe"), NONE);
    assert_eq!(index.found_exact("CAFÉ"), ["fr"]);
}

#[test]
fn languages_without_spaces_are_found_by_any_part() {
    let mut index = TestIndex::new();
    index.put("zh", page("zh", "全文搜索引擎可以快速查找网页。我爱北京天安门"));
    index.put("ja", page("ja", "これは検索エンジンのテストです。ｶﾀｶﾅも"));
    index.put("th", page("th", "ระบบค้นหาข้อมูลภาษาไทย"));
    index.put("km", page("km", "ភាសាខ្មែរ"));
    index.put("lo", page("lo", "ພາສາລາວ"));
    index.commit();
    let table = [
        ("搜索引擎", "zh"),
        ("北京", "zh"),
        ("爱", "zh"),
        ("京天", "zh"),
        ("\"我爱北京\"", "zh"),
        ("北京 网页", "zh"),
        ("検索", "ja"),
        ("エンジン", "ja"),
        ("カタカナ", "ja"),
        ("ンの", "ja"),
        ("ค้นหา", "th"),
        ("ภาษาไทย", "th"),
        ("ខ្មែរ", "km"),
        ("ລາວ", "lo"),
    ];
    for (query, expected) in table {
        assert_eq!(index.found(query), [expected], "{query}");
    }
    assert_eq!(index.found("京北"), NONE);
    assert_eq!(index.found("\"北京网页\""), NONE);
}

#[test]
fn a_long_dense_query_also_finds_pages_with_most_of_it() {
    let index = TestIndex::of(
        "zh",
        &[("whole", "如何安装搜索引擎"), ("most", "安装搜索引擎的说明"), ("none", "天气很好")],
    );
    assert_eq!(index.paths("如何安装搜索引擎"), ["whole", "most"]);
}

#[test]
fn mixed_scripts_are_found_together() {
    let index = TestIndex::of("ja", &[("a", "東京TowerのGPU性能")]);
    for query in ["tower", "東京tower", "gpu性能", "\"Tower の\"", "東京 GPU"] {
        assert_eq!(index.found(query), ["a"], "{query}");
    }
}

#[test]
fn arabic_is_found_whatever_the_spelling() {
    let index = TestIndex::of("ar", &[("a", "قرأ أحمد الكتابَ في المكتبة الكبيرة"), ("b", "الطقس جميل")]);
    for query in ["احمد", "كتاب", "الكتاب", "مكتبة", "المكتبه", "مكتـــبة"]
    {
        assert_eq!(index.found(query), ["a"], "{query}");
    }
}

#[test]
fn korean_words_are_found_without_their_particles() {
    let index = TestIndex::of("ko", &[("a", "한국어를 배웁니다"), ("b", "국어 시간")]);
    assert_eq!(index.found("한국어"), ["a"]);
    assert_eq!(index.found("국어"), ["a", "b"]);
    assert_eq!(index.found_exact("한국어"), NONE);
}

#[test]
fn phrases_keep_order_and_forms() {
    let index = TestIndex::of(
        "en",
        &[
            ("a", "the quick brown fox"),
            ("b", "brown quick fox"),
            ("c", "quick browns"),
            ("d", "quick\nbrown"),
        ],
    );
    assert_eq!(index.found("\"quick brown\""), ["a", "d"]);
    assert_eq!(index.found("\"the quick brown fox\""), ["a"]);
    assert_eq!(index.found("quick-brown"), ["a", "c", "d"]);
    assert_eq!(index.found("\"fox quick\""), NONE);
}

#[test]
fn phrases_do_not_run_from_one_heading_or_link_into_the_next() {
    let mut index = TestIndex::new();
    let heading = |text: &str| Heading { level: 2, text: text.to_owned() };
    let headings = vec![heading("Alpha beta"), heading("gamma delta")];
    index.put_with_anchors(
        "a",
        PageContent { headings, ..page("en", "text") },
        &["one two".into(), "three four".into()],
    );
    index.commit();
    for (query, found) in [
        ("\"alpha beta\"", true),
        ("\"beta gamma\"", false),
        ("\"three four\"", true),
        ("\"two three\"", false),
    ] {
        assert_eq!(index.found(query).len(), usize::from(found), "{query}");
    }
}

#[test]
fn operators_nest() {
    let index = TestIndex::of(
        "en",
        &[
            ("a", "red green"),
            ("b", "green blue"),
            ("c", "red blue"),
            ("d", "red green blue"),
            ("e", "black"),
        ],
    );
    let table: [(&str, &[&str]); 12] = [
        ("red AND (green OR blue)", &["a", "c", "d"]),
        ("(red AND green) OR black", &["a", "d", "e"]),
        ("red AND green AND NOT blue", &["a"]),
        ("red XOR green", &["b", "c"]),
        ("red XOR green XOR blue", &["d"]),
        ("(red XOR green) AND blue", &["b", "c"]),
        ("NOT (red OR green)", &["e"]),
        ("-red", &["b", "e"]),
        ("black OR NOT red", &["b", "e"]),
        ("red (green OR blue)", &["a", "c", "d"]),
        ("red -(green blue)", &[]),
        ("\"red green\" blue", &["a", "d"]),
    ];
    for (query, expected) in table {
        assert_eq!(index.found(query), expected, "{query}");
    }
}

#[test]
fn pages_with_all_words_come_first_then_pages_with_any() {
    let index = TestIndex::of(
        "en",
        &[
            ("all", &format!("web crawling {}", "filler ".repeat(300)) as &str),
            ("one", "web web web web"),
            ("other", "crawling crawling"),
            ("none", "gardening"),
        ],
    );
    let response = index.search("web crawling");
    assert_eq!(path_of(&response.hits[0]), "all");
    assert_eq!((response.total_all_words, response.total), (1, 3));
    let second_page = SearchRequest { limit: 2, offset: 1, ..SearchRequest::new("web crawling", NOW) };
    let hits = index.run(&second_page).hits;
    assert!(hits.len() == 2 && hits.iter().all(|hit| !hit.parts.all_words));
    let mut narrowed = index.paths("web crawling -filler");
    narrowed.sort();
    assert_eq!(narrowed, ["one", "other"]);
}

#[test]
fn stop_words_are_left_out_unless_they_are_all_there_is() {
    let index =
        TestIndex::of("en", &[("a", "to be or not to be"), ("b", "the web today"), ("c", "a web of lies")]);
    let response = index.search("the web");
    assert_eq!(response.ignored_words, ["the"]);
    assert_eq!((response.total_all_words, response.total), (2, 2));
    let response = index.search("to be or not to be");
    assert_eq!((response.ignored_words.len(), path_of(&response.hits[0])), (0, "a".to_owned()));
    assert_eq!(index.found("\"the web\""), ["b"]);
    assert_eq!(index.found("+the web"), ["b"]);
    let german = TestIndex::of("de", &[("a", "Der Hund und die Katze"), ("b", "und so")]);
    assert_eq!(german.search("der hund").ignored_words, ["der"]);
    assert_eq!(german.search("lang:de die katze").ignored_words, ["die"]);
}

#[test]
fn fields_narrow_the_search() {
    let mut index = TestIndex::new();
    let day = |year, month, day| Timestamp::from_utc(year, month, day, 0);
    index.put(
        "https://docs.example.org/guide/install.html",
        PageContent {
            title: "Installing herons".into(),
            author: Some("Ada Lovelace".into()),
            modified: day(2024, 3, 10),
            ..page("en", "herons text")
        },
    );
    index.put(
        "https://example.org:8443/a.txt",
        PageContent { format: PageFormat::Text, published: day(2022, 1, 5), ..page("de", "herons Text") },
    );
    index.put("https://other.net/caf%C3%A9/b", page("de-AT", "herons"));
    index.commit();
    let table: [(&str, &[&str]); 22] = [
        ("site:example.org herons", &["a.txt", "guide/install.html"]),
        ("site:docs.example.org", &["guide/install.html"]),
        ("site:docs.example.org/guide herons", &["guide/install.html"]),
        ("site:docs.example.org/other herons", &[]),
        ("site:example.org:8443", &["a.txt"]),
        ("herons -site:example.org", &["caf%C3%A9/b"]),
        ("intitle:install", &["guide/install.html"]),
        ("intitle:\"installing herons\"", &["guide/install.html"]),
        ("intitle:text", &[]),
        ("inurl:guide", &["guide/install.html"]),
        ("inurl:café", &["caf%C3%A9/b"]),
        ("author:lovelace", &["guide/install.html"]),
        ("lovelace", &["guide/install.html"]),
        ("lang:de herons", &["a.txt", "caf%C3%A9/b"]),
        ("language:en herons", &["guide/install.html"]),
        ("filetype:txt", &["a.txt"]),
        ("filetype:html herons", &["caf%C3%A9/b", "guide/install.html"]),
        ("herons after:2024-03-10 before:2024-03-11", &["guide/install.html"]),
        ("herons before:2023", &["a.txt"]),
        ("herons after:2024-04", &["caf%C3%A9/b"]),
        ("herons AND (lang:en OR site:other.net)", &["caf%C3%A9/b", "guide/install.html"]),
        ("herons xyzzy:foo", &["a.txt", "caf%C3%A9/b", "guide/install.html"]),
    ];
    for (query, expected) in table {
        assert_eq!(index.found(query), expected, "{query}");
    }
}

#[test]
fn a_page_that_asked_to_be_gone_by_now_is_not_shown() {
    let mut index = TestIndex::new();
    let until = |at: Timestamp| MetaRobots { unavailable_after: Some(at), ..MetaRobots::default() };
    index.put("past", PageContent { robots: until(Timestamp(NOW.0 - DAY_MS)), ..page("en", "word") });
    index.put("future", PageContent { robots: until(NOW.plus_ms(DAY_MS)), ..page("en", "word") });
    index.commit();
    assert_eq!(index.found("word"), ["future"]);
}

#[test]
fn what_a_page_says_in_its_title_counts_more_than_its_text() {
    let mut index = TestIndex::new();
    index.put("body", page("en", "heron and other words about birds"));
    index.put("title", PageContent { title: "Heron".into(), ..page("en", "other words about many birds") });
    index.put_with_anchors("anchor", page("en", "other words about many birds"), &["heron".into()]);
    index
        .put("other", PageContent { navigation_text: "heron and other words".into(), ..page("en", "birds") });
    index.commit();
    let paths = index.paths("heron");
    assert_eq!((paths.len(), paths[0].as_str(), paths[3].as_str()), (4, "title", "other"), "{paths:?}");
}

#[test]
fn link_scores_order_hits_as_asked() {
    let mut index = TestIndex::of(
        "en",
        &[
            ("strong", "heron heron heron heron"),
            ("linked", "heron heron heron and text"),
            ("weak", "heron in a long text of many more words"),
        ],
    );
    index.link_scores = [(url("linked").key(), 9.0), (url("weak").key(), 20.0)].into();
    let order = |rank, link_weight| -> Vec<String> {
        let request = SearchRequest { rank, link_weight, ..SearchRequest::new("heron", NOW) };
        index.run(&request).hits.iter().map(path_of).collect()
    };
    assert_eq!(order(Rank::Bm25, 0.5), ["strong", "linked", "weak"]);
    assert_eq!(order(Rank::Pagerank, 0.5), ["weak", "linked", "strong"]);
    assert_eq!(order(Rank::Blend, 0.0), ["strong", "linked", "weak"]);
    assert_eq!(order(Rank::Blend, 0.6)[0], "linked");
    let hit = index.search("heron").hits.remove(0);
    assert!((hit.score - hit.parts.text * hit.parts.link_factor).abs() < 1e-6);
}

#[test]
fn equal_scores_go_by_url() {
    let names = ["d", "b", "e", "a", "c"];
    let pages: Vec<(&str, &str)> = names.iter().map(|name| (*name, "same words")).collect();
    let index = TestIndex::of("en", &pages);
    assert_eq!(index.paths("words"), ["a", "b", "c", "d", "e"]);
    let request = SearchRequest { limit: 2, offset: 2, ..SearchRequest::new("words", NOW) };
    let hits: Vec<String> = index.run(&request).hits.iter().map(path_of).collect();
    assert_eq!(hits, ["c", "d"]);
}

#[test]
fn hits_below_the_minimum_rank_are_not_shown() {
    let mut index = TestIndex::new();
    index.put("strong", PageContent { title: "heron".into(), ..page("en", "heron heron heron") });
    index.put(
        "weak",
        PageContent { navigation_text: format!("heron {}", "x ".repeat(500)), ..page("en", "birds") },
    );
    index.commit();
    let with = |min_rank| index.run(&SearchRequest { min_rank, ..SearchRequest::new("heron", NOW) });
    assert_eq!((with(None).total, with(Some(0.5)).total, with(Some(0.5)).hits.len()), (2, 1, 1));
}

#[test]
fn odd_queries_get_an_answer() {
    let index =
        TestIndex::of("en", &[("a", "web crawling"), ("b", "C++ and C# code"), ("c", "a plain c program")]);
    for query in ["", "   ", "()", "\"\"", "!!!", "-", "XOR"] {
        assert_eq!(index.search(query).total, 0, "{query:?}");
    }
    assert!(!index.search("").notes.is_empty());
    assert_eq!(index.found("!!! OR web"), ["a"]);
    assert_eq!(index.found("web AND !!!"), ["a"]);
    assert_eq!(index.found("web !!!"), ["a"]);
    assert_eq!(index.found("c++"), ["b"]);
    assert_eq!(index.found("c#"), ["b"]);
    assert_eq!(index.found("\"web crawling"), ["a"]);
    assert_eq!(index.found(&format!("{}web", "(".repeat(10_000))), NONE, "cut before the word");
    assert_eq!(index.found(&format!("{}web", "(".repeat(1_000))), ["a"]);
    assert_eq!(index.found(&"web ".repeat(300_000)), ["a"]);
    let unseen = SearchRequest { limit: usize::MAX, offset: 5, ..SearchRequest::new("web", NOW) };
    assert_eq!(index.run(&unseen).hits.len(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_part_of_a_han_text_finds_it(text in "[一-鿿]{2,30}(，[一-鿿]{1,10})?", from in 0_usize..30, length in 2_usize..12) {
        let index = TestIndex::of("zh", &[("a", &text)]);
        let chars: Vec<char> = text.chars().collect();
        let from = from.min(chars.len() - 2);
        let part: String = chars[from..(from + length).min(chars.len())].iter().collect();
        prop_assert_eq!(index.found(&part), ["a"]);
        prop_assert_eq!(index.found(&format!("\"{part}\"")), ["a"]);
        let hit = index.search(&part).hits.remove(0);
        prop_assert!(!hit.snippet.highlights.is_empty());
    }

    #[test]
    fn any_query_gets_an_answer(query in "(AND|OR|XOR|NOT|web|crawling|\"|\\(|\\)| |-|\\+|site:|intitle:|lang:|after:2024|字|c\\+\\+){0,24}") {
        let index = TestIndex::of("en", &[("a", "web crawling 字")]);
        index.search(&query);
    }
}
