//! What is set for one site alone: header fields, authentication, cookies. A site is an origin, so nothing set here
//! reaches another scheme, host or port.
//! Never decides whether a request may carry it: a request that was redirected here from elsewhere does not.

use crate::config::{Error, checked_fields};
use crate::cookie::{CookieLimits, Jar};
use crate::secret::Authorization;
use http::header::{AUTHORIZATION, COOKIE};
use http::{HeaderName, HeaderValue};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use whimbrel_types::{Limit, Site, Timestamp};

/// Settings of one site.
#[derive(Clone, Debug, Default)]
pub struct SiteSettings {
    /// Header fields for this site; one that is also sent to every site replaces it.
    pub headers: Vec<(String, String)>,
    /// Who asks.
    pub authorization: Option<Authorization>,
    /// Keep the site's cookies in memory and send them back.
    pub cookies: bool,
}

/// Settings in the form they are sent in.
pub(crate) struct CheckedSite {
    headers: Vec<(HeaderName, HeaderValue)>,
    authorization: Option<HeaderValue>,
    jar: Option<Mutex<Jar>>,
}

impl CheckedSite {
    pub(crate) fn new(
        site: &Site,
        settings: &SiteSettings,
        limits: CookieLimits,
    ) -> Result<CheckedSite, Error> {
        let authorization = settings
            .authorization
            .as_ref()
            .map(Authorization::header_value)
            .transpose()
            .map_err(|why| Error::Authorization { site: site.origin(), why })?;
        Ok(CheckedSite {
            headers: checked_fields(&settings.headers)?,
            authorization,
            jar: settings.cookies.then(|| Mutex::new(Jar::new(site, limits))),
        })
    }

    /// Adds the site's fields to those of every request. `path` decides which cookies go along.
    pub(crate) fn add_fields(&self, fields: &mut Vec<(HeaderName, HeaderValue)>, path: &str, now: Timestamp) {
        fields.retain(|(name, _)| self.headers.iter().all(|(own, _)| own != name));
        fields.extend(self.headers.iter().cloned());
        if let Some(authorization) = &self.authorization {
            fields.push((AUTHORIZATION, authorization.clone()));
        }
        let jar = self.jar.as_ref().map(|jar| jar.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(mut cookies) = jar.and_then(|mut jar| jar.header_value(path, now)) {
            cookies.set_sensitive(true);
            fields.push((COOKIE, cookies));
        }
    }

    /// Takes in the `Set-Cookie` fields of a response, when the site has a jar; says which limits they ran into.
    pub(crate) fn note_cookies<'a>(
        &self,
        set_cookies: impl Iterator<Item = &'a [u8]>,
        path: &str,
        now: Timestamp,
    ) -> BTreeSet<Limit> {
        let Some(jar) = &self.jar else { return BTreeSet::new() };
        let mut jar = jar.lock().unwrap_or_else(PoisonError::into_inner);
        set_cookies.filter_map(|field| jar.note(field, path, now)).collect()
    }
}
