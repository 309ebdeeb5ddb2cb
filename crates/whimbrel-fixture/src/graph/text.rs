//! Writes the pages of a random web: a title, sentences, a word of its own, and the links of the shape.
//! Invariant: a page is a function of seed, site and number; two pages never share their word or their
//! names, so neither exact nor near copies arise by chance.

use super::shape::Shape;
use crate::prose::{Grammar, capitalized};
use crate::random::Random;
use std::sync::LazyLock;

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::parse(include_str!("text.grammar")));

/// The word that only this page has.
pub(super) fn unique_word(site: usize, number: usize) -> String {
    format!("uniq{site}x{number}")
}

/// The page's HTML.
pub(super) fn page(shape: &Shape, site: usize, number: usize, seed: u64, sentence_count: usize) -> String {
    let mut writer = GRAMMAR.writer(Random::of(seed, &format!("page {site} {number}")));
    let word = unique_word(site, number);
    let names: Vec<String> = (0..12).map(|_| made_up_name(&mut writer.random)).collect();
    let title = format!(
        "{} and the {} {}",
        writer.phrase("place"),
        writer.phrase("adjective"),
        writer.phrase("thing")
    );
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title} \
         ({word})</title></head>\n<body>\n\
         <main>\n<h1>{title}</h1>\n<p>File {word}, with notes by {}.</p>\n",
        names.join(", "),
    );
    let mut left = sentence_count;
    while left > 0 {
        let count = writer.random.between(3, 5).min(left);
        html.push_str(&format!("<p>{}</p>\n", writer.paragraph("sentence", count)));
        left -= count;
    }
    html.push_str("<ul>\n");
    let own_site = Shape::site_name(site);
    for place in shape.links(site, number) {
        let href = if place.site == own_site && !shape.is_absolute(site, number) {
            place.path.clone()
        } else {
            place.placeholder()
        };
        html.push_str(&format!(
            "<li><a href=\"{href}\">{} {}</a></li>\n",
            writer.phrase("adjective"),
            writer.phrase("things")
        ));
    }
    html.push_str("</ul>\n</main>\n</body>\n</html>\n");
    html
}

fn made_up_name(random: &mut Random) -> String {
    const STARTS: [&str; 16] = [
        "ba", "cor", "del", "fi", "gra", "hul", "jo", "kes", "lum", "mar", "nev", "or", "pil", "ral", "sto",
        "tem",
    ];
    const MIDDLES: [&str; 12] = ["va", "ri", "no", "lle", "mu", "ska", "ti", "do", "be", "pha", "gri", "sse"];
    const ENDS: [&str; 12] = ["n", "th", "ra", "lin", "mond", "ck", "vey", "s", "dal", "wick", "tor", "m"];
    let parts: [&[&str]; 4] = [&STARTS, &MIDDLES, &MIDDLES, &ENDS];
    capitalized(&parts.map(|part| *random.pick(part)).concat())
}
