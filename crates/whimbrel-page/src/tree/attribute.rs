//! Which attributes are kept. Everything else is dropped while parsing: on real pages nine of ten attribute
//! bytes are styling, scripting and tracking that no pass reads.

/// Name of a kept attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the attribute of its name")]
pub enum AttributeName {
    Alt,
    AriaHidden,
    Charset,
    Class,
    Content,
    Data,
    Datetime,
    Hidden,
    Href,
    HttpEquiv,
    Id,
    Itemprop,
    Lang,
    Media,
    Name,
    Poster,
    Property,
    Rel,
    Role,
    Src,
    Srcset,
    Style,
    Title,
    Type,
    XmlLang,
}

impl AttributeName {
    /// The kept attribute of this (lower-case) name.
    #[must_use]
    pub fn of(name: &str) -> Option<AttributeName> {
        Some(match name {
            "alt" => AttributeName::Alt,
            "aria-hidden" => AttributeName::AriaHidden,
            "charset" => AttributeName::Charset,
            "class" => AttributeName::Class,
            "content" => AttributeName::Content,
            "data" => AttributeName::Data,
            "datetime" => AttributeName::Datetime,
            "hidden" => AttributeName::Hidden,
            "href" => AttributeName::Href,
            "http-equiv" => AttributeName::HttpEquiv,
            "id" => AttributeName::Id,
            "itemprop" => AttributeName::Itemprop,
            "lang" => AttributeName::Lang,
            "media" => AttributeName::Media,
            "name" => AttributeName::Name,
            "poster" => AttributeName::Poster,
            "property" => AttributeName::Property,
            "rel" => AttributeName::Rel,
            "role" => AttributeName::Role,
            "src" => AttributeName::Src,
            "srcset" => AttributeName::Srcset,
            "style" => AttributeName::Style,
            "title" => AttributeName::Title,
            "type" => AttributeName::Type,
            "xml:lang" => AttributeName::XmlLang,
            _ => return None,
        })
    }
}
