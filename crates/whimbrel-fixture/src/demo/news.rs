//! Site `news`: dated articles with authors, found by section, by author, by month and by sitemap index.

use super::date::{Day, month_name};
use super::{link_list, press_release};
use crate::answer::Answer;
use crate::layout::{Draft, Frame};
use crate::markup::{Document, escape};
use crate::prose::{Grammar, capitalized, slug};
use crate::random::Random;
use crate::web::{Place, SiteSpec};
use std::collections::BTreeMap;

const FRAME: Frame = Frame {
    site_title: "The Estuary Courier",
    navigation: &[
        ("/", "Front page"),
        ("/section/harbour/", "Harbour"),
        ("/section/council/", "Council"),
        ("/section/culture/", "Culture"),
        ("/section/environment/", "Environment"),
        ("/section/sport/", "Sport"),
        ("/authors/", "Authors"),
        ("/archive/", "Archive"),
    ],
    aside: "<p>Advertisement: <a rel=\"nofollow sponsored\" href=\"/sponsored/moorings\">moorings at Corrig \
        Bay</a></p>",
    footer: "The Estuary Courier, Chandler Street 9, Thornby. <a href=\"/drafts/style-guide\">Style \
        guide</a> &middot; \
             <a href=\"/drafts/tomorrow\">Tomorrow</a> &middot; <a \
             href=\"{{origin:observatory}}/?utm_source=courier\">Sandmere Observatory</a>",
};

const ROBOTS: &str = "User-agent: *
Disallow: /archive/
Disallow: /drafts/

User-agent: whimbrel
Disallow: /drafts/
Allow: /drafts/style-guide

Sitemap: {{origin:news}}/sitemap_index.xml
";

const AUTHORS: [(&str, &str); 6] = [
    ("Ruth Penhallow", "has reported on the county council for nineteen years and can do its voices."),
    ("Idris Vane", "covers the harbour, and rows."),
    ("Mabel Achterberg", "writes about music, gardens and things that people have found."),
    ("Conrad Pyle", "was a goalkeeper, which explains his views."),
    ("Suda Niran", "photographs everything and writes about the rest."),
    ("Otto Bream", "edits the letters page and answers some of them."),
];

const SECTIONS: [&str; 5] = ["harbour", "council", "culture", "environment", "sport"];
const GENERATED_COUNT: u64 = 45;

struct Article {
    path: String,
    section: String,
    day: Day,
    draft: Draft,
}

/// The site.
pub(super) fn site(seed: u64) -> SiteSpec {
    let mut site = SiteSpec::new("news");
    site.ignored_parameters.insert("utm_source".to_owned());
    site.put("/robots.txt", Answer::text(ROBOTS));
    let mut articles = written();
    articles.extend(generated(seed));
    articles.sort_by(|a, b| (b.day, &b.path).cmp(&(a.day, &a.path)));
    for (number, article) in articles.iter().enumerate() {
        let mut draft = article.draft.clone();
        let print = format!("{}/print", article.path);
        let next = &articles[(number + 1) % articles.len()];
        draft.main.push_str(&format!(
            "<p>Read next: <a href=\"{}?utm_source=readnext\">{}</a>. <a href=\"{print}\">Print</a></p>\n",
            next.path,
            escape(&next.draft.title)
        ));
        site.put(&article.path, FRAME.answer(&draft));
        let mut paper = article.draft.clone();
        paper.canonical = Place::new("news", article.path.clone()).placeholder();
        paper.breadcrumbs.clear();
        site.put(
            print,
            Frame { navigation: &[], aside: "", footer: "Printed from The Estuary Courier.", ..FRAME }
                .answer(&paper),
        );
    }
    lists(&mut site, &articles);
    sitemaps(&mut site, &articles);
    other_pages(&mut site);
    site
}

fn written() -> Vec<Article> {
    let texts = [
        include_str!("prose/news-sea-wall.md"),
        include_str!("prose/news-ferry.md"),
        include_str!("prose/news-library-roof.md"),
    ];
    texts
        .iter()
        .filter_map(|text| {
            let document = Document::parse(text);
            let day = Day::parse(document.field("published"))?;
            Some(article(day, document.field("section"), Draft::written(text)))
        })
        .collect()
}

fn generated(seed: u64) -> Vec<Article> {
    let grammar = Grammar::parse(include_str!("prose/news.grammar"));
    let mut headlines = grammar.writer(Random::of(seed, "news"));
    let first = Day::new(2026, 2, 2);
    (0..GENERATED_COUNT)
        .map(|number| {
            let title = headlines.sentence("headline");
            let day = first.plus(number * 5 / 2);
            let mut writer = grammar.writer(Random::of(seed, &format!("article {number}")));
            let section = writer.phrase("section");
            let mut main = format!(
                "<h1>{}</h1>\n<p><strong>{}</strong></p>\n",
                escape(&title),
                escape(&writer.sentence("lead"))
            );
            for _ in 0..writer.random.between(4, 5) {
                let sentence_count = writer.random.between(3, 4);
                main.push_str(&format!("<p>{}</p>\n", escape(&writer.paragraph("body", sentence_count))));
            }
            let mut draft = Draft::new(title, main);
            draft.author = writer.random.pick(&AUTHORS).0.to_owned();
            draft.published = day.iso();
            article(day, &section, draft)
        })
        .collect()
}

fn article(day: Day, section: &str, draft: Draft) -> Article {
    let (year, month, date) = day.civil();
    let draft = draft.below("/", "Front page").below(&format!("/section/{section}/"), &capitalized(section));
    Article {
        path: format!("/{year}/{month:02}/{date:02}/{}", slug(&draft.title)),
        section: section.to_owned(),
        day,
        draft,
    }
}

fn lists(site: &mut SiteSpec, articles: &[Article]) {
    let entries = |wanted: &mut dyn Iterator<Item = &Article>| {
        link_list(wanted.map(|article| {
            (article.path.clone(), format!("{} ({})", article.draft.title, article.day.long()))
        }))
    };
    let front = format!(
        "<h1>The Estuary Courier</h1>\n<p>All the news that fits between two tides.</p>\n{}<p>See also the \
         <a href=\"/press/new-hide\">press release</a> of the \
         observatory. <a href=\"/2025/12/24/corrected-and-withdrawn\">A report of 24 December</a> was wrong \
         and has been withdrawn.</p>\n",
        entries(&mut articles.iter().take(12))
    );
    let front = FRAME
        .answer(&Draft::new("Front page", front).described("News from Thornby, Quillby and the estuary."));
    site.put("/", front.clone());
    site.put("/index.html", front);
    for section in SECTIONS {
        let main = format!(
            "<h1>{}</h1>\n{}",
            capitalized(section),
            entries(&mut articles.iter().filter(|article| article.section == section))
        );
        site.put(
            format!("/section/{section}/"),
            FRAME.answer(&Draft::new(capitalized(section), main).below("/", "Front page")),
        );
    }
    for (name, about) in AUTHORS {
        let by = entries(&mut articles.iter().filter(|article| article.draft.author == name));
        let main = format!("<h1>{name}</h1>\n<p>{name} {about}</p>\n{by}");
        site.put(
            format!("/author/{}", slug(name)),
            FRAME.answer(&Draft::new(name, main).below("/", "Front page").below("/authors/", "Authors")),
        );
    }
    let main = "<h1>Authors</h1>\n".to_owned()
        + &link_list(AUTHORS.map(|(name, _)| (format!("/author/{}", slug(name)), name)));
    site.put("/authors/", FRAME.answer(&Draft::new("Authors", main).below("/", "Front page")));
    let months = by_month(articles);
    for ((year, month), found) in &months {
        let title = format!("{} {year}", month_name(*month));
        let main = format!("<h1>{title}</h1>\n{}", entries(&mut found.iter().copied()));
        site.put(
            format!("/archive/{year}/{month:02}/"),
            FRAME.answer(&Draft::new(title, main).below("/", "Front page").below("/archive/", "Archive")),
        );
    }
    let links = months.keys().map(|(year, month)| {
        (format!("/archive/{year}/{month:02}/"), format!("{} {year}", month_name(*month)))
    });
    let main = format!("<h1>Archive</h1>\n{}", link_list(links));
    site.put("/archive/", FRAME.answer(&Draft::new("Archive", main).below("/", "Front page")));
}

fn by_month(articles: &[Article]) -> BTreeMap<(u64, u64), Vec<&Article>> {
    let mut months: BTreeMap<(u64, u64), Vec<&Article>> = BTreeMap::new();
    for article in articles {
        let (year, month, _) = article.day.civil();
        months.entry((year, month)).or_default().push(article);
    }
    months
}

fn sitemaps(site: &mut SiteSpec, articles: &[Article]) {
    const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    const SPACE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
    let mut index = format!("{HEAD}<sitemapindex {SPACE}>\n");
    for ((year, month), found) in by_month(articles) {
        let path = format!("/sitemaps/{year}-{month:02}.xml");
        let entry = |article: &&Article| {
            format!(
                "<url><loc>{}</loc><lastmod>{}</lastmod></url>\n",
                Place::new("news", article.path.clone()).placeholder(),
                article.day.iso()
            )
        };
        let entries: String = found.iter().map(entry).collect();
        site.put(&path, Answer::xml(format!("{HEAD}<urlset {SPACE}>\n{entries}</urlset>\n")));
        let newest = found.iter().map(|article| article.day).max().map_or_else(String::new, Day::iso);
        index.push_str(&format!(
            "<sitemap><loc>{}</loc><lastmod>{newest}</lastmod></sitemap>\n",
            Place::new("news", path).placeholder()
        ));
    }
    site.put("/sitemap_index.xml", Answer::xml(index + "</sitemapindex>\n"));
}

fn other_pages(site: &mut SiteSpec) {
    site.put("/press/new-hide", press_release());
    site.put(
        "/2025/12/24/corrected-and-withdrawn",
        Answer::html("<title>Withdrawn</title><p>This report has been withdrawn.</p>\n").with_status(410),
    );
    let main = "<h1>Style guide</h1>\n<p>Write <em>the estuary</em>, never <em>our beloved estuary</em>. \
        Tides are high or low and not angry. Ages are \
        given for prize winners, horses and boats. A source who does not wish to be named is not named, not \
        even by his hat.</p>\n";
    site.put("/drafts/style-guide", FRAME.answer(&Draft::new("Style guide", main).below("/", "Front page")));
    site.put(
        "/drafts/tomorrow",
        FRAME.answer(&Draft::new("Tomorrow", "<h1>Tomorrow</h1>\n<p>Not yet fit to print.</p>\n")),
    );
    let main = "<h1>Moorings at Corrig Bay</h1>\n<p>Sheltered from all winds but one. Paid for by the \
        harbour of Corrig Bay.</p>\n";
    site.put("/sponsored/moorings", FRAME.answer(&Draft::new("Moorings at Corrig Bay", main)));
}
