use super::*;

#[test]
fn patterns_match_types_with_parameters_in_any_case() {
    let image: MediaPattern = "Image/*".parse().unwrap();
    assert!(image.matches("image/png"));
    assert!(image.matches(" IMAGE/svg+xml ; charset=utf-8"));
    assert!(!image.matches("text/html"));
    assert!(!image.matches("imagery/png"));
    let any: MediaPattern = "*/*".parse().unwrap();
    assert!(any.matches("application/pdf"));
    let html: MediaPattern = "text/html".parse().unwrap();
    assert!(html.matches("text/HTML;charset=x") && !html.matches("text/htmlx"));
}

#[test]
fn what_is_no_type_is_refused_with_advice() {
    for text in ["", "image", "*.zip", "*/png", "text/", "a b/c"] {
        assert!(text.parse::<MediaPattern>().is_err(), "{text}");
    }
    assert_eq!(
        "image".parse::<MediaPattern>().unwrap_err().to_string(),
        "`image` is not a media type, write one such as text/html or image/*"
    );
}

#[test]
fn pages_are_html_xhtml_and_text() {
    for (content_type, page) in [
        ("text/html", true),
        ("Text/HTML; charset=utf-8", true),
        ("application/xhtml+xml", true),
        ("text/plain", true),
        ("application/pdf", false),
        ("text/css", false),
        ("", false),
    ] {
        assert_eq!(is_page_type(content_type), page, "{content_type}");
    }
}

#[test]
fn the_default_list_is_lower_case_unique_and_leaves_pages_alone() {
    let all: Vec<&str> = extensions_denied_by_default().collect();
    for extension in &all {
        assert!(extension.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()), "{extension}");
        assert_eq!(all.iter().filter(|other| *other == extension).count(), 1, "{extension} twice");
    }
    for page in ["html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "txt", "com", "org", "xml"] {
        assert!(!all.contains(&page), "{page}");
    }
    for (pattern, extension) in [("image/*", "png"), ("video/*", "webm"), ("application/zip", "zip")] {
        assert!(pattern.parse::<MediaPattern>().unwrap().extensions().any(|e| e == extension));
    }
}
