use super::*;

const BACK_OFF: BackOff = BackOff { base_ms: 1_000, longest_ms: 3_600_000 };

#[test]
fn next_visit_waits_the_delay_from_the_end_of_the_last() {
    let mut gate = HostGate::new("a.example");
    gate.begin(Timestamp(0), 10_000);
    assert_eq!(gate.opens_at(1, 0), None, "one visit in flight per host");
    gate.end(Timestamp(4_000), 10_000, VisitEnd::Fine, BACK_OFF, 0);
    assert_eq!(gate.opens_at(1, 0), Some(Timestamp(14_000)));
}

#[test]
fn trouble_doubles_the_wait_and_a_good_answer_ends_it() {
    let mut gate = HostGate::new("a.example");
    let mut now = Timestamp(0);
    let mut waits = Vec::new();
    for _ in 0..4 {
        gate.begin(now, 0);
        gate.end(now, 0, VisitEnd::Trouble { retry_after_ms: None }, BACK_OFF, 7);
        let open = gate.opens_at(1, 0).unwrap();
        waits.push(open.since_ms(now));
        now = open;
    }
    assert!(waits.windows(2).all(|w| w[1] > w[0] + w[0] / 2), "{waits:?}");
    gate.begin(now, 0);
    gate.end(now, 0, VisitEnd::Fine, BACK_OFF, 7);
    assert_eq!(gate.opens_at(1, 0), Some(now));
}

#[test]
fn retry_after_is_honoured_when_it_is_longer() {
    let mut gate = HostGate::new("a.example");
    gate.begin(Timestamp(0), 10_000);
    gate.end(Timestamp(100), 10_000, VisitEnd::Trouble { retry_after_ms: Some(90_000) }, BACK_OFF, 0);
    assert_eq!(gate.opens_at(1, 0), Some(Timestamp(90_100)));
}

#[test]
fn after_an_unclean_end_the_whole_delay_is_waited_again() {
    let mut gate = HostGate::new("a.example");
    gate.begin(Timestamp(0), 10_000);
    gate.end(Timestamp(1_000), 10_000, VisitEnd::Fine, BACK_OFF, 0);
    let state = gate.state();
    let clean = HostGate::restored(&state, Timestamp(5_000), false, 10_000);
    let unclean = HostGate::restored(&state, Timestamp(5_000), true, 10_000);
    assert_eq!(clean.opens_at(1, 0), Some(Timestamp(11_000)));
    assert_eq!(unclean.opens_at(1, 0), Some(Timestamp(15_000)));
}

#[test]
fn several_connections_keep_the_delay_between_starts() {
    let mut gate = HostGate::new("mine.example");
    gate.begin(Timestamp(0), 500);
    assert_eq!(gate.opens_at(2, 0), Some(Timestamp(500)));
    gate.begin(Timestamp(500), 500);
    assert_eq!(gate.opens_at(2, 0), None);
}

#[test]
fn a_delay_that_grew_counts_from_the_last_visit() {
    let mut gate = HostGate::new("a.example");
    assert_eq!(gate.opens_at(1, 60_000), Some(Timestamp(0)), "a host never visited need not wait");
    gate.begin(Timestamp(1_000), 10_000);
    gate.end(Timestamp(2_000), 10_000, VisitEnd::Fine, BACK_OFF, 0);
    assert_eq!(gate.opens_at(1, 60_000), Some(Timestamp(62_000)), "the first visit read robots.txt");
    assert_eq!(gate.opens_at(1, 5_000), Some(Timestamp(12_000)), "the delay of the last visit still holds");
}
