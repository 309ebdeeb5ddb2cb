//! Site `observatory`: species, daily logs, hides and research of a bird observatory, and the calendar trap.

use super::date::{Day, month_name};
use super::{link_list, press_release};
use crate::answer::{Answer, RequestInfo, handler};
use crate::layout::{Draft, Frame};
use crate::markup::{escape, table};
use crate::prose::{Grammar, slug};
use crate::random::Random;
use crate::web::SiteSpec;

const FRAME: Frame = Frame {
    site_title: "Sandmere Bird Observatory",
    navigation: &[
        ("/", "Home"),
        ("/species/", "Species"),
        ("/log/", "Daily log"),
        ("/hides/", "Hides"),
        ("/research/", "Research"),
        ("/visit", "Visiting"),
        ("/calendar/2026/05", "Calendar"),
        ("/about", "About"),
    ],
    aside: "<h2>Watch</h2><p><a href=\"/camera/\">Osprey nest camera</a></p><p><a href=\"/today\">What was \
        seen today</a></p>",
    footer: "Sandmere Lighthouse, Spit Road. <a href=\"/staff/door-codes\">Staff</a> &middot; \
             <a href=\"{{origin:news}}/\">The Estuary Courier</a> &middot; <a \
             href=\"{{origin:library}}/\">Thornby Library</a>",
};

const ROBOTS: &str = "# Sandmere Bird Observatory
User-agent: *
Disallow: /staff/

User-agent: GreedyBot
User-agent: CopyBot
Disallow: /
";

const HIDES: [&str; 8] = [
    "Tower Hide",
    "Lagoon Hide",
    "Jetty Hide",
    "Pell Hide",
    "Narrows Hide",
    "Tern Hide",
    "Sluice Hide",
    "Saltings Hide",
];

/// A white dot, one pixel wide and high.
pub(super) const PNG: [u8; 67] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x7E, 0x9B, 0x55, 0x00,
    0x00, 0x00, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8, 0x0F, 0x00, 0x01, 0x01, 0x01, 0x00,
    0x1C, 0xB0, 0x8C, 0x99, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
];

/// An archive without entries.
pub(super) const EMPTY_ZIP: [u8; 22] =
    [b'P', b'K', 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// The site.
pub(super) fn site(seed: u64) -> SiteSpec {
    let grammar = Grammar::parse(include_str!("prose/observatory.grammar"));
    let mut site = SiteSpec::new("observatory");
    site.ignored_parameters.insert("utm_source".to_owned());
    site.put("/robots.txt", Answer::text(ROBOTS));
    home(&mut site);
    written_pages(&mut site);
    species(&mut site, &grammar, seed);
    logs(&mut site, &grammar, seed);
    hides(&mut site, &grammar, seed);
    odd_pages(&mut site);
    site.fallback = Some(handler(calendar));
    site
}

fn home(site: &mut SiteSpec) {
    let main = "<h1>Sandmere Bird Observatory</h1>\n\
        <p>A lighthouse without a light, four kilometres of shingle, and seventy-five years of birds. \
        Someone has walked the \
        spit every morning since 1951 and written down what was there. You are welcome to come along.</p>\n\
        <h2>This spring</h2>\n\
        <p>The first terns came on 11 April. <a href=\"/research/whimbrel-tracking\">The whimbrel study</a> \
        is in its fourth \
        year, and all the data is free to use. The new hide at the sea wall opens on 30 May; read the \
        <a href=\"/press/new-hide\">press release</a>.</p>\n\
        <p><img src=\"/images/whimbrel.png\" alt=\"a whimbrel on the mud\"> \
        <a href=\"/images/whimbrel.png\">Picture of the month</a></p>\n\
        <h2>Look it up</h2>\n\
        <p>Find a bird in the <a href=\"/species/\">list of species</a>, read <a href=\"/log/\">what was \
        seen</a> on any day of \
        May, or choose <a href=\"/hides/\">where to sit</a>. Older links still work: <a \
        href=\"/birds/whimbrel\">whimbrel</a>, \
        <a href=\"/birds/curlew\">curlew</a>. The <a href=\"/leaflet-2019\">leaflet of 2019</a> and \
        <a href=\"/appeal-2024\">the appeal of 2024</a> have had their day.</p>\n\
        <p>Counts for your own work: <a href=\"/data/counts-2025.zip\">all of 2025</a>, \
        <a href=\"/data/readme.txt\">what the columns mean</a>. Volunteers find their week on the \
        <a href=\"/volunteers/rota\">rota</a>.</p>\n";
    let page = Draft::new("Birds of an estuary", main)
        .described("Birds of the Sandmere estuary, counted every day since 1951.");
    site.put("/", FRAME.answer(&page));
    site.put("/index.html", FRAME.answer(&page));
}

fn written_pages(site: &mut SiteSpec) {
    let about = FRAME.answer(&Draft::written(include_str!("prose/observatory-about.md")).below("/", "Home"));
    site.put("/about", about.clone());
    site.put("/about/", about);
    site.put(
        "/visit",
        FRAME.answer(&Draft::written(include_str!("prose/observatory-visit.md")).below("/", "Home")),
    );
    for (name, text) in [
        ("whimbrel-tracking", include_str!("prose/whimbrel-tracking.md")),
        ("ringing-methods", include_str!("prose/ringing-methods.md")),
        ("mudflat-invertebrates", include_str!("prose/mudflat-invertebrates.md")),
    ] {
        let draft = Draft::written(text).below("/", "Home").below("/research/", "Research");
        site.put(format!("/research/{name}"), FRAME.answer(&draft));
    }
    let main = "<h1>Research</h1>\n<p>Counting tells how many. The rest takes longer. Three studies are \
        told here in full; the \
        theses of our students can be read at the <a href=\"{{origin:library}}/history\">library in Mill \
        Lane</a>.</p>\n"
        .to_owned()
        + &link_list([
            ("/research/whimbrel-tracking", "Following whimbrels: a migration tracking study"),
            ("/research/ringing-methods", "How we ring birds"),
            ("/research/mudflat-invertebrates", "What lives in a square metre of mud"),
        ]);
    site.put("/research/", FRAME.answer(&Draft::new("Research", main).below("/", "Home")));
}

fn species(site: &mut SiteSpec, grammar: &Grammar, seed: u64) {
    let mut rows = Vec::new();
    let all: Vec<Vec<&str>> =
        include_str!("prose/species.txt").lines().map(|line| line.split('|').collect()).collect();
    for (number, bird) in all.iter().enumerate() {
        let [name, latin, family, length, status] = bird[..] else { continue };
        let path = format!("/species/{}", slug(name));
        rows.push(vec![
            format!("<a href=\"{path}\">{name}</a>"),
            format!("<i>{latin}</i>"),
            family.to_owned(),
            status.to_owned(),
        ]);
        let mut writer = grammar.writer(Random::of(seed, &path));
        writer.set("bird", name.to_lowercase());
        let facts = [("Latin name", latin), ("Group", family), ("Length", length), ("At Sandmere", status)];
        let facts: Vec<Vec<String>> =
            facts.iter().map(|(key, value)| vec![(*key).to_owned(), (*value).to_owned()]).collect();
        let mut main = format!("<h1>{name}</h1>\n{}", table(&["", name], &facts));
        for heading in ["On the estuary", "Through the year", "From the records"] {
            let sentence_count = writer.random.between(5, 6);
            main.push_str(&format!(
                "<h2>{heading}</h2>\n<p>{}</p>\n",
                escape(&writer.paragraph("habit", sentence_count))
            ));
        }
        if name == "Whimbrel" {
            main.push_str(
                "<p>More about this bird: <a href=\"/research/whimbrel-tracking\">where our \
                whimbrels go</a>.</p>\n",
            );
        }
        let (before, after) =
            (all[(number + all.len() - 1) % all.len()][0], all[(number + 1) % all.len()][0]);
        main.push_str("<h2>Next to it in the list</h2>\n");
        main.push_str(&link_list([before, after].map(|other| (format!("/species/{}", slug(other)), other))));
        let draft = Draft::new(name, main).below("/", "Home").below("/species/", "Species");
        site.put(
            path,
            FRAME.answer(&draft.described(format!("{name} ({latin}) on the Sandmere estuary: {status}."))),
        );
        site.put(format!("/birds/{}", slug(name)), Answer::moved(format!("/species/{}", slug(name))));
    }
    let main = "<h1>Species</h1>\n<p>Forty of the 291 species seen on the spit, those that most people ask \
        about.</p>\n"
        .to_owned()
        + &table(&["bird", "Latin name", "group", "status"], &rows);
    site.put("/species/", FRAME.answer(&Draft::new("List of species", main).below("/", "Home")));
}

fn logs(site: &mut SiteSpec, grammar: &Grammar, seed: u64) {
    let first = Day::new(2026, 5, 1);
    let mut days = Vec::new();
    for number in 0..31 {
        let day = first.plus(number);
        let path = format!("/log/{}", day.iso());
        let mut writer = grammar.writer(Random::of(seed, &path));
        let mut main = format!("<h1>Log of {}</h1>\n", day.long());
        for _ in 0..3 {
            let sentence_count = writer.random.between(4, 5);
            main.push_str(&format!("<p>{}</p>\n", escape(&writer.paragraph("day", sentence_count))));
        }
        let mut birds = grammar.list("other").to_vec();
        writer.random.shuffle(&mut birds);
        let counts: Vec<Vec<String>> = birds
            .iter()
            .take(7)
            .map(|bird| vec![(*bird).to_owned(), writer.random.between(2, 900).to_string()])
            .collect();
        main.push_str(&format!(
            "<h2>Counts of the morning walk</h2>\n{}",
            table(&["bird", "count"], &counts)
        ));
        if number + 1 < 31 {
            main.push_str(&format!(
                "<p><a href=\"/log/{}\" rel=\"next\">Next day</a></p>\n",
                day.plus(1).iso()
            ));
        }
        let mut draft =
            Draft::new(format!("Log of {}", day.long()), main).below("/", "Home").below("/log/", "Daily log");
        draft.published = day.iso();
        site.put(&path, FRAME.answer(&draft));
        days.push((path, day.long()));
    }
    let main = "<h1>Daily log</h1>\n<p>What the morning walk met in May 2026, day by day. Earlier years are \
        on paper, in the \
        lamp room.</p>\n"
        .to_owned()
        + &link_list(days);
    site.put("/log/", FRAME.answer(&Draft::new("Daily log", main).below("/", "Home")));
    site.put("/today", Answer::found("/log/2026-05-31"));
}

fn hides(site: &mut SiteSpec, grammar: &Grammar, seed: u64) {
    for name in HIDES {
        let path = format!("/hides/{}", slug(name));
        let mut writer = grammar.writer(Random::of(seed, &path));
        let main = format!(
            "<h1>{name}</h1>\n<p>{}</p>\n<p>{}</p>\n<p>See also <a href=\"/visit\">when the path is \
             dry</a>.</p>\n",
            escape(&writer.paragraph("hide_text", 5)),
            escape(&writer.paragraph("hide_text", 5))
        );
        site.put(path, FRAME.answer(&Draft::new(name, main).below("/", "Home").below("/hides/", "Hides")));
    }
    let main = "<h1>Hides</h1>\n<p>Eight huts with windows. Doors are never locked; please close them \
        against the wind.</p>\n"
        .to_owned()
        + &link_list(HIDES.map(|name| (format!("/hides/{}", slug(name)), name)));
    site.put("/hides/", FRAME.answer(&Draft::new("Hides", main).below("/", "Home")));
}

fn odd_pages(site: &mut SiteSpec) {
    site.put("/press/new-hide", press_release());
    let main = "<h1>Live view</h1>\n<p>The picture is renewed every minute while there is light.</p>\n\
                <p><img src=\"/images/live.png\" alt=\"\"></p>\n";
    // No aside here: it would name what only links to this page should say.
    let frame = Frame { aside: "", ..FRAME };
    site.put("/camera/", frame.answer(&Draft::new("Live view", main)));
    let mut rota = Draft::new(
        "Rota",
        "<h1>Volunteers' rota</h1>\n<p>First week of June: Priya and Hanneke. Second week: the \
        Danish volunteers. Third week: still open, please sign in the porch.</p>\n<p><a \
        href=\"/volunteers/packing-list\">What to \
        pack</a></p>\n",
    );
    rota.robots = "noindex".to_owned();
    site.put("/volunteers/rota", FRAME.answer(&rota));
    let main = "<h1>What to pack</h1>\n<p>A sleeping bag, boots that have been wet before, a torch, a book \
        you will not finish, \
        and cheese. There is always too little cheese. The stove in the cottage burns driftwood; somebody \
        will show you how. \
        Leave the alarm clock at home, because the oystercatchers begin at four.</p>\n";
    site.put("/volunteers/packing-list", FRAME.answer(&Draft::new("What to pack", main).below("/", "Home")));
    let codes = "<h1>Door codes</h1>\n<p>Staff only. Please ask the warden.</p>\n";
    site.put("/staff/door-codes", FRAME.answer(&Draft::new("Door codes", codes)));
    for path in ["/images/whimbrel.png", "/images/live.png"] {
        site.put(path, Answer::bytes("image/png", PNG));
    }
    site.put("/data/counts-2025.zip", Answer::bytes("application/zip", EMPTY_ZIP));
    let readme = Answer::text(include_str!("prose/data-readme.txt"));
    site.put("/data/readme.txt", readme.with_header("X-Robots-Tag", "noindex"));
    site.put(
        "/appeal-2024",
        Answer::html("<title>Over</title><p>The appeal is over. Thank you.</p>\n").with_status(410),
    );
}

/// The trap: every month has a next one, for ever, and each has many faces by `?view=`.
fn calendar(request: &RequestInfo) -> Answer {
    let parts: Vec<&str> = request.path_only().trim_matches('/').split('/').collect();
    let ["calendar", year, month] = parts[..] else { return Answer::NotFound };
    let (Ok(year), Ok(month)) = (year.parse::<u64>(), month.parse::<u64>()) else { return Answer::NotFound };
    if !(1951..=9999).contains(&year) || !(1..=12).contains(&month) {
        return Answer::NotFound;
    }
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    let next = format!("/calendar/{next_year}/{next_month:02}");
    let name = month_name(month);
    let main = format!(
        "<h1>Calendar for {name} {year}</h1>\n<p>Nothing is planned for {name} {year} beyond the morning \
         walk, which is every \
         day at six.</p>\n<p><a href=\"{next}\" rel=\"next\">Next month</a> <a href=\"{next}?view=week\">by \
         week</a> \
         <a href=\"{next}?view=list\">as a list</a></p>\n"
    );
    FRAME.answer(&Draft::new(format!("Calendar, {name} {year}"), main).below("/", "Home"))
}
