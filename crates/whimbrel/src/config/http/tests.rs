use super::*;

fn read(text: &str) -> Result<HttpConfig> {
    check(&toml::from_str(text).unwrap(), "test.toml")
}

fn error(text: &str) -> String {
    format!("{:#}", read(text).unwrap_err())
}

#[test]
fn mistakes_are_named_with_their_key_and_without_secrets() {
    for (text, named) in [
        ("[fetch]\nproxy = \"http://user:hunter2@p.example:1\"", "WHIMBREL_PROXY_AUTH"),
        ("[fetch]\nproxy = \"ftp://p.example:1\"", "fetch.proxy"),
        ("[fetch]\nno_proxy = [\"a b\"]", "fetch.no_proxy"),
        ("[fetch]\nextra_roots = [\"/nowhere/ca.pem\"]", "/nowhere/ca.pem"),
        ("[fetch]\nratio_max = 0", "fetch.ratio_max"),
        ("[fetch]\nmax_cookie = \"much\"", "fetch.max_cookie"),
        ("[site.\"https://a.example\"]\nauth = \"digest\"\nauth_env = \"A\"", "auth"),
        ("[site.\"https://a.example\"]\nauth_env = \"A\"", "auth is missing"),
        ("[site.\"https://a.example\"]\nauth = \"basic\"", "auth_env must name"),
        ("[site.\"https://a.example\"]\nauth = \"basic\"\nauth_env = \"user:hunter2\"", "auth_env must name"),
        ("[site.\"http://a.example\"]\nauth = \"basic\"\nauth_env = \"A\"", "auth_insecure"),
        ("[site.\"https://a.example\"]\nheaders = [\"Authorization: Bearer hunter2\"]", "auth_env"),
        ("[site.\"https://a.example\"]\nheaders = [\"Cookie: a=hunter2\"]", "cookies = true"),
        ("[site.\"https://a.example\"]\nheaders = [\"X: a\\r\\nY: hunter2\"]", "cannot be sent"),
        ("[site.\"https://a.example\"]\nheaders = [\"Host: b\"]", "set by the fetcher"),
        ("[site.\"https://a.example\"]\nheaders = [\"nothing\"]", "Name: value"),
        ("[site.\"https://a.example\"]\nheaders = [\"bad name: x\"]", "token"),
    ] {
        let error = error(text);
        assert!(error.contains(named) && !error.contains("hunter2"), "{text}: {error}");
    }
}

#[test]
fn secrets_come_from_the_variables_that_are_named() {
    let config = read(
        "[fetch]\nproxy = \"http://p.example:3128\"\n\
         [site.\"https://a.example\"]\nauth = \"basic\"\nauth_env = \"A\"\n\
         [site.\"http://127.0.0.1:8080\"]\nauth = \"bearer\"\nauth_env = \"B\"\n\
         [site.\"http://plain.example\"]\nauth = \"bearer\"\nauth_env = \"B\"\nauth_insecure = true\n",
    )
    .unwrap();
    let missing = config.secrets(|_| None).unwrap_err().to_string();
    assert!(missing.contains("variable B") && missing.contains("127.0.0.1"), "{missing}");
    let given = config
        .secrets(|name| match name {
            "A" => Some("user:hunter2".into()),
            "B" => Some("hunter3".into()),
            PROXY_LOGIN_VARIABLE => Some("proxy:hunter4".into()),
            _ => None,
        })
        .unwrap();
    assert_eq!(given.sites.len(), 3);
    assert!(given.proxy.as_ref().unwrap().login.is_some());
    let shown = format!("{config:?} {given:?}");
    assert!(!shown.contains("hunter"), "{shown}");
}

#[test]
fn without_logins_the_environment_is_not_asked() {
    let config = read("[site.\"https://a.example\"]\ncookies = true\nheaders = [\"X-A: b\"]\n").unwrap();
    let given = config.secrets(|name| panic!("asked for {name}")).unwrap();
    assert!(given.sites[0].1.cookies);
    assert_eq!(given.sites[0].1.headers, [("X-A".to_owned(), "b".to_owned())]);
    assert!(given.proxy.is_none());
}
