use super::{by_function_words, detect, two_letters};
use whatlang::Lang;

#[test]
fn every_language_of_the_detector_has_its_code() {
    let without: Vec<&str> =
        Lang::all().iter().filter(|lang| two_letters(**lang).is_none()).map(|lang| lang.code()).collect();
    assert_eq!(without, Vec::<&str>::new());
}

#[test]
fn running_text_is_recognised_and_scraps_are_not() {
    let german = "Der Brachvogel zieht jedes Jahr viele tausend Kilometer und kehrt doch immer an denselben Ort zurück.";
    assert_eq!(detect(german).as_deref(), Some("de"));
    assert_eq!(detect("ok").as_deref(), None);
    assert_eq!(detect("").as_deref(), None);
}

#[test]
fn function_words_settle_plain_cases_only() {
    let english = "The whimbrel is one of the most widespread of the curlews, and it breeds in the north of the world. ".repeat(3);
    assert_eq!(by_function_words(&english), Some("en"));
    let german =
        "Der Brachvogel ist mit den Schnepfen verwandt und die Art wird von vielen auf der Reise gesehen. "
            .repeat(3);
    assert_eq!(by_function_words(&german), Some("de"));
    let dutch =
        "De regenwulp is een vogel van het noorden en trekt in de herfst naar de kusten van het zuiden. "
            .repeat(3);
    assert_eq!(by_function_words(&dutch), None);
    let mixed = format!("{english}{german}");
    assert_eq!(by_function_words(&mixed), None);
    assert_eq!(by_function_words("the of and to is that for"), None);
}
