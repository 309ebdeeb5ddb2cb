use super::*;

fn refused(policy: &AddressPolicy, ip: &str) -> Option<&'static str> {
    policy.check(ip.parse().unwrap(), 80, "h.example").err().map(|refusal| refusal.kind)
}

#[test]
fn special_addresses_are_refused_and_global_ones_pass() {
    let table: &[(&str, Option<&str>)] = &[
        ("0.0.0.0", Some("this-network")),
        ("0.1.2.3", Some("this-network")),
        ("10.0.0.1", Some("private")),
        ("100.63.255.255", None),
        ("100.64.0.1", Some("carrier-grade NAT")),
        ("100.127.255.255", Some("carrier-grade NAT")),
        ("100.128.0.0", None),
        ("127.0.0.1", Some("loopback")),
        ("127.255.255.254", Some("loopback")),
        ("169.254.169.254", Some("link-local")),
        ("172.15.255.255", None),
        ("172.16.0.1", Some("private")),
        ("172.31.255.255", Some("private")),
        ("172.32.0.0", None),
        ("192.0.0.170", Some("protocol")),
        ("192.0.2.1", Some("documentation")),
        ("192.88.99.1", Some("protocol")),
        ("192.168.1.1", Some("private")),
        ("198.17.0.1", None),
        ("198.18.0.1", Some("benchmark")),
        ("198.19.255.255", Some("benchmark")),
        ("198.51.100.7", Some("documentation")),
        ("203.0.113.9", Some("documentation")),
        ("224.0.0.1", Some("multicast")),
        ("239.255.255.255", Some("multicast")),
        ("240.0.0.1", Some("reserved")),
        ("255.255.255.255", Some("reserved")),
        ("1.1.1.1", None),
        ("93.184.216.34", None),
        ("::", Some("unspecified")),
        ("::1", Some("loopback")),
        ("::ffff:10.0.0.1", Some("IPv4-mapped")),
        ("::ffff:127.0.0.1", Some("IPv4-mapped")),
        ("::ffff:8.8.8.8", Some("IPv4-mapped")),
        ("::ffff:0:127.0.0.1", Some("IPv4-mapped")),
        ("::127.0.0.1", Some("IPv4-compatible")),
        ("64:ff9b::7f00:1", Some("NAT64")),
        ("64:ff9b:1::a00:1", Some("NAT64")),
        ("100::1", Some("reserved")),
        ("2001::1", Some("protocol")),
        ("2001:db8::1", Some("documentation")),
        ("3fff::1", Some("documentation")),
        ("2002:7f00:1::", Some("6to4")),
        ("fc00::1", Some("unique-local")),
        ("fd12:3456::1", Some("unique-local")),
        ("fe80::1", Some("link-local")),
        ("fec0::1", Some("link-local")),
        ("ff02::1", Some("multicast")),
        ("5f00::1", Some("reserved")),
        ("4000::1", Some("reserved")),
        ("2606:4700:4700::1111", None),
        ("2a00:1450:4001:800::200e", None),
        ("2001:4860:4860::8888", None),
    ];
    let policy = AddressPolicy::default();
    for (ip, expected) in table {
        assert_eq!(refused(&policy, ip), *expected, "{ip}");
    }
}

#[test]
fn an_allowed_network_opens_itself_only() {
    let policy = AddressPolicy { allow: vec!["10.1.0.0/16".parse().unwrap()], ..AddressPolicy::default() };
    assert_eq!(refused(&policy, "10.1.2.3"), None);
    assert_eq!(refused(&policy, "::ffff:10.1.2.3"), None, "the same machine in its mapped form");
    assert_eq!(refused(&policy, "10.2.0.1"), Some("private"));
    assert_eq!(refused(&policy, "127.0.0.1"), Some("loopback"));
}

#[test]
fn a_loopback_endpoint_opens_its_own_host_and_port_only() {
    let mut policy = AddressPolicy::default();
    policy.open_loopback("localhost", 8080);
    let loopback: IpAddr = "127.0.0.1".parse().unwrap();
    assert!(policy.check(loopback, 8080, "localhost").is_ok());
    assert!(policy.check("::1".parse().unwrap(), 8080, "localhost").is_ok());
    assert!(policy.check(loopback, 8081, "localhost").is_err(), "another port");
    assert!(policy.check(loopback, 8080, "evil.example").is_err(), "another name for the same address");
    assert!(policy.check("10.0.0.1".parse().unwrap(), 8080, "localhost").is_err(), "not loopback");
}

#[test]
fn a_refusal_says_what_to_do() {
    let refusal = AddressPolicy::default().check("10.0.0.1".parse().unwrap(), 80, "intranet").unwrap_err();
    let text = refusal.to_string();
    assert!(text.contains("intranet") && text.contains("--allow-private 10.0.0.1/32"), "{text}");
}
