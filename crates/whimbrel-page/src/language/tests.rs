use super::{detect, two_letters};
use whatlang::Lang;

#[test]
fn every_language_of_the_detector_has_its_code() {
    let without: Vec<&str> = Lang::all().iter().filter(|lang| two_letters(**lang).is_none()).map(|lang| lang.code()).collect();
    assert_eq!(without, Vec::<&str>::new());
}

#[test]
fn running_text_is_recognised_and_scraps_are_not() {
    let german = "Der Brachvogel zieht jedes Jahr viele tausend Kilometer und kehrt doch immer an denselben Ort zurück.";
    assert_eq!(detect(german).as_deref(), Some("de"));
    assert_eq!(detect("ok").as_deref(), None);
    assert_eq!(detect("").as_deref(), None);
}
