//! What an element's name, role, class and id say about its place on the page: navigation, comments, main content,
//! hidden. Hints are votes, not verdicts: `main_text` weighs them against the text itself, because on some sites
//! the whole article is in a `div class="sidebar-wrapper"`.

use crate::text_buffer::cut;
use crate::tree::{AttributeName, DomTree, NodeId, Tag};

/// Hints as a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hints(u8);

impl Hints {
    /// Navigation by element or role: the author's own word.
    pub(crate) const CHROME: Hints = Hints(1);
    /// Navigation, advertising and the like by class or id.
    pub(crate) const UNLIKELY: Hints = Hints(1 << 1);
    /// Content by class or id.
    pub(crate) const LIKELY: Hints = Hints(1 << 2);
    /// The page's main part by element or role; may hold more than the text.
    pub(crate) const MAIN: Hints = Hints(1 << 3);
    /// Not shown.
    pub(crate) const HIDDEN: Hints = Hints(1 << 4);
    /// The article's own body, by microdata or an unmistakable class.
    pub(crate) const BODY: Hints = Hints(1 << 5);
    /// Readers' comments.
    pub(crate) const COMMENTS: Hints = Hints(1 << 6);

    pub(crate) fn has(self, other: Hints) -> bool {
        self.0 & other.0 != 0
    }

    fn add(&mut self, other: Hints) {
        self.0 |= other.0;
    }
}

/// The hints of a block-level element.
pub(crate) fn of(tree: &DomTree, node: NodeId, tag: Tag) -> Hints {
    let mut hints = Hints::default();
    match tag {
        Tag::NAV
        | Tag::FOOTER
        | Tag::ASIDE
        | Tag::HEADER
        | Tag::SEARCH
        | Tag::MENU
        | Tag::DIALOG
        | Tag::FIGCAPTION => hints.add(Hints::CHROME),
        Tag::MAIN => hints.add(Hints::MAIN),
        Tag::ARTICLE => hints.add(Hints::LIKELY),
        _ => {}
    }
    for stored in tree.stored_attributes(node) {
        let value = tree.value(stored);
        match stored.name {
            AttributeName::Class => words(value, &mut hints),
            AttributeName::Id if !is_slug(tree, node, tag, value) => words(value, &mut hints),
            AttributeName::Role => role(value, &mut hints),
            AttributeName::Itemprop if value.eq_ignore_ascii_case("articleBody") => hints.add(Hints::BODY),
            _ => {}
        }
    }
    if is_hidden(tree, node) {
        hints.add(Hints::HIDDEN);
    }
    hints
}

/// Whether an inline element is the caption or credit of a picture by its class.
pub(crate) fn is_caption(tree: &DomTree, node: NodeId) -> bool {
    let class = tree.attribute(node, AttributeName::Class).unwrap_or_default();
    let mut words = class.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| {
        let end = word.len().saturating_sub("caption".len());
        word.get(end..).is_some_and(|end| end.eq_ignore_ascii_case("caption"))
            || word.eq_ignore_ascii_case("credit")
    })
}

/// Whether the element says of itself that it is not shown.
pub(crate) fn is_hidden(tree: &DomTree, node: NodeId) -> bool {
    tree.stored_attributes(node).iter().any(|stored| match stored.name {
        AttributeName::Hidden => !tree.value(stored).eq_ignore_ascii_case("until-found"),
        AttributeName::AriaHidden => tree.value(stored).eq_ignore_ascii_case("true"),
        AttributeName::Style => hides(tree.value(stored)),
        AttributeName::Class => tree.value(stored).split_ascii_whitespace().any(is_hiding_class),
        _ => false,
    })
}

/// Classes that the common style libraries give to what only screen readers, or nobody, should meet.
fn is_hiding_class(class: &str) -> bool {
    const HIDING: [&str; 9] = [
        "sr-only",
        "visually-hidden",
        "visuallyhidden",
        "screen-reader-text",
        "screen-reader",
        "screenreader-only",
        "off-screen",
        "offscreen",
        "d-none",
    ];
    HIDING.iter().any(|hiding| class.eq_ignore_ascii_case(hiding))
}

/// `display: none` or `visibility: hidden` in an inline style.
fn hides(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(name, value)| {
        let (name, value) = (name.trim(), value.trim());
        (name.eq_ignore_ascii_case("display") && starts_with(value, "none"))
            || (name.eq_ignore_ascii_case("visibility") && starts_with(value, "hidden"))
    })
}

fn starts_with(value: &str, word: &str) -> bool {
    value.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

fn role(value: &str, hints: &mut Hints) {
    match value.trim().to_ascii_lowercase().as_str() {
        "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "menu" | "menubar"
        | "dialog" | "alertdialog" | "toolbar" | "tablist" | "directory" => hints.add(Hints::CHROME),
        "main" => hints.add(Hints::MAIN),
        "article" => hints.add(Hints::LIKELY),
        _ => {}
    }
}

/// Longer words say nothing.
const WORD_BYTES_MAX: usize = 24;
/// An id of so many words is a sentence.
const SLUG_WORDS_MIN: usize = 4;
/// So much of a heading is compared with an id.
const HEADING_NODES_MAX: usize = 12;
const HEADING_BYTES_MAX: usize = 200;

/// Looks at each word of a class or id: words end at punctuation and before a capital.
fn words(value: &str, hints: &mut Hints) {
    for name in value.split_ascii_whitespace() {
        let mut word = [0_u8; WORD_BYTES_MAX];
        let mut length = 0;
        let mut previous_lower = false;
        let mut first = true;
        let mut modifier = None;
        for byte in name.bytes().chain([b' ']) {
            let letter = byte.is_ascii_alphabetic();
            if length > 0 && (!letter || (previous_lower && byte.is_ascii_uppercase())) {
                if let Some(word) = word.get(..length) {
                    // `has-sidebar`, `no-ads`: speaks of something elsewhere, or absent.
                    if first && is_modifier(word) {
                        modifier = Some(word == b"has");
                    } else if modifier.is_none() || (modifier == Some(true) && word == b"caption") {
                        hints.add(meaning(word));
                    }
                }
                first = false;
                length = 0;
            }
            if letter {
                if length < WORD_BYTES_MAX {
                    word[length] = byte.to_ascii_lowercase();
                }
                length += 1;
            }
            previous_lower = byte.is_ascii_lowercase();
        }
    }
    whole(value, hints);
}

fn is_modifier(word: &[u8]) -> bool {
    matches!(word, b"has" | b"no" | b"non" | b"not" | b"without")
}

/// Whether an id is made from the words of a heading, as documentation tools do: `sharing-with-one-developer`
/// says what the section is about, not what the element is for.
fn is_slug(tree: &DomTree, node: NodeId, tag: Tag, id: &str) -> bool {
    let id_words = || id.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    if tag.heading_level().is_some() || id_words().count() >= SLUG_WORDS_MIN {
        return true;
    }
    let first = tree.children(node).take(4).find(|child| tree.tag(*child) != Tag::TEXT);
    let Some(heading) = first.filter(|child| tree.tag(*child).heading_level().is_some()) else {
        return false;
    };
    let mut text = String::new();
    for (inner, _) in tree.descendants(heading).take(HEADING_NODES_MAX) {
        // A heading that links to its own section is a documentation tool's.
        let href = tree.attribute(inner, AttributeName::Href);
        if href.and_then(|href| href.strip_prefix('#')) == Some(id) {
            return true;
        }
        text.push_str(cut(tree.text(inner), HEADING_BYTES_MAX));
    }
    let text = text.to_lowercase();
    // One word proves nothing: `<section id=related><h3>Related</h3>` is what it says.
    id_words().count() > 1 && id_words().all(|word| text.contains(&word.to_lowercase()))
}

/// Classes that only mean something as a whole.
fn whole(value: &str, hints: &mut Hints) {
    for class in value.split_ascii_whitespace() {
        match class.to_ascii_lowercase().as_str() {
            "article-body" | "articlebody" | "article__body" | "entry-content" | "post-content"
            | "post-body" | "story-body" | "article-content" | "mw-parser-output" | "main-content"
            | "article-text" | "article_body" | "postcontent" | "entrycontent" | "storybody"
            | "post_content" | "story-content" | "body-content" | "article-copy" | "body-copy"
            | "article__content" => hints.add(Hints::BODY),
            "ai2html" => hints.add(Hints::UNLIKELY),
            _ => {}
        }
    }
}

fn meaning(word: &[u8]) -> Hints {
    match word {
        b"nav" | b"navbar" | b"navigation" | b"menu" | b"menus" | b"submenu" | b"breadcrumb"
        | b"breadcrumbs" | b"sidebar" | b"masthead" | b"cookie" | b"cookies" | b"gdpr" | b"consent"
        | b"toc" | b"pagination" | b"pager" | b"paging" | b"share" | b"sharing" | b"social"
        | b"sharedaddy" | b"related" | b"relatedposts" | b"recommended" | b"recommendations"
        | b"newsletter" | b"subscribe" | b"subscription" | b"signup" | b"login" | b"promo" | b"promos"
        | b"promotion" | b"advert" | b"adverts" | b"advertisement" | b"ads" | b"ad" | b"adsense"
        | b"sponsor" | b"sponsored" | b"sponsors" | b"outbrain" | b"taboola" | b"popup" | b"modal"
        | b"overlay" | b"widget" | b"widgets" | b"rail" | b"banner" | b"toolbar" | b"skip" | b"tags"
        | b"tagcloud" | b"trending" | b"popular" | b"mostread" | b"disclaimer" | b"byline" | b"dateline"
        | b"crumbs" | b"crumb" | b"navlinks" | b"sphinxsidebar" | b"headerlink" | b"subnav" | b"topnav"
        | b"sidenav" | b"mainnav" | b"globalnav" | b"noprint" | b"printfooter" | b"catlinks"
        | b"editsection" | b"shoutbox" | b"infobar" | b"utility" | b"carousel" | b"slideshow"
        | b"readmore" | b"teaser" | b"teasers" | b"authorbox" | b"bio" | b"next" | b"prev" | b"previous"
        | b"print" | b"email" | b"follow" | b"twitter" | b"facebook" | b"metadata" | b"postmeta"
        | b"timestamp" | b"credit" | b"credits" | b"caption" | b"gallery" => Hints::UNLIKELY,
        b"footer" | b"copyright" | b"sphinxfooter" | b"pagefooter" => Hints::CHROME,
        b"comment" | b"comments" | b"disqus" | b"livefyre" | b"replies" | b"commentlist" | b"respond"
        | b"remark" => Hints::COMMENTS,
        b"article" | b"content" | b"entry" | b"post" | b"story" | b"body" | b"text" | b"main" | b"page"
        | b"document" | b"blog" | b"hentry" | b"section" | b"paragraph" => Hints::LIKELY,
        _ => Hints::default(),
    }
}

#[cfg(test)]
mod tests;
