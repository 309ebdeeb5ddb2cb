//! Element names as small numbers, so that every later decision about an element is one comparison.
//! Names this crate knows have fixed numbers; all others are numbered per tree in order of appearance.
//! Elements of SVG and MathML never get a fixed number (an SVG `title` is not the page's), but for the SVG `a`.

/// The name of an element. Fixed for the names below, per tree for the rest (see `DomTree::name`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub(crate) u16);

macro_rules! known_tags {
    ($($constant:ident = $name:literal,)*) => {
        #[expect(clippy::upper_case_acronyms, reason = "only numbers the constants below")]
        #[derive(Clone, Copy)]
        enum Number { $($constant,)* COUNT }

        #[expect(missing_docs, reason = "each constant is the element of its name")]
        impl Tag {
            $(pub const $constant: Tag = Tag(Number::$constant as u16);)*
        }

        /// Names of the fixed tags, by number.
        const KNOWN: [&str; Number::COUNT as usize] = [$($name,)*];

        impl Tag {
            /// The fixed tag of an HTML element name in lower case.
            #[must_use]
            pub fn known(name: &str) -> Option<Tag> {
                match name { $($name => Some(Tag::$constant),)* _ => None }
            }
        }
    };
}

known_tags! {
    TEXT = "#text", DOCUMENT = "#document", A = "a", ABBR = "abbr", ADDRESS = "address", APPLET = "applet",
    AREA = "area", ARTICLE = "article", ASIDE = "aside", AUDIO = "audio", B = "b", BASE = "base",
    BLOCKQUOTE = "blockquote", BODY = "body", BR = "br", BUTTON = "button", CANVAS = "canvas",
    CAPTION = "caption", CENTER = "center", CITE = "cite", CODE = "code", COL = "col", COLGROUP = "colgroup",
    DATALIST = "datalist", DD = "dd", DETAILS = "details", DIALOG = "dialog", DIR = "dir", DIV = "div",
    DL = "dl", DT = "dt", EM = "em", EMBED = "embed", FIELDSET = "fieldset", FIGCAPTION = "figcaption",
    FIGURE = "figure", FONT = "font", FOOTER = "footer", FORM = "form", FRAME = "frame",
    FRAMESET = "frameset", H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6", HEAD = "head",
    HEADER = "header", HGROUP = "hgroup", HR = "hr", HTML = "html", I = "i", IFRAME = "iframe",
    IMAGE = "image", IMG = "img", INPUT = "input", LABEL = "label", LEGEND = "legend", LI = "li",
    LINK = "link", LISTING = "listing", MAIN = "main", MAP = "map", MENU = "menu", META = "meta", NAV = "nav",
    NOEMBED = "noembed", NOFRAMES = "noframes", NOSCRIPT = "noscript", OBJECT = "object", OL = "ol",
    OPTGROUP = "optgroup", OPTION = "option", OUTPUT = "output", P = "p", PICTURE = "picture",
    PLAINTEXT = "plaintext", PRE = "pre", PROGRESS = "progress", Q = "q", RP = "rp", RT = "rt",
    SCRIPT = "script", SEARCH = "search", SECTION = "section", SELECT = "select", SMALL = "small",
    SOURCE = "source", SPAN = "span", STRONG = "strong", STYLE = "style", SUB = "sub", SUMMARY = "summary",
    SUP = "sup", TABLE = "table", TBODY = "tbody", TD = "td", TEMPLATE = "template", TEXTAREA = "textarea",
    TFOOT = "tfoot", TH = "th", THEAD = "thead", TIME = "time", TITLE = "title", TR = "tr", TRACK = "track",
    TT = "tt", U = "u", UL = "ul", VAR = "var", VIDEO = "video", WBR = "wbr", XMP = "xmp",
}

impl Tag {
    /// How many numbers are fixed.
    pub(crate) const KNOWN_COUNT: usize = Number::COUNT as usize;

    /// The name, when the number is a fixed one.
    pub(crate) fn known_name(self) -> Option<&'static str> {
        KNOWN.get(usize::from(self.0)).copied()
    }

    /// Hash of the name, when the number is a fixed one.
    pub(crate) fn known_hash(self) -> Option<u64> {
        KNOWN_HASHES.get(usize::from(self.0)).copied()
    }

    /// 1 to 6 for headings.
    #[must_use]
    pub fn heading_level(self) -> Option<u8> {
        (Tag::H1 <= self && self <= Tag::H6).then(|| (self.0 - Tag::H1.0) as u8 + 1)
    }

    /// Whether its text is a paragraph of its own rather than part of the line around it.
    #[must_use]
    pub fn is_block(self) -> bool {
        BLOCK[usize::from(self.0).min(Tag::KNOWN_COUNT)]
    }

    /// Whether what is inside is never shown to a reader of the page.
    #[must_use]
    pub fn is_invisible(self) -> bool {
        INVISIBLE[usize::from(self.0).min(Tag::KNOWN_COUNT)]
    }
}

/// FNV-1a: small, and computable at build time.
pub(crate) const fn hash_name(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0100_0000_01B3);
        i += 1;
    }
    hash
}

static KNOWN_HASHES: [u64; Tag::KNOWN_COUNT] = {
    let mut hashes = [0; Tag::KNOWN_COUNT];
    let mut i = 0;
    while i < Tag::KNOWN_COUNT {
        hashes[i] = hash_name(KNOWN[i]);
        i += 1;
    }
    hashes
};

/// Set of tags as a table; the last entry stands for every name without a fixed number.
const fn table<const N: usize>(tags: [Tag; N]) -> [bool; Tag::KNOWN_COUNT + 1] {
    let mut table = [false; Tag::KNOWN_COUNT + 1];
    let mut i = 0;
    while i < N {
        table[tags[i].0 as usize] = true;
        i += 1;
    }
    table
}

static BLOCK: [bool; Tag::KNOWN_COUNT + 1] = table([
    Tag::ADDRESS,
    Tag::ARTICLE,
    Tag::ASIDE,
    Tag::BLOCKQUOTE,
    Tag::BODY,
    Tag::CAPTION,
    Tag::CENTER,
    Tag::DD,
    Tag::DETAILS,
    Tag::DIALOG,
    Tag::DIR,
    Tag::DIV,
    Tag::DL,
    Tag::DT,
    Tag::FIELDSET,
    Tag::FIGCAPTION,
    Tag::FIGURE,
    Tag::FOOTER,
    Tag::FORM,
    Tag::FRAMESET,
    Tag::H1,
    Tag::H2,
    Tag::H3,
    Tag::H4,
    Tag::H5,
    Tag::H6,
    Tag::HEADER,
    Tag::HGROUP,
    Tag::HR,
    Tag::HTML,
    Tag::LEGEND,
    Tag::LI,
    Tag::LISTING,
    Tag::MAIN,
    Tag::MENU,
    Tag::NAV,
    Tag::OL,
    Tag::P,
    Tag::PLAINTEXT,
    Tag::PRE,
    Tag::SEARCH,
    Tag::SECTION,
    Tag::SUMMARY,
    Tag::TABLE,
    Tag::TBODY,
    Tag::TFOOT,
    Tag::THEAD,
    Tag::TR,
    Tag::UL,
    Tag::XMP,
    Tag::DOCUMENT,
    Tag::OPTGROUP,
]);

static INVISIBLE: [bool; Tag::KNOWN_COUNT + 1] = table([
    Tag::APPLET,
    Tag::AUDIO,
    Tag::CANVAS,
    Tag::DATALIST,
    Tag::EMBED,
    Tag::HEAD,
    Tag::IFRAME,
    Tag::NOEMBED,
    Tag::NOFRAMES,
    Tag::NOSCRIPT,
    Tag::OPTION,
    Tag::SCRIPT,
    Tag::SELECT,
    Tag::STYLE,
    Tag::TEMPLATE,
    Tag::TEXTAREA,
    Tag::TITLE,
    Tag::VIDEO,
]);

#[cfg(test)]
mod tests;
