//! How much of one page is looked at, and what is said when that was not all of it. Every bound of the parser that
//! leaves something out is here; reaching one is a [`Problem`] with a name that never changes, never an error.

/// The bounds of one parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLimits {
    /// Nodes made or moved while building the tree; the page ends there.
    pub nodes_max: usize,
    /// Elements deeper than this are left out, their text is not.
    pub depth_max: u16,
    /// Attributes of one element.
    pub attributes_max: usize,
    /// Bytes of one attribute's value; a longer one counts as missing.
    pub attribute_bytes_max: usize,
    /// Anchors and areas; and, apart from them, embedded references.
    pub links_max: usize,
    /// References that were refused, kept for the report.
    pub rejected_links_max: usize,
    /// Bytes of the words of one link.
    pub anchor_text_bytes_max: usize,
    /// Visible text.
    pub text_bytes_max: usize,
    /// Headings.
    pub headings_max: usize,
    /// Bytes of a title, an author, a description, a heading.
    pub field_bytes_max: usize,
    /// `<meta>` elements, microdata properties, times and authors, each.
    pub statements_max: usize,
    /// JSON-LD scripts.
    pub json_ld_scripts_max: usize,
    /// Bytes of one JSON-LD script; a longer one is not read.
    pub json_ld_bytes_max: usize,
    /// Whether frames, images, `link` elements and refreshes are listed too.
    pub embedded_links: bool,
}

impl Default for ParseLimits {
    fn default() -> ParseLimits {
        ParseLimits {
            nodes_max: 1 << 20,
            depth_max: 512,
            attributes_max: 256,
            attribute_bytes_max: 1 << 20,
            links_max: 100_000,
            rejected_links_max: 1000,
            anchor_text_bytes_max: 4096,
            text_bytes_max: 8 << 20,
            headings_max: 2000,
            field_bytes_max: 2000,
            statements_max: 500,
            json_ld_scripts_max: 8,
            json_ld_bytes_max: 256 * 1024,
            embedded_links: false,
        }
    }
}

/// What is missing from the page as read, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Problem {
    /// The page has more nodes than `nodes_max`; the rest is missing.
    NodesCut,
    /// So many elements were deeper than `depth_max`.
    TooDeep(u32),
    /// So many attributes were beyond `attributes_max`.
    AttributesCut(u32),
    /// So many links were beyond `links_max`.
    LinksCut(u32),
    /// So many refused references were beyond `rejected_links_max`.
    RejectedLinksCut(u32),
    /// Visible text was beyond `text_bytes_max`.
    TextCut,
    /// So many headings were beyond `headings_max`.
    HeadingsCut(u32),
}

impl Problem {
    /// The name it is counted under.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Problem::NodesCut => "nodes_cut",
            Problem::TooDeep(_) => "too_deep",
            Problem::AttributesCut(_) => "attributes_cut",
            Problem::LinksCut(_) => "links_cut",
            Problem::RejectedLinksCut(_) => "rejected_links_cut",
            Problem::TextCut => "text_cut",
            Problem::HeadingsCut(_) => "headings_cut",
        }
    }
}

/// What was shortened or not looked at although the page as such is whole: single values and what a page says about
/// itself. Each with how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Omission {
    /// Values longer than `attribute_bytes_max`.
    AttributeTooLong(u32),
    /// Links with more words than `anchor_text_bytes_max`.
    AnchorTextCut(u32),
    /// Titles, authors, descriptions and headings longer than `field_bytes_max`.
    FieldsCut(u32),
    /// Statements about the page beyond `statements_max`.
    StatementsCut(u32),
    /// JSON-LD scripts beyond `json_ld_scripts_max`, or longer than `json_ld_bytes_max`.
    JsonLdCut(u32),
}

impl Omission {
    /// The name it is counted under.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Omission::AttributeTooLong(_) => "attribute_too_long",
            Omission::AnchorTextCut(_) => "anchor_text_cut",
            Omission::FieldsCut(_) => "fields_cut",
            Omission::StatementsCut(_) => "statements_cut",
            Omission::JsonLdCut(_) => "json_ld_cut",
        }
    }
}
