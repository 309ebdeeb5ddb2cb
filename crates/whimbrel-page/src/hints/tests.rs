use super::{Hints, words};

fn hints(value: &str) -> Hints {
    let mut hints = Hints::default();
    words(value, &mut hints);
    hints
}

#[test]
fn words_end_at_punctuation_and_capitals() {
    for value in ["sidebar", "left-sidebar", "SideBar sidebar2", "pageFooter", "c-nav__list"] {
        assert!(hints(value).has(Hints::UNLIKELY), "{value}");
    }
    assert_eq!(hints("unavailable header-text-x").has(Hints::UNLIKELY), false);
    assert!(hints("article-body").has(Hints::BODY));
    assert!(hints("mainContent").has(Hints::LIKELY));
    assert_eq!(hints("averyveryveryverylongclassnamethatneverends"), Hints::default());
}
