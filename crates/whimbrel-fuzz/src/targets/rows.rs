//! Rows of the store, as a damaged disk would give them. Laws: an error or a value; of a value, everything can be asked
//! without a panic, and written again it is read as the same.

use crate::target::{Target, answer, size};
use serde::{Serialize, de::DeserializeOwned};
use whimbrel_types::{
    Anchor, CanonicalUrl, GateState, Link, PageContent, PageVersion, PendingLink, SiteRecord, Timestamp,
    TrapRecord, UrlRecord, UrlState, VisitNote,
};

pub(super) const TARGET: Target = Target {
    name: "rows",
    run,
    seeds: || {
        let url =
            CanonicalUrl::from_canonical("http://user@a.test:81/x/y.html?q=1").expect("it is canonical");
        let record = UrlRecord::admitted(url.clone(), UrlState::Known, 1, Timestamp(1_700_000_000_000));
        let content = PageContent { title: "t".into(), text: "words".into(), ..PageContent::default() };
        [to_bytes(&record), to_bytes(&content), to_bytes(&url), to_bytes(&vec![url.clone(), url])].to_vec()
    },
    tokens: &["http://a.test/", "https://[::1]:8/", "\u{1}", "http://", "://", "/"],
    shared: &[],
    bytes_max: 1024,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let url = read::<CanonicalUrl>(data).map(|url| ask(&url));
    let record = read::<UrlRecord>(data).map(|record| ask(&record.url));
    let page = read::<PageVersion>(data).map(|page| ask(&page.url));
    let links = read::<Vec<Link>>(data).map(|links| {
        for link in &links {
            let _ = ask(&link.target);
        }
        size(links.len())
    });
    answer((
        (url, record, page, links),
        read::<PageContent>(data).map(|content| size(content.text.len())),
        read::<PendingLink>(data).is_some(),
        read::<SiteRecord>(data).is_some(),
        read::<GateState>(data).is_some(),
        read::<VisitNote>(data).is_some(),
        read::<TrapRecord>(data).is_some(),
        read::<Vec<Anchor>>(data).is_some(),
    ))
}

fn read<T: Serialize + DeserializeOwned>(data: &[u8]) -> Option<T> {
    let value: T = postcard::from_bytes(data).ok()?;
    let written = to_bytes(&value);
    let again: T = postcard::from_bytes(&written).expect("what was written is read");
    assert_eq!(to_bytes(&again), written, "written again");
    Some(value)
}

fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("rows can be written")
}

/// Everything that can be asked of a URL.
fn ask(url: &CanonicalUrl) -> (u32, u16) {
    assert!(CanonicalUrl::from_canonical(url.as_str()).is_some(), "{:?} was read as canonical", url.as_str());
    let asked = (
        url.authority().len(),
        url.host().len(),
        url.path().len(),
        url.query().map(str::len),
        url.extension(),
    );
    let _ = (url.site(), url.id(), url.key());
    (size(asked.0), url.port())
}
