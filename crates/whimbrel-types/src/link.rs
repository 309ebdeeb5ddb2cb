//! A hyperlink as it stands in a page, with the attributes that ranking and ordering use (visibility,
//! position, distance: "Effective Web Page Crawler", §5.3).

use crate::url::CanonicalUrl;
use serde::{Deserialize, Serialize};

/// Which element the link comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LinkKind {
    /// `<a href>`
    Anchor,
    /// `<area href>`
    Area,
    /// `<link rel=next|prev|alternate… href>`
    Head,
    /// `<iframe>`, `<frame>`
    Frame,
    /// `<img>`, `<source>`
    Image,
    /// `<meta http-equiv=refresh>`
    Refresh,
    /// The target of an HTTP redirect.
    Redirect,
}

/// What `rel` says about following and endorsing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LinkRel {
    /// `rel=nofollow`
    pub nofollow: bool,
    /// `rel=ugc`
    pub ugc: bool,
    /// `rel=sponsored`
    pub sponsored: bool,
}

impl LinkRel {
    /// Whether the author asks crawlers not to go there.
    #[must_use]
    pub fn says_no(self) -> bool {
        self.nofollow || self.ugc || self.sponsored
    }
}

/// One link of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Where it leads.
    pub target: CanonicalUrl,
    /// Its words, white space collapsed; for `area` and images the `alt` text.
    pub text: String,
    /// The element.
    pub kind: LinkKind,
    /// What the author says about following it.
    pub rel: LinkRel,
    /// 1 plain, 2 bold or italic, 3 both.
    pub visibility: u8,
    /// 3 first third of the page's words, 2 middle, 1 last.
    pub position: u8,
    /// 1 same host, 5 another.
    pub distance: u8,
    /// Inside navigation, header, footer or aside rather than in the main content.
    pub in_navigation: bool,
}

impl Link {
    /// Weight of the link among its page's links before normalisation: visibility × position × distance.
    #[must_use]
    pub fn weight(&self) -> u32 {
        u32::from(self.visibility) * u32::from(self.position) * u32::from(self.distance)
    }
}
