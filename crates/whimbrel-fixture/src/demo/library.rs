//! Site `library`: a catalogue whose pages answer under many URLs, and pages in many languages and two
//! encodings.

use super::link_list;
use crate::answer::{Answer, RequestInfo, handler};
use crate::layout::{Draft, Frame};
use crate::markup::{Document, escape, table};
use crate::prose::{Grammar, Writer, slug};
use crate::random::Random;
use crate::web::SiteSpec;
use std::sync::Arc;

const FRAME: Frame = Frame {
    site_title: "Thornby Town Library",
    navigation: &[
        ("/", "Home"),
        ("/catalogue/", "Catalogue"),
        ("/branches/", "Branches"),
        ("/events/", "Events"),
        ("/join", "Join"),
        ("/history", "History"),
        ("/welcome/", "In your language"),
    ],
    aside: "",
    footer: "Mill Lane 3, Thornby. <a href=\"/account/login\">My account</a> &middot; <a \
        href=\"/account/help\">Help</a> &middot; \
             <a href=\"/renew\">Renew</a> &middot; <a href=\"/search?q=knots\">Search</a>",
};

const ROBOTS: &str = "User-agent: *
Disallow: /account/
Disallow: /search
Allow: /account/help
";

const BRANCHES: [(&str, &str); 4] = [
    (
        "Mill Lane",
        "The main house, with the glass roof, the reading room and the room where children may be loud.",
    ),
    ("Quay", "Two shelves in the harbour office, changed every Friday, for crews who stay one tide."),
    ("Quillby", "A former chapel across the river; the pulpit holds the travel books."),
    ("Book boat", "The Constance in winter, moored at Halsand on Mondays and at Pemsworth on Thursdays."),
];

const LANGUAGES: [(&str, &str, &str); 6] = [
    ("de", "Deutsch", include_str!("prose/welcome-de.md")),
    ("fr", "Français", include_str!("prose/welcome-fr.md")),
    ("zh", "中文", include_str!("prose/welcome-zh.md")),
    ("ja", "日本語", include_str!("prose/welcome-ja.md")),
    ("ar", "العربية", include_str!("prose/welcome-ar.md")),
    ("th", "ไทย", include_str!("prose/welcome-th.md")),
];

const FIRST_NUMBER: usize = 1001;
const BOOKS_PER_LIST: usize = 20;

struct Book {
    number: usize,
    title: &'static str,
    author: &'static str,
    year: usize,
}

impl Book {
    fn path(&self) -> String {
        format!("/catalogue/item/{}", self.number)
    }
}

/// The site.
pub(super) fn site(seed: u64) -> SiteSpec {
    let grammar = Grammar::parse(include_str!("prose/library.grammar"));
    let mut site = SiteSpec::new("library");
    site.ignored_parameters.insert("sid".to_owned());
    site.put("/robots.txt", Answer::text(ROBOTS));
    let mut random = Random::of(seed, "library");
    let books: Vec<Book> = grammar
        .list("title")
        .iter()
        .enumerate()
        .map(|(number, title)| Book {
            number: FIRST_NUMBER + number,
            title,
            author: author(&mut random, &grammar),
            year: random.between(1871, 2024),
        })
        .collect();
    items(&mut site, &grammar, &books, seed);
    written_pages(&mut site);
    small_pages(&mut site, &grammar, seed);
    encodings(&mut site);
    let books = Arc::new(books);
    site.fallback = Some(handler(move |request| catalogue_list(request, &books)));
    site
}

fn author(random: &mut Random, grammar: &Grammar) -> &'static str {
    let authors = grammar.list("author");
    authors[random.below(authors.len())]
}

fn items(site: &mut SiteSpec, grammar: &Grammar, books: &[Book], seed: u64) {
    for book in books {
        let mut writer = grammar.writer(Random::of(seed, &book.path()));
        let main = item_main(book, &mut writer, books);
        let mut draft = Draft::new(book.title, main).below("/", "Home").below("/catalogue/", "Catalogue");
        draft.description = format!(
            "{} by {}, {}: in the catalogue of Thornby Town Library.",
            book.title, book.author, book.year
        );
        site.put(book.path(), FRAME.answer(&draft));
        // The print version has the same text in another frame, and says which one is meant.
        draft.canonical = format!("{{{{origin:library}}}}{}", book.path());
        draft.breadcrumbs.clear();
        let paper = Frame { navigation: &[], aside: "", footer: "Printed from the catalogue.", ..FRAME };
        site.put(format!("{}?print=1", book.path()), paper.answer(&draft));
    }
}

fn item_main(book: &Book, writer: &mut Writer<'_>, books: &[Book]) -> String {
    let number = |text: &str, value: usize| vec![text.to_owned(), value.to_string()];
    let facts = [
        vec!["Author".to_owned(), book.author.to_owned()],
        number("Year", book.year),
        number("Copies", writer.random.between(1, 6)),
        number("Shelf", writer.random.between(10, 99)),
    ];
    let mut main = format!("<h1>{}</h1>\n{}", escape(book.title), table(&["", "details"], &facts));
    for _ in 0..3 {
        let sentence_count = writer.random.between(5, 6);
        main.push_str(&format!("<p>{}</p>\n", escape(&writer.paragraph("about", sentence_count))));
    }
    let similar: Vec<&Book> = (0..3).map(|_| writer.random.pick(books)).collect();
    main.push_str("<h2>Readers also borrowed</h2>\n");
    main.push_str(&link_list(similar.iter().map(|other| (other.path(), other.title))));
    main.push_str(&format!("<p><a href=\"{}?print=1\">Print version</a></p>\n", book.path()));
    main
}

/// Lists of the catalogue: in another order under `?sort=`, in pieces under `?page=`, and with links that
/// carry a session.
fn catalogue_list(request: &RequestInfo, books: &[Book]) -> Answer {
    if !matches!(request.path_only(), "/catalogue/" | "/catalogue") {
        return Answer::NotFound;
    }
    let value = |name: &str| {
        let query = request.query().unwrap_or("");
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned)
    };
    let page: usize = value("page").and_then(|text| text.parse().ok()).unwrap_or(1);
    let sort = value("sort");
    let mut order: Vec<&Book> = books.iter().collect();
    match sort.as_deref() {
        None | Some("number") => {}
        Some("title") => order.sort_by_key(|book| book.title),
        Some("author") => order.sort_by_key(|book| (book.author, book.title)),
        Some("year") => order.sort_by_key(|book| (book.year, book.title)),
        Some(_) => return Answer::NotFound,
    }
    let Some(piece) = order.chunks(BOOKS_PER_LIST).nth(page.wrapping_sub(1)) else { return Answer::NotFound };
    let session = format!("{:08x}", crate::random::fingerprint(request.path.as_bytes()) as u32);
    let rows: Vec<Vec<String>> = piece
        .iter()
        .map(|book| {
            vec![
                format!("<a href=\"{}?sid={session}\">{}</a>", book.path(), escape(book.title)),
                book.author.to_owned(),
                book.year.to_string(),
            ]
        })
        .collect();
    let same_sort = sort.as_deref().map_or(String::new(), |sort| format!("sort={sort}&amp;"));
    let pages = (1..=order.len().div_ceil(BOOKS_PER_LIST))
        .map(|number| (format!("/catalogue/?{same_sort}page={number}"), format!("Page {number}")));
    let main = format!(
        "<h1>Catalogue</h1>\n<p>Sort by <a href=\"/catalogue/?sort=title\">title</a>, <a \
         href=\"/catalogue/?sort=author\">author</a> or \
         <a href=\"/catalogue/?sort=year\">year</a>. Looking for <a href=\"/catalogue/item/1999\">The \
         Missing Atlas</a>? So are we.</p>\n{}{}",
        table(&["title", "author", "year"], &rows),
        link_list(pages)
    );
    FRAME.answer(&Draft::new("Catalogue", main).below("/", "Home"))
}

fn written_pages(site: &mut SiteSpec) {
    let main = "<h1>Thornby Town Library</h1>\n<p>Ninety thousand loans a year, four branches, one boat, no \
        fines. The reading \
        room opens at nine and closes when the last chapter is finished, or at eight, whichever is \
        earlier.</p>\n\
        <h2>New on the shelves</h2>\n<p><a href=\"/catalogue/item/1007\">What the Ferryman Knew</a>, \
        <a href=\"/catalogue/item/1036\">The Library of Rain</a> and <a \
        href=\"/catalogue/item/1048?sid=77c0ffee\">A Grammar of Gulls</a>.</p>\n\
        <h2>Borrow more than books</h2>\n<p>Telescopes, sewing machines, a cello. Ask for the birds of the \
        <a href=\"{{origin:observatory}}/species/\">observatory</a> or for a <a \
        href=\"{{origin:shop}}/\">museum card</a> at the desk.</p>\n";
    let home = FRAME.answer(
        &Draft::new("Books, telescopes, a boat", main)
            .described("Thornby Town Library: books, telescopes and a boat."),
    );
    site.put("/", home.clone());
    site.put("/index.html", home);
    site.put(
        "/history",
        FRAME.answer(&Draft::written(include_str!("prose/library-history.md")).below("/", "Home")),
    );
    site.put(
        "/join",
        FRAME.answer(&Draft::written(include_str!("prose/library-join.md")).below("/", "Home")),
    );
    for (code, _, text) in LANGUAGES {
        let draft = Draft::written(text).below("/", "Home").below("/welcome/", "Welcome");
        site.put(format!("/welcome/{code}"), FRAME.answer(&draft));
    }
    let main = "<h1>In your language</h1>\n<p>The house speaks English and listens to the rest.</p>\n"
        .to_owned()
        + &link_list(LANGUAGES.map(|(code, name, _)| (format!("/welcome/{code}"), name)))
        + "<h2>From the archive</h2>\n"
        + &link_list([
            ("/archive/consul", "Le journal du consul, 1871"),
            ("/archive/schiffsjunge", "Briefe eines Schiffsjungen"),
        ]);
    site.put("/welcome/", FRAME.answer(&Draft::new("In your language", main).below("/", "Home")));
}

fn small_pages(site: &mut SiteSpec, grammar: &Grammar, seed: u64) {
    for (name, text) in BRANCHES {
        let path = format!("/branches/{}", slug(name));
        let mut random = Random::of(seed, &path);
        let opening =
            |random: &mut Random| format!("{} to {}", random.between(9, 11), random.between(16, 20));
        let rows: Vec<Vec<String>> = ["Monday", "Tuesday", "Thursday", "Friday", "Saturday"]
            .iter()
            .map(|day| vec![(*day).to_owned(), opening(&mut random)])
            .collect();
        let main = format!(
            "<h1>{name}</h1>\n<p>{text}</p>\n<h2>Opening hours</h2>\n{}",
            table(&["day", "hours"], &rows)
        );
        site.put(
            &path,
            FRAME.answer(
                &Draft::new(format!("{name} branch"), main)
                    .below("/", "Home")
                    .below("/branches/", "Branches"),
            ),
        );
        // The same page answers with a slash at the end, as careless servers do.
        let same = site.pages[&path].clone();
        site.put(format!("{path}/"), same);
    }
    let main = "<h1>Branches</h1>\n".to_owned()
        + &link_list(BRANCHES.map(|(name, _)| (format!("/branches/{}", slug(name)), name)))
        + "<p>The sign on the quay still says <a href=\"/branches/quay/\">Quay branch</a>.</p>\n";
    site.put("/branches/", FRAME.answer(&Draft::new("Branches", main).below("/", "Home")));
    let mut writer = grammar.writer(Random::of(seed, "events"));
    let rows: Vec<Vec<String>> = (2..9)
        .map(|week| {
            vec![
                format!("{} June 2026", week * 3),
                format!("{}, read by {}", writer.phrase("title"), writer.phrase("author")),
                "Mill Lane".to_owned(),
            ]
        })
        .collect();
    let main = format!(
        "<h1>Events</h1>\n<p>Everything is free. Come early; the good chairs go first.</p>\n{}",
        table(&["day", "what", "where"], &rows)
    );
    site.put("/events/", FRAME.answer(&Draft::new("Events", main).below("/", "Home")));
    let help = "<h1>Help with your account</h1>\n<p>Your number is on the back of your card, and the word \
        is the one you chose. If you \
        have forgotten it, the desk will ask you for the last book you liked.</p>\n";
    site.put("/account/help", FRAME.answer(&Draft::new("Help with your account", help).below("/", "Home")));
    site.put(
        "/account/login",
        FRAME.answer(&Draft::new("Sign in", "<h1>Sign in</h1>\n<p>Card number and word, please.</p>\n")),
    );
    site.put(
        "/search?q=knots",
        FRAME.answer(&Draft::new("Search", "<h1>Search</h1>\n<p>Four books about knots.</p>\n")),
    );
    site.put("/renew", Answer::found("/renew/login"));
    site.put("/renew/login", Answer::found("/renew"));
}

/// Two pages in Latin letters of one byte each: one says so in its header, the other only in itself.
fn encodings(site: &mut SiteSpec) {
    let page = |text: &str, meta: &str| {
        let document = Document::parse(text);
        let html = format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>{meta}<title>{}</title></head>\n<body>\n<main>\n{}</main>\n\
             <p><a href=\"/welcome/\">Thornby Town Library</a></p>\n</body>\n</html>\n",
            document.field("language"),
            document.title,
            document.html
        );
        html.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')).collect::<Vec<u8>>()
    };
    let consul = page(include_str!("prose/archive-fr.md"), "");
    site.put("/archive/consul", Answer::bytes("text/html; charset=ISO-8859-1", consul));
    let boy = page(include_str!("prose/archive-de.md"), "<meta charset=\"iso-8859-1\">");
    site.put("/archive/schiffsjunge", Answer::bytes("text/html", boy));
}
