use super::{Hints, hides, words};

fn hints(value: &str) -> Hints {
    let mut hints = Hints::default();
    words(value, &mut hints);
    hints
}

#[test]
fn words_end_at_punctuation_and_capitals() {
    for value in ["sidebar", "left-sidebar", "SideBar sidebar2", "leftSidebar", "c-nav__list"] {
        assert!(hints(value).has(Hints::UNLIKELY), "{value}");
    }
    assert!(hints("pageFooter").has(Hints::CHROME));
    assert!(!hints("unavailable header-text-x").has(Hints::UNLIKELY));
    assert!(hints("article-body").has(Hints::BODY));
    assert!(hints("mainContent").has(Hints::LIKELY));
    assert_eq!(hints("averyveryveryverylongclassnamethatneverends"), Hints::default());
}

#[test]
fn inline_styles_hide() {
    assert!(hides("color:red; DISPLAY : None !important"));
    assert!(hides("visibility:hidden"));
    assert!(!hides("display:block"));
    assert!(!hides("--display-none: 1"));
}

#[test]
fn what_a_class_says_of_something_else_is_no_hint() {
    assert!(!hints("has-sidebar no_caption without-comments").has(Hints::UNLIKELY));
    assert!(!hints("without-comments").has(Hints::COMMENTS));
    assert!(hints("has-caption").has(Hints::UNLIKELY));
}
