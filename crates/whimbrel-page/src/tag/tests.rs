use super::Tag;

#[test]
fn every_fixed_name_finds_its_number_again() {
    for number in 0..Tag::KNOWN_COUNT {
        let tag = Tag(u16::try_from(number).expect("few tags"));
        let name = tag.known_name().expect("a fixed number has a name");
        assert_eq!(Tag::known(name), Some(tag), "{name}");
    }
    assert_eq!(Tag::known("x-unknown"), None);
}

#[test]
fn only_the_six_headings_have_a_level() {
    let levels: Vec<_> = [Tag::H1, Tag::H6, Tag::HEAD, Tag::HEADER, Tag::HR].map(Tag::heading_level).to_vec();
    assert_eq!(levels, [Some(1), Some(6), None, None, None]);
}
