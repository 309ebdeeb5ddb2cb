use super::*;

fn site(n: u8) -> SiteKey {
    SiteKey::from_bytes(&[n; 9]).unwrap()
}

#[test]
fn queue_keys_sort_by_site_class_and_sequence() {
    let place = |class, sequence| QueuePlace { class, sequence };
    let ordered = [
        queue_key(&site(1), place(0, 256)),
        queue_key(&site(1), place(1, 1)),
        queue_key(&site(1), place(1, 2)),
        queue_key(&site(2), place(0, 0)),
    ];
    assert!(ordered.is_sorted());
    let read = queue_entry(&ordered[2], &[7; 16]).unwrap();
    assert_eq!(read, QueueEntry { place: place(1, 2), url: UrlId([7; 16]) });
}

#[test]
fn due_keys_sort_by_time_and_read_back() {
    let key = UrlKey { site: site(3), url: UrlId([9; 16]) };
    let early = due_key(&key, Timestamp(255));
    let late = due_key(&key, Timestamp(256));
    assert!(early < late);
    assert_eq!(due_entry(&late).unwrap(), (Timestamp(256), UrlId([9; 16])));
}

#[test]
fn a_row_of_another_version_is_refused_not_misread() {
    let mut bytes = encode(&StateRow::default());
    assert_eq!(decode::<StateRow>(Table::Meta, &bytes).unwrap(), StateRow::default());
    bytes[0] = 9;
    let message = decode::<StateRow>(Table::Meta, &bytes).unwrap_err().to_string();
    assert!(message.contains("row version 9"), "{message}");
    assert!(decode::<StateRow>(Table::Meta, &[]).is_err());
}

#[test]
fn packed_rows_read_back_and_damage_is_an_error() {
    let mut packer = Packer::new();
    let content = PageContent { title: "t".into(), text: "words ".repeat(5000), ..PageContent::default() };
    let packed = encode_content(&mut packer, &content);
    assert!(packed.len() < 1000);
    assert_eq!(decode_packed::<PageContent>(Table::Content, &packed).unwrap(), content);
    assert!(decode_packed::<PageContent>(Table::Content, &packed[..packed.len() / 2]).is_err());
    assert!(encode_links(&mut packer, &[]).len() < 20);
}

#[test]
fn a_list_of_owners_reads_back() {
    let owners =
        [UrlKey { site: site(1), url: UrlId([1; 16]) }, UrlKey { site: site(2), url: UrlId([2; 16]) }];
    assert_eq!(decode_owners(&encode_owners(&owners)).unwrap(), owners);
    assert!(decode_owners(&[0; 26]).is_err());
}

#[test]
fn a_url_row_of_version_1_is_read_with_its_missing_fields_empty() {
    let url = whimbrel_types::CanonicalUrl::from_canonical("http://a.test/").unwrap();
    let mut record = UrlRecord::admitted(url, whimbrel_types::UrlState::Known, 3, Timestamp(5));
    let now = encode_url(&record);
    let mut old = now[..now.len() - URL_ROW_ADDED.len()].to_vec();
    old[0] = ROW_VERSION;
    assert_eq!(decode::<UrlRecord>(Table::Urls, &old).unwrap(), record);
    record.expires_at = Some(Timestamp(9));
    record.unindexed = Some(whimbrel_types::Unindexed::Expired);
    assert_eq!(decode::<UrlRecord>(Table::Urls, &encode_url(&record)).unwrap(), record);
}
