//! Site `manual`: the manual of Tarn, a program that does not exist. The newest version answers under two
//! prefixes, the one before it is almost the same, and one page holds everything.

use super::link_list;
use crate::answer::Answer;
use crate::layout::{Draft, Frame};
use crate::markup::{escape, table};
use crate::prose::{Grammar, Writer, capitalized, slug};
use crate::random::Random;
use crate::web::{Place, SiteSpec};

const FRAME: Frame = Frame {
    site_title: "Tarn manual",
    navigation: &[
        ("/2.4/", "Contents"),
        ("/2.4/guide/", "Guide"),
        ("/2.4/reference/", "Commands"),
        ("/2.4/settings/", "Settings"),
        ("/2.4/errors/", "Errors"),
        ("/2.4/changelog.txt", "Changelog"),
    ],
    aside: "",
    footer: "Tarn is made up. <a href=\"/2.3/\">Version 2.3</a> &middot; <a href=\"/latest/\">Latest</a> \
        &middot; \
             <a href=\"/1.9/\">Version 1.9</a> &middot; <a href=\"/downloads/tarn-2.4.0.zip\">Download</a>",
};

const GUIDES: [&str; 9] = [
    "Readers that share work",
    "Moving to another disk",
    "Backups",
    "Watching a broker",
    "Mirrors",
    "Queues for logs",
    "Testing with Tarn",
    "Leases in depth",
    "Upgrading from 2.3",
];

const COMMANDS: [(&str, &str); 18] = [
    ("backup", "copy a queue while it is in use"),
    ("bench", "measure disk, network and readers"),
    ("check", "look for damage without changing anything"),
    ("create", "make a queue"),
    ("done", "mark the last taken message as handled"),
    ("drop", "remove a queue and its readers"),
    ("index", "build the index of a segment anew"),
    ("list", "show queues and their sizes"),
    ("mirror", "follow a queue of another broker"),
    ("peek", "show messages without taking them"),
    ("put", "add messages"),
    ("repair", "cut damaged ends off segments"),
    ("rewind", "set a reader back"),
    ("serve", "run a broker"),
    ("set", "change a setting of one queue"),
    ("status", "show positions and ages"),
    ("take", "give out messages to a reader"),
    ("upgrade", "convert files of earlier versions"),
];

const SETTINGS: [(&str, &str); 8] = [
    ("batch_bytes", "64 KiB"),
    ("batch_wait", "5 ms"),
    ("compress", "none"),
    ("index_every", "16 KiB"),
    ("keep", "for ever"),
    ("lease", "30 s"),
    ("segment_bytes", "1 GiB"),
    ("sync", "always"),
];

const ERRORS: [&str; 14] = [
    "settings file not readable",
    "name is not allowed",
    "queue does not exist",
    "data directory is in use",
    "index is older than segment",
    "message too long",
    "segment is damaged",
    "reader is ahead of the queue",
    "broker not reachable",
    "disk is full",
    "lease has ended",
    "clock runs backwards",
    "mirror has gone its own way",
    "file format is newer than this program",
];

const ROBOTS: &str = "User-agent: *
Disallow: /internal/

Sitemap: {{origin:manual}}/sitemap.xml
";

/// The single page with everything is at least this long.
const ALL_BYTES_MIN: usize = 400_000;

/// The site.
pub(super) fn site(seed: u64) -> SiteSpec {
    let mut site = SiteSpec::new("manual");
    for (path, mut draft) in version("2.4", seed) {
        draft.canonical = Place::new("manual", path.clone()).placeholder();
        let answer = FRAME.answer(&draft);
        site.put(path.replacen("/2.4/", "/latest/", 1), answer.clone());
        site.put(path, answer);
    }
    for (path, mut draft) in version("2.3", seed) {
        draft.main.push_str("<p>This page belongs to version 2.3, which is no longer maintained.</p>\n");
        site.put(path, FRAME.answer(&draft));
    }
    site.put("/2.4/changelog.txt", Answer::text(include_str!("prose/changelog.txt")));
    site.put("/2.4/all", FRAME.answer(&all_in_one(seed)));
    site.put("/", Answer::found("/2.4/"));
    site.put("/guide", Answer::Redirect { status: 308, location: "/guide/".to_owned() });
    site.put("/guide/", Answer::moved("{{origin:manual}}/2.4/guide/"));
    site.put("/downloads/tarn-2.4.0.zip", Answer::bytes("application/zip", super::observatory::EMPTY_ZIP));
    site.put("/robots.txt", Answer::text(ROBOTS));
    site.put("/sitemap.xml", Answer::xml(sitemap(&site)));
    site
}

/// Pages of one version with their paths.
fn version(number: &str, seed: u64) -> Vec<(String, Draft)> {
    let grammar = Grammar::parse(include_str!("prose/manual.grammar"));
    let root = format!("/{number}/");
    let mut pages = guides(&root, &grammar, seed);
    pages.extend(reference(&root, &grammar, seed));
    // Links in the text stay in their version, as far as it has the page.
    for (_, draft) in &mut pages {
        for part in ["guide/", "reference/"] {
            draft.main = draft.main.replace(&format!("\"/2.4/{part}"), &format!("\"{root}{part}"));
        }
    }
    pages.retain(|(path, _)| number == "2.4" || !path.contains("/errors/T") && !path.contains("/settings/"));
    let parts: &[(&str, &str)] = if number == "2.4" {
        &[("guide/", "Guide"), ("reference/", "Commands"), ("settings/", "Settings"), ("errors/", "Errors")]
    } else {
        &[("guide/", "Guide"), ("reference/", "Commands")]
    };
    for (part, name) in parts {
        let below = pages.iter().filter(|(path, _)| path.starts_with(&format!("{root}{part}")));
        let links = link_list(below.map(|(path, draft)| (path.clone(), draft.title.clone())));
        let main = format!("<h1>{name}</h1>\n{links}");
        pages.push((
            format!("{root}{part}"),
            Draft::new(format!("{name}, Tarn {number}"), main).below(&root, "Contents"),
        ));
    }
    let contents = link_list(parts.iter().map(|(part, name)| (format!("{root}{part}"), *name)));
    let main = format!(
        "<h1>Tarn {number}</h1>\n<p>Tarn keeps queues of lines on disk and gives them out to readers, each \
         line at least once. It is \
         one program of 900 kB, starts in a millisecond and has not been known to lose a line it said it \
         had.</p>\n{contents}\
         <p>Everything on <a href=\"/2.4/all\">one long page</a>. In a hurry: <a \
         href=\"/latest/guide/first-queue\">your first queue</a>.</p>\n"
    );
    pages.push((
        root,
        Draft::new(format!("Tarn {number}"), main).described(format!("Manual of Tarn {number}.")),
    ));
    pages
}

fn guides(root: &str, grammar: &Grammar, seed: u64) -> Vec<(String, Draft)> {
    let mut pages = Vec::new();
    for (name, text) in [
        ("install", include_str!("prose/manual-install.md")),
        ("first-queue", include_str!("prose/manual-first-queue.md")),
        ("tuning", include_str!("prose/manual-tuning.md")),
    ] {
        pages.push((format!("{root}guide/{name}"), Draft::written(text)));
    }
    for title in GUIDES {
        let name = slug(title);
        let mut writer = grammar.writer(Random::of(seed, &name));
        let queue = *writer.random.pick(&["orders", "weather", "letters", "parcels", "readings"]);
        let command = writer.random.pick(&COMMANDS).0;
        let main = format!(
            "<h1>{title}</h1>\n<p>{}</p>\n<h2>Before you begin</h2>\n<p>{}</p>\n<pre><code>tarn status \
             {queue}\ntarn {command} {queue} --dry-run\n\
             tarn {command} {queue}</code></pre>\n<h2>In production</h2>\n<p>{}</p>\n<p>See <a \
             href=\"/2.4/reference/{command}\">tarn {command}</a>.</p>\n",
            text(&mut writer, "guide_text", 3),
            text(&mut writer, "guide_text", 3),
            text(&mut writer, "guide_text", 4)
        );
        pages.push((format!("{root}guide/{name}"), Draft::new(title, main)));
    }
    let contents = root.to_owned();
    pages
        .into_iter()
        .map(|(path, draft)| {
            (path, draft.below(&contents, "Contents").below(&format!("{contents}guide/"), "Guide"))
        })
        .collect()
}

fn reference(root: &str, grammar: &Grammar, seed: u64) -> Vec<(String, Draft)> {
    let mut pages = Vec::new();
    for (name, purpose) in COMMANDS {
        let mut writer = grammar.writer(Random::of(seed, name));
        let options = [
            ("--data DIR", "data directory"),
            ("--dry-run", "say what would be done"),
            ("--json", "one object per line"),
            ("--as NAME", "name of the reader"),
            ("--fast", "do not wait for the disk"),
        ];
        let option_count = writer.random.between(2, 5);
        let rows: Vec<Vec<String>> = options
            .iter()
            .take(option_count)
            .map(|(option, meaning)| vec![format!("<code>{option}</code>"), (*meaning).to_owned()])
            .collect();
        let main = format!(
            "<h1>tarn {name}</h1>\n<p>{} with <code>tarn {name}</code>.</p>\n<pre><code>tarn {name} \
             [OPTIONS] [QUEUE]</code></pre>\n{}<h2>What it does</h2>\n<p>{}</p>\n\
             <h2>Notes</h2>\n<p>{}</p>\n",
            capitalized(purpose),
            table(&["option", "meaning"], &rows),
            text(&mut writer, "command_text", 6),
            text(&mut writer, "command_text", 5)
        );
        pages.push((
            format!("{root}reference/{name}"),
            Draft::new(format!("tarn {name}"), main).described(format!("tarn {name}: {purpose}.")),
        ));
    }
    for (name, default) in SETTINGS {
        let mut writer = grammar.writer(Random::of(seed, name));
        let main = format!(
            "<h1>{name}</h1>\n<p>Default: <code>{default}</code></p>\n<pre><code>[queue]\n{name} \
             = \"{default}\"</code></pre>\n<p>{}</p>\n<p>{}</p>\n",
            text(&mut writer, "setting_text", 5),
            text(&mut writer, "setting_text", 5)
        );
        pages.push((
            format!("{root}settings/{}", name.replace('_', "-")),
            Draft::new(format!("Setting {name}"), main),
        ));
    }
    for (number, meaning) in ERRORS.iter().enumerate() {
        let code = format!("T{}", 1001 + number);
        let mut writer = grammar.writer(Random::of(seed, &code));
        let main = format!(
            "<h1>{code}: {meaning}</h1>\n<pre><code>{code} [{}] \
             {meaning}</code></pre>\n<p>{}</p>\n<p>{}</p>\n",
            writer.random.between(3, 900),
            text(&mut writer, "error_text", 5),
            text(&mut writer, "error_text", 5)
        );
        pages.push((format!("{root}errors/{code}"), Draft::new(format!("{code}: {meaning}"), main)));
    }
    let contents = root.to_owned();
    pages.into_iter().map(|(path, draft)| (path, draft.below(&contents, "Contents"))).collect()
}

/// Everything at length on one page: what a limit on the size of bodies is for.
fn all_in_one(seed: u64) -> Draft {
    let grammar = Grammar::parse(include_str!("prose/manual.grammar"));
    let mut writer = grammar.writer(Random::of(seed, "all"));
    let mut main = "<h1>The whole manual on one page</h1>\n".to_owned();
    let mut number = 0;
    while main.len() < ALL_BYTES_MIN {
        number += 1;
        let (name, purpose) = COMMANDS[number % COMMANDS.len()];
        let paragraphs: String = ["command_text", "guide_text", "error_text"]
            .iter()
            .map(|kind| format!("<p>{}</p>\n", text(&mut writer, kind, 4)))
            .collect();
        main.push_str(&format!("<h2>{number}. To {purpose}: {name}</h2>\n{paragraphs}"));
    }
    Draft::new("The whole manual on one page", main).below("/2.4/", "Contents")
}

fn sitemap(site: &SiteSpec) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset \
        xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
        .to_owned();
    for path in site.pages.keys().filter(|path| path.starts_with("/2.4/")) {
        let day = if path.contains("/guide/") { "2026-05-03" } else { "2026-04-28" };
        xml.push_str(&format!(
            "<url><loc>{}</loc><lastmod>{day}</lastmod><changefreq>monthly</changefreq></url>\n",
            Place::new("manual", path.clone()).placeholder()
        ));
    }
    xml + "</urlset>\n"
}

fn text(writer: &mut Writer<'_>, symbol: &str, sentence_count: usize) -> String {
    escape(&writer.paragraph(symbol, sentence_count))
}
