//! Media types and file extensions: which bodies can be pages and which URLs never lead to one.
//! Judges names only, never bytes.

use std::fmt;
use std::str::FromStr;

/// Types that are parsed and indexed by default.
pub const PAGE_TYPES: [&str; 3] = ["text/html", "application/xhtml+xml", "text/plain"];

/// `text/html`, `image/*` or `*/*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaPattern {
    kind: String,
    subtype: String,
}

/// A media pattern that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaPatternError(pub String);

impl MediaPattern {
    /// Whether a `Content-Type` value, with or without parameters, has this type.
    #[must_use]
    pub fn matches(&self, content_type: &str) -> bool {
        let essence = essence(content_type);
        let (kind, subtype) = essence.split_once('/').unwrap_or((essence, ""));
        let agrees = |pattern: &str, part: &str| pattern == "*" || pattern.eq_ignore_ascii_case(part.trim());
        agrees(&self.kind, kind) && agrees(&self.subtype, subtype)
    }

    /// Extensions that are served with this type by custom, so that no request is needed to refuse them.
    pub fn extensions(&self) -> impl Iterator<Item = &'static str> {
        EXTENSIONS
            .iter()
            .filter(|(content_type, _)| self.matches(content_type))
            .flat_map(|(_, extensions)| extensions.split(' '))
    }
}

impl FromStr for MediaPattern {
    type Err = MediaPatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let token = |part: &str| {
            let legal = |b: u8| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b);
            part == "*" || (!part.is_empty() && part.bytes().all(legal))
        };
        match text.trim().split_once('/') {
            Some((kind, subtype)) if token(kind) && token(subtype) && (kind != "*" || subtype == "*") => {
                Ok(MediaPattern { kind: kind.to_ascii_lowercase(), subtype: subtype.to_ascii_lowercase() })
            }
            _ => Err(MediaPatternError(text.to_owned())),
        }
    }
}

impl fmt::Display for MediaPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.subtype)
    }
}

impl fmt::Display for MediaPatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a media type, write one such as text/html or image/*", self.0)
    }
}

impl std::error::Error for MediaPatternError {}

/// Whether a body of this `Content-Type` is parsed and indexed by default.
#[must_use]
pub fn is_page_type(content_type: &str) -> bool {
    PAGE_TYPES.iter().any(|page| page.eq_ignore_ascii_case(essence(content_type)))
}

/// The type without parameters and white space.
#[must_use]
pub fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Extensions that are refused by default: nothing behind them is a page.
pub fn extensions_denied_by_default() -> impl Iterator<Item = &'static str> {
    EXTENSIONS.iter().flat_map(|(_, extensions)| extensions.split(' '))
}

/// By customary type. Left out on purpose: `com` and `do` (host names and servlets in paths), `xml` (may be XHTML),
/// `txt` and `md` (text), and everything that servers run, such as `php`, `asp`, `cgi`, `pl`, `py`.
const EXTENSIONS: &[(&str, &str)] = &[
    ("image/png", "png apng"),
    ("image/jpeg", "jpg jpeg jpe jfif"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
    ("image/avif", "avif heic heif jxl"),
    ("image/svg+xml", "svg svgz"),
    ("image/x-icon", "ico cur"),
    ("image/tiff", "tif tiff"),
    ("image/x-other", "bmp psd eps ai raw cr2 nef dng xcf jp2 pcx tga djvu"),
    ("audio/mpeg", "mp3 m3u m3u8 mpga"),
    ("audio/x-other", "wav ogg oga opus flac aac m4a wma mid midi aif aiff ra ram amr"),
    ("video/mp4", "mp4 m4v"),
    ("video/mpeg", "mpg mpeg"),
    ("video/x-other", "webm avi mov mkv flv wmv ogv 3gp 3g2 asf swf vob m2ts rm"),
    ("application/zip", "zip zipx"),
    ("application/gzip", "gz tgz"),
    ("application/x-archive", "tar bz2 tbz2 xz txz zst lz lzma 7z rar cab arj z iso img dmg ova vmdk"),
    ("application/java-archive", "jar war ear"),
    ("font/woff2", "woff woff2 ttf otf eot"),
    ("text/css", "css less scss"),
    ("text/javascript", "js mjs cjs"),
    ("application/json", "json jsonl ndjson geojson map"),
    ("application/wasm", "wasm"),
    (
        "application/x-executable",
        "exe msi msix dll bin deb rpm apk ipa pkg appimage snap flatpak so dylib o class pyc whl gem crx xpi",
    ),
    ("application/pdf", "pdf"),
    ("application/postscript", "ps"),
    ("application/msword", "doc dot docx docm dotx rtf"),
    ("application/vnd.ms-excel", "xls xlsx xlsm xlsb csv tsv"),
    ("application/vnd.ms-powerpoint", "ppt pptx pps ppsx potx"),
    ("application/vnd.oasis.opendocument", "odt ods odp odg odf ott"),
    ("application/epub+zip", "epub mobi azw azw3 fb2"),
    (
        "application/x-data",
        "sqlite db mdb parquet h5 hdf5 npy npz pkl rdata sav dta torrent dwg dxf stl shp kmz kml gpx ics vcf pem crt sig asc",
    ),
];

#[cfg(test)]
mod tests;
