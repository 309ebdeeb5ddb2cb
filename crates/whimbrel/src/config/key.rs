//! Keys by their dotted names, as people quote them: `fetch.max_body`.

use super::CheckedConfig;

impl CheckedConfig {
    /// What a key is set to, as typed; empty when there is no such key.
    pub fn value_of(&self, key: &str) -> String {
        let whole = toml::Value::try_from(&self.raw).unwrap_or(toml::Value::Boolean(false));
        match key.split('.').try_fold(&whole, |table, name| table.get(name)) {
            Some(toml::Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::RawConfig;
    use crate::config::checked::check;
    use whimbrel_types::Limit;

    #[test]
    fn every_limit_is_a_key_of_the_configuration() {
        let config = check(RawConfig::default(), "test".into()).unwrap();
        for limit in Limit::ALL {
            assert!(!config.value_of(limit.key()).is_empty(), "there is no key {}", limit.key());
        }
        assert_eq!(config.value_of("fetch.no_such_key"), "");
    }
}
