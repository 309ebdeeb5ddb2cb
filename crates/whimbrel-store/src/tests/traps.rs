//! Rows about patterns of URLs: written, replaced, removed, and there after an open.

use crate::sample::{at, open, url};
use whimbrel_types::*;

fn record(pattern: &str) -> TrapRecord {
    let mut record = TrapRecord::met(url("/").site(), pattern.to_owned(), 3, at(1));
    record.show(&url("/home?time=1"));
    record
}

fn rule(site: Option<Site>, verdict: TrapVerdict) -> TrapRule {
    TrapRule { site, pattern: "/cal/{y}/{m}".into(), verdict, at: at(2), unsettled: true }
}

#[test]
fn patterns_and_orders_outlive_an_open() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (record("/home?time={n}"), record("/cal/{y}/{m}"));
    let (here, everywhere) =
        (rule(Some(url("/").site()), TrapVerdict::Allow), rule(None, TrapVerdict::Exclude));
    {
        let store = open(dir.path());
        let writes = vec![
            Write::PutTrap(Box::new(one.clone())),
            Write::PutTrap(Box::new(other.clone())),
            Write::PutTrapRule(Box::new(here.clone())),
            Write::PutTrapRule(Box::new(everywhere.clone())),
        ];
        store.commit(Batch { report: None, writes }).unwrap();
        let spent = TrapRecord { charge: 7, ..one.clone() };
        let writes = vec![
            Write::PutTrap(Box::new(spent)),
            Write::RemoveTrap(other.key()),
            Write::RemoveTrapRule(everywhere.key()),
        ];
        store.commit(Batch { report: None, writes }).unwrap();
        store.close().unwrap();
    }
    let store = open(dir.path());
    assert_eq!(store.trap(&one.key()).unwrap().unwrap().charge, 7);
    assert_eq!(store.trap(&other.key()).unwrap(), None);
    assert_eq!(store.traps().count(), 1);
    assert_eq!(store.trap_rules().unwrap(), [here]);
}
