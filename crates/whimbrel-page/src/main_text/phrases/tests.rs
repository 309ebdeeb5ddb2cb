use super::{asks_reader, begins_byline, may_open_extras, opens_other_pages};

#[test]
fn sections_of_other_pages_are_known_in_many_languages() {
    for text in [
        "You may also like...",
        "» Related Articles",
        "Don’t miss",
        "Você pode gostar...",
        "Самые популярные диеты",
        "関連記事はこちら",
        "À lire aussi :",
        "相关阅读",
    ] {
        assert!(opens_other_pages(text), "{text}");
    }
}

#[test]
fn words_that_only_begin_alike_open_nothing() {
    for text in ["Readings of the meter", "Morell", "Also once", "Commentary on Homer", "Sharepoint"] {
        assert!(!opens_other_pages(text), "{text}");
        assert!(!may_open_extras(text), "{text}");
    }
}

#[test]
fn requests_and_bylines_are_recognized() {
    assert!(asks_reader("Click HERE to subscribe"));
    assert!(!asks_reader("A subscription is an agreement"));
    assert!(begins_byline("By Ada Lovelace"));
    assert!(begins_byline("Published: 3 May"));
    assert!(!begins_byline("Bystanders watched"));
}
