//! Messages survive the wire: through bytes and back they are the same.

use super::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use whimbrel_types::{FailureKind, Heading, Link, LinkKind, LinkRel, MetaRobots, PageFormat, Redirect};

fn url() -> impl Strategy<Value = CanonicalUrl> {
    "https?://[a-z]{1,8}\\.example(:[1-9][0-9]{0,3})?/[a-zA-Z0-9/._~?=&-]{0,40}"
        .prop_filter_map("canonical", |text| CanonicalUrl::from_canonical(&text))
}

fn validators() -> impl Strategy<Value = Validators> {
    (of(".*"), of(".*")).prop_map(|(etag, last_modified)| Validators { etag, last_modified })
}

fn link() -> impl Strategy<Value = Link> {
    (url(), ".*", any::<[bool; 4]>(), 1u8..4, 1u8..4).prop_map(|(target, text, b, visibility, position)| {
        Link {
            target,
            text,
            kind: if b[0] { LinkKind::Anchor } else { LinkKind::Area },
            rel: LinkRel { nofollow: b[1], ugc: b[2], sponsored: b[3] },
            visibility,
            position,
            distance: 5,
            in_navigation: b[0],
        }
    })
}

fn content() -> impl Strategy<Value = PageContent> {
    (".*", ".*", of(".*"), vec(link(), 0..4), any::<u64>(), any::<[u8; 16]>(), of(any::<u64>())).prop_map(
        |(title, text, author, links, structure_hash, text_hash, until)| PageContent {
            format: PageFormat::Html,
            headings: vec![Heading { level: 1, text: title.clone() }],
            robots: MetaRobots { unavailable_after: until.map(Timestamp), ..MetaRobots::default() },
            title,
            text,
            author,
            links,
            structure_hash,
            text_hash,
            ..PageContent::default()
        },
    )
}

fn capture() -> impl Strategy<Value = Capture> {
    (any::<[u8; 16]>(), vec(any::<u8>(), 0..50), any::<[u8; 20]>(), any::<bool>()).prop_map(
        |(record_id, bytes, payload_sha1, truncated)| Capture {
            at: Timestamp(7),
            ip: Some([127, 0, 0, 1].into()),
            record_id,
            request: bytes.clone(),
            response: bytes.clone(),
            head: bytes,
            payload_sha1,
            truncated,
        },
    )
}

fn outcome() -> impl Strategy<Value = FetchOutcome> {
    prop_oneof![
        Just(FetchOutcome::Fetched),
        Just(FetchOutcome::NotModified),
        Just(FetchOutcome::Failed(FailureKind::Timeout)),
        (url(), any::<bool>())
            .prop_map(|(target, permanent)| FetchOutcome::Redirected(Redirect { target, permanent })),
        (any::<u16>(), of(any::<u64>()))
            .prop_map(|(status, retry_after_ms)| FetchOutcome::Unavailable { status, retry_after_ms }),
        ".*".prop_map(|media_type| FetchOutcome::UnwantedType { media_type }),
    ]
}

fn visit() -> impl Strategy<Value = VisitReport> {
    (url(), outcome(), validators(), of((content(), capture())), ".*", any::<u64>()).prop_map(
        |(url, outcome, validators, page, detail, wire_bytes)| VisitReport {
            url,
            kind: StopKind::Page,
            at: Timestamp(wire_bytes),
            sent: true,
            elapsed_ms: 3,
            wire_bytes,
            read_ms: 7,
            outcome,
            detail,
            limits: vec![Limit::Body, Limit::Pattern],
            validators,
            page: page.map(|(content, capture)| {
                Box::new(PageReport {
                    content_hash: ContentHash::of(content.text.as_bytes()),
                    status: 200,
                    content_type: "text/html".into(),
                    body_bytes: 9,
                    truncated: false,
                    low_value: Some(LowValue::Calendar),
                    last_modified: None,
                    content,
                    capture,
                })
            }),
            unchanged_capture: None,
            robots: Some(RobotsAnswer { status: Some(200), body: b"x".to_vec() }),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn itineraries_come_out_of_bytes_as_they_went_in(urls in vec((url(), validators()), 1..9), body in vec(any::<u8>(), 0..99), number: u64) {
        let site = urls[0].0.site();
        let itinerary = Itinerary {
            id: ItineraryId { run: 3, number },
            site,
            stops: urls.into_iter().map(|(url, validators)| Stop {
                url,
                kind: StopKind::Page,
                known: Known { validators, content_hash: None },
                depth: 2,
            }).collect(),
            delay_ms: 10_000,
            robots: RobotsRef::Sent { hash: ContentHash::of(&body), body },
            expires: Timestamp::NEVER,
        };
        let bytes = postcard::to_stdvec(&itinerary).unwrap();
        prop_assert_eq!(postcard::from_bytes::<Itinerary>(&bytes).unwrap(), itinerary);
    }

    #[test]
    fn reports_come_out_of_bytes_as_they_went_in(visits in vec(visit(), 0..4), returned in vec(url(), 0..4), part: u32) {
        let report = Report {
            id: ReportId { itinerary: ItineraryId { run: 1, number: 2 }, part },
            site: CanonicalUrl::from_canonical("http://a.example/").unwrap().site(),
            visits,
            returned,
            gate: Some(GateState {
                host: "a.example".into(),
                last_visit: Timestamp(1),
                open_at: Timestamp(2),
                back_offs: 3,
                address: None,
            }),
            done: part % 2 == 0,
        };
        let bytes = postcard::to_stdvec(&report).unwrap();
        prop_assert_eq!(postcard::from_bytes::<Report>(&bytes).unwrap(), report);
    }

    #[test]
    fn garbage_is_refused_not_believed(bytes in vec(any::<u8>(), 0..200)) {
        let _ = postcard::from_bytes::<Report>(&bytes);
        let _ = postcard::from_bytes::<Itinerary>(&bytes);
    }
}
