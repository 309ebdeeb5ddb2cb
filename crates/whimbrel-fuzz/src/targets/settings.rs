//! What operators type: proxies, patterns of URLs. Laws: an error in words or a value; a pattern covers what it is of.

use crate::target::{Target, answer, arguments, size, text, texts};
use whimbrel_fetch::{Proxy, ProxyException};
use whimbrel_url::trap::TypedPattern;

pub(super) const TARGET: Target = Target {
    name: "settings",
    run,
    seeds: || {
        texts(&[
            "http://user:secret@proxy.test:3128\x1f*.example.org",
            "socks5h://[::1]:1080\x1f10.0.0.0/8",
            "socks5://proxy\x1f.local",
            "a.test/calendar/{number}\x1fhttp://a.test/x?y=*",
        ])
    },
    tokens: &[
        "http://",
        "https://",
        "socks5://",
        "socks5h://",
        ":",
        "@",
        "[::1]",
        "/8",
        "*.",
        "{number}",
        "*",
        "?",
        "&",
        "=",
        ".",
    ],
    shared: &[],
    bytes_max: 512,
    smoke_runs: 3000,
};

fn run(data: &[u8]) -> u64 {
    let [one, two] = arguments::<2>(data);
    let (one, two) = (text(one), text(two));
    let proxy = Proxy::parse(&one);
    if let Ok(proxy) = &proxy {
        assert!(!proxy.host.is_empty() && proxy.port > 0);
        let shown = format!("{proxy:?}");
        let login = one.split_once("://").and_then(|(_, rest)| rest.rsplit_once('@')).map(|(login, _)| login);
        let password = login.and_then(|login| login.split_once(':')).map(|(_, password)| password);
        if let Some(password) =
            password.filter(|password| password.len() > 8 && !proxy.host.contains(password))
        {
            assert!(!shown.contains(password), "a secret is shown");
        }
    }
    let exception = ProxyException::parse(&two);
    answer((
        proxy
            .map(|proxy| (format!("{:?}", proxy.kind), size(proxy.host.len())))
            .map_err(|error| size(error.len())),
        exception.map(|_| ()).map_err(|error| size(error.len())),
        TypedPattern::parse(&one).is_ok(),
        TypedPattern::parse(&two).is_ok(),
    ))
}
