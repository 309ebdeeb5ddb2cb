//! Turns hand-written text into HTML. A small part of Markdown: headings, paragraphs, lists, tables, quotes,
//! code blocks, links, emphasis. Text before the first heading of the form `key: value` describes the page.
//! Not for text of strangers: it is used on the files of this crate only.

use std::collections::BTreeMap;

/// A hand-written page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// The first heading.
    pub(crate) title: String,
    /// What stands before it.
    pub(crate) fields: BTreeMap<String, String>,
    /// The whole page, its title included, as HTML.
    pub(crate) html: String,
}

impl Document {
    /// Reads a page.
    pub(crate) fn parse(text: &str) -> Document {
        let (head, body) = text.split_once("\n# ").map_or((text, ""), |(head, body)| (head, body));
        let fields = head.lines().filter_map(|line| line.split_once(": "));
        let (title, body) = body.split_once('\n').unwrap_or((body, ""));
        Document {
            title: title.trim().to_owned(),
            fields: fields.map(|(key, value)| (key.to_owned(), value.trim().to_owned())).collect(),
            html: format!("<h1>{}</h1>\n{}", escape(title.trim()), blocks(body)),
        }
    }

    /// One of the fields; empty when it is not there.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

/// Text for use between tags and in attribute values.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An HTML table with a heading row.
pub(crate) fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        cells.map(|cell| format!("<{tag}>{cell}</{tag}>")).collect::<String>()
    };
    let mut html = format!("<table>\n<tr>{}</tr>\n", cells("th", &mut heading.iter().copied()));
    for row in rows {
        html.push_str(&format!("<tr>{}</tr>\n", cells("td", &mut row.iter().map(String::as_str))));
    }
    html + "</table>\n"
}

fn blocks(text: &str) -> String {
    let mut html = String::new();
    let mut code: Option<String> = None;
    for block in text.split("\n\n") {
        // A code block may hold empty lines: its pieces are put together again.
        if let Some(open) = &mut code {
            open.push_str("\n\n");
            open.push_str(block);
        } else if block.trim_start().starts_with("```") {
            code = Some(block.trim_start().to_owned());
        } else if !block.trim().is_empty() {
            html.push_str(&one_block(block.trim()));
        }
        if let Some(whole) = code.take_if(|open| open.trim_end().ends_with("\n```")) {
            let inner = whole.trim().trim_start_matches("```").trim_end_matches("```").trim_matches('\n');
            html.push_str(&format!("<pre><code>{}</code></pre>\n", escape(inner)));
        }
    }
    html
}

fn one_block(block: &str) -> String {
    let lines: Vec<&str> = block.lines().collect();
    let is_numbered =
        |line: &str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    if let Some(rest) = block.strip_prefix("## ") {
        return format!("<h2>{}</h2>\n", inline(rest));
    }
    if lines.iter().all(|line| line.starts_with("- ")) {
        return list("ul", lines.iter().map(|line| &line[2..]));
    }
    if lines.iter().all(|line| is_numbered(line)) {
        return list("ol", lines.iter().filter_map(|line| line.split_once(". ")).map(|(_, rest)| rest));
    }
    if lines.iter().all(|line| line.starts_with('|')) {
        let cells = |line: &&str| {
            line.trim_matches('|').split('|').map(|cell| inline(cell.trim())).collect::<Vec<_>>()
        };
        let heading = cells(&lines[0]);
        let rows: Vec<Vec<String>> = lines.iter().skip(2).map(cells).collect();
        return table(&heading.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    }
    if lines.iter().all(|line| line.starts_with("> ")) {
        let words: Vec<&str> = lines.iter().map(|line| &line[2..]).collect();
        return format!("<blockquote><p>{}</p></blockquote>\n", inline(&words.join(" ")));
    }
    format!("<p>{}</p>\n", inline(&lines.join(" ")))
}

fn list<'a>(tag: &str, items: impl Iterator<Item = &'a str>) -> String {
    let items: String = items.map(|item| format!("<li>{}</li>\n", inline(item))).collect();
    format!("<{tag}>\n{items}</{tag}>\n")
}

/// Links, strong, emphasis and code, in that order of binding.
fn inline(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some((label, (href, after))) =
            link.split_once("](").and_then(|(label, tail)| Some((label, tail.split_once(')')?)))
        else {
            break;
        };
        html.push_str(&spans(before));
        html.push_str(&format!("<a href=\"{}\">{}</a>", escape(href), spans(label)));
        rest = after;
    }
    html + &spans(rest)
}

fn spans(text: &str) -> String {
    [("`", "code"), ("**", "strong"), ("*", "em")].iter().fold(escape(text), |html, (mark, tag)| {
        let parts: Vec<&str> = html.split(mark).collect();
        if parts.len().is_multiple_of(2) {
            return html;
        }
        let wrap = |(number, part): (usize, &&str)| {
            if number % 2 == 1 { format!("<{tag}>{part}</{tag}>") } else { (*part).to_owned() }
        };
        parts.iter().enumerate().map(wrap).collect()
    })
}

#[cfg(test)]
mod tests;
