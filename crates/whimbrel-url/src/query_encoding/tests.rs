use super::*;

#[test]
fn a_query_is_sent_in_the_character_set_of_its_page() {
    for (query, label, expected) in [
        ("q=\u{e4}\u{20ac}", "latin1", "q=%E4%80"),
        ("q=\u{e4}", "UTF-8", "q=%C3%A4"),
        ("q=\u{e4}", "utf-16le", "q=%C3%A4"),
        ("\u{65e5}\u{672c}", "euc-jp", "%C6%FC%CB%DC"),
        ("\u{65e5}", "shift_jis", "%93%FA"),
        ("\u{65e5}x", "iso-2022-jp", "%1B$BF|%1B(Bx"),
        ("\u{434}", "koi8-r", "%C4"),
        ("a'b \"<>#", "windows-1252", "a%27b%20%22%3C%3E%23"),
        ("%41%zz+&;", "windows-1252", "%41%zz+&;"),
    ] {
        assert_eq!(encode_query(query, label).as_deref(), Some(expected), "{query} {label}");
    }
    assert_eq!(encode_query("q", "klingon"), None);
}

#[test]
fn what_the_set_lacks_becomes_an_encoded_character_reference() {
    assert_eq!(encode_query("\u{2020}\u{434}", "windows-1252").as_deref(), Some("%86%26%231076%3B"));
    assert_eq!(encode_query("\u{1f600}", "big5").as_deref(), Some("%26%23128512%3B"));
    let long = "\u{434}".repeat(5000);
    assert_eq!(encode_query(&long, "latin1"), Some("%26%231076%3B".repeat(5000)));
    assert_eq!(encode_query(&long, "koi8-r"), Some("%C4".repeat(5000)));
}
