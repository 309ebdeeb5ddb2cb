use super::*;

#[test]
fn digests_are_base32_of_sha1() {
    // The digest of nothing, as every WARC writer prints it.
    assert_eq!(sha1_label(Sha1::digest(b"").into()), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

#[test]
fn no_value_can_begin_a_line_of_its_own() {
    let mut header = Header::new("warcinfo", [0; 16], Timestamp(0));
    header.field("WARC-Filename", "a\r\nWARC-Type: response\u{85}\0b\x7f");
    header.target("http://a.test/x y\r\nz");
    let text = header.finish([0; 20], 0);
    assert_eq!(text.matches("\r\nWARC-Type:").count(), 1);
    assert!(text.contains("WARC-Filename: a  WARC-Type: response  b\r\n"), "{text}");
    assert!(text.contains("WARC-Target-URI: http://a.test/x%20y%20%20z\r\n"), "{text}");
    assert_eq!(fields_block([("opera\ntor", "x\r\ny: z"), ("\r\n", "gone")]), b"operator: x  y: z\r\n");
}

#[test]
fn record_ids_are_uuids_and_differ_when_a_boundary_moves() {
    let id = derive_id(&[b"ab", b"c"]);
    assert_ne!(id, derive_id(&[b"a", b"bc"]));
    assert_eq!(id, derive_id(&[b"ab", b"c"]));
    let urn = uuid_urn(id);
    assert_eq!(urn.len(), "<urn:uuid:00000000-0000-8000-8000-000000000000>".len());
    assert_eq!(&urn[24..25], "8");
}
