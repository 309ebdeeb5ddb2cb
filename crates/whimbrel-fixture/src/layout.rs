//! The frame around a page's main part: head, navigation, breadcrumbs, footer. One shape per site, so that
//! the pages of a site share a template, as they do on the real web.

use crate::answer::Answer;
use crate::markup::{Document, escape};

/// What all pages of a site share. A link is `(href, words)`.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) site_title: &'static str,
    pub(crate) navigation: &'static [(&'static str, &'static str)],
    /// HTML below the main part, to the side.
    pub(crate) aside: &'static str,
    /// HTML at the bottom.
    pub(crate) footer: &'static str,
}

/// One page before it is framed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) description: String,
    /// Language; English when empty.
    pub(crate) language: String,
    pub(crate) author: String,
    /// Day of publication, year-month-day.
    pub(crate) published: String,
    /// Day of the last change.
    pub(crate) modified: String,
    /// Value of `<link rel=canonical>`.
    pub(crate) canonical: String,
    /// Value of `<meta name=robots>`.
    pub(crate) robots: String,
    /// Links to the pages above this one.
    pub(crate) breadcrumbs: Vec<(String, String)>,
    /// The main part, with its heading, as HTML.
    pub(crate) main: String,
}

impl Draft {
    /// A page with a title and a main part.
    pub(crate) fn new(title: impl Into<String>, main: impl Into<String>) -> Draft {
        Draft { title: title.into(), main: main.into(), ..Draft::default() }
    }

    /// A hand-written page.
    pub(crate) fn written(text: &str) -> Draft {
        let document = Document::parse(text);
        let field = |name: &str| document.field(name).to_owned();
        Draft {
            description: field("description"),
            language: field("language"),
            author: field("author"),
            published: field("published"),
            modified: field("modified"),
            title: document.title.clone(),
            main: document.html.clone(),
            ..Draft::default()
        }
    }

    /// The same with a way up.
    pub(crate) fn below(mut self, href: &str, words: &str) -> Draft {
        self.breadcrumbs.push((href.to_owned(), words.to_owned()));
        self
    }

    /// The same with a description.
    pub(crate) fn described(mut self, description: impl Into<String>) -> Draft {
        self.description = description.into();
        self
    }
}

impl Frame {
    /// The framed page.
    pub(crate) fn html(&self, draft: &Draft) -> String {
        let language = if draft.language.is_empty() { "en" } else { &draft.language };
        let direction = if language == "ar" { " dir=\"rtl\"" } else { "" };
        let links = |links: &mut dyn Iterator<Item = (&str, &str)>| {
            links
                .map(|(href, words)| format!("<li><a href=\"{href}\">{}</a></li>", escape(words)))
                .collect::<String>()
        };
        let navigation = links(&mut self.navigation.iter().copied());
        let mut way_up = draft.breadcrumbs.iter().map(|(href, words)| (href.as_str(), words.as_str()));
        let breadcrumbs = match draft.breadcrumbs.is_empty() {
            true => String::new(),
            false => format!(
                "<nav class=\"breadcrumb\" aria-label=\"breadcrumb\"><ol>{}</ol></nav>\n",
                links(&mut way_up)
            ),
        };
        let aside =
            if self.aside.is_empty() { String::new() } else { format!("<aside>{}</aside>\n", self.aside) };
        format!(
            "<!DOCTYPE html>\n<html lang=\"{language}\"{direction}>\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} - \
             {}</title>\n{}</head>\n<body>\n\
             <header><p><a href=\"/\">{}</a></p>\n<nav><ul>{navigation}</ul></nav></header>\n{breadcrumbs}\
             <main>\n<article>\n{}{}</article>\n</main>\n{aside}<footer><p>{}</p></footer>\n</body>\n</html>\n",
            escape(&draft.title),
            escape(self.site_title),
            head_lines(draft),
            escape(self.site_title),
            draft.main,
            byline(draft),
            self.footer,
        )
    }

    /// The framed page as an answer, with `Last-Modified` where a day is known.
    pub(crate) fn answer(&self, draft: &Draft) -> Answer {
        let answer = Answer::html(self.html(draft));
        let day = if draft.modified.is_empty() { &draft.published } else { &draft.modified };
        match crate::demo::date::Day::parse(day) {
            Some(day) => answer.with_header("Last-Modified", day.http()),
            None => answer,
        }
    }
}

fn head_lines(draft: &Draft) -> String {
    let metas = [
        ("name=\"description\"", &draft.description),
        ("name=\"author\"", &draft.author),
        ("name=\"robots\"", &draft.robots),
        ("property=\"article:published_time\"", &draft.published),
        ("property=\"article:modified_time\"", &draft.modified),
    ];
    let mut lines: String = metas
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("<meta {name} content=\"{}\">\n", escape(value)))
        .collect();
    if !draft.canonical.is_empty() {
        lines.push_str(&format!("<link rel=\"canonical\" href=\"{}\">\n", draft.canonical));
    }
    lines
}

fn byline(draft: &Draft) -> String {
    match (draft.author.is_empty(), draft.published.is_empty()) {
        (false, false) => format!(
            "<p class=\"byline\">By {}, <time datetime=\"{}\">{}</time></p>\n",
            escape(&draft.author),
            draft.published,
            draft.published
        ),
        _ => String::new(),
    }
}
