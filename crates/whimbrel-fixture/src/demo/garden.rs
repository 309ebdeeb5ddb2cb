//! Site `garden`: a private notebook. Small, slow by its own wish, and home of the odd ones: plain text, an
//! empty page, a page that refreshes to another, copies of what stands elsewhere.

use super::{link_list, press_release};
use crate::answer::Answer;
use crate::layout::{Draft, Frame};
use crate::markup::escape;
use crate::prose::Grammar;
use crate::random::Random;
use crate::web::SiteSpec;

const FRAME: Frame = Frame {
    site_title: "Ines Calder's notebook",
    navigation: &[("/", "Notebook"), ("/links", "Links"), ("/guestbook", "Guestbook")],
    aside: "",
    footer: "Written by hand, then typed. <a href=\"/private/letters\">Letters</a>",
};

const ROBOTS: &str = "# Please take your time.
User-agent: *
Crawl-delay: 1
Disallow: /private/
";

const WRITTEN: [(&str, &str, &str); 4] = [
    ("tea", "Tea out of doors", include_str!("prose/garden-tea.md")),
    ("listening", "Learning to listen", include_str!("prose/garden-listening.md")),
    ("maps", "The same map again", include_str!("prose/garden-maps.md")),
    ("zh", "河口的茶", include_str!("prose/garden-zh.md")),
];

const MONTHS: [&str; 5] = ["January", "February", "March", "April", "May"];

/// The site.
pub(super) fn site(seed: u64) -> SiteSpec {
    let grammar = Grammar::parse(include_str!("prose/notes.grammar"));
    let mut site = SiteSpec::new("garden");
    site.put("/robots.txt", Answer::text(ROBOTS));
    for (name, _, text) in WRITTEN {
        site.put(format!("/notes/{name}"), FRAME.answer(&Draft::written(text).below("/", "Notebook")));
    }
    for month in MONTHS {
        let path = format!("/notes/{}", month.to_lowercase());
        let mut writer = grammar.writer(Random::of(seed, &path));
        let mut main = format!("<h1>{month}</h1>\n");
        for _ in 0..5 {
            main.push_str(&format!("<p>{}</p>\n", escape(&writer.paragraph("note", 4))));
        }
        site.put(
            path,
            FRAME.answer(&Draft::new(format!("{month}, in passing"), main).below("/", "Notebook")),
        );
    }
    let notes = WRITTEN.iter().map(|(name, title, _)| (format!("/notes/{name}"), (*title).to_owned()));
    let months = MONTHS
        .iter()
        .map(|month| (format!("/notes/{}", month.to_lowercase()), format!("{month}, in passing")));
    let main = format!(
        "<h1>Notebook</h1>\n<p>I live at the end of Spit Road with a barometer and no car. These are notes, \
         not opinions.</p>\n{}\
         <p>Also a <a href=\"/poem.txt\">poem</a>, an <a href=\"/empty\">empty page</a>, and my <a \
         href=\"/old-home\">old front door</a>.</p>\n",
        link_list(notes.chain(months))
    );
    site.put(
        "/",
        FRAME.answer(&Draft::new("Notebook", main).described("The notebook of Ines Calder, Spit Road.")),
    );
    odd_pages(&mut site);
    site
}

fn odd_pages(site: &mut SiteSpec) {
    let main = "<h1>Links</h1>\n<p>People and places I like.</p>\n".to_owned()
        + &link_list([
            ("{{origin:observatory}}/", "The bird observatory"),
            (
                "{{origin:observatory}}/research/whimbrel-tracking",
                "The whimbrel study, which keeps me awake in May",
            ),
            ("{{origin:observatory}}/camera/", "The osprey nest, live by camera"),
            ("{{origin:library}}/index.html", "The library in Mill Lane"),
            ("{{origin:manual}}/", "A program for queues, of all things"),
            ("{{origin:shop}}/p/tin-kettle-for-two?sid=0ddba11", "The kettle"),
            ("{{origin:news}}/index.html", "The paper"),
            ("/mirror/new-hide", "My copy of the press release about the hide"),
            ("/mirror/tarn-changelog.txt", "My copy of a changelog I admire"),
            ("/webring/next", "Next in the ring"),
        ]);
    site.put("/links", FRAME.answer(&Draft::new("Links", main).below("/", "Notebook")));
    let main = "<h1>Guestbook</h1>\n<p><b>Hanneke:</b> The gate squeaks. I like it.</p>\n<p><b>A \
        stranger:</b> Best prices for \
        <a rel=\"ugc nofollow\" href=\"/guestbook/go?to=moorings\">moorings</a>!</p>\n<p><b>Mr Strand:</b> \
        You have my ladder.</p>\n";
    site.put("/guestbook", FRAME.answer(&Draft::new("Guestbook", main).below("/", "Notebook")));
    site.put("/guestbook/go?to=moorings", Answer::found("{{origin:news}}/sponsored/moorings"));
    site.put(
        "/private/letters",
        FRAME.answer(&Draft::new("Letters", "<h1>Letters</h1>\n<p>Not for you.</p>\n")),
    );
    site.put("/poem.txt", Answer::text(include_str!("prose/poem.txt")));
    site.put("/empty", Answer::html(""));
    site.put(
        "/old-home",
        Answer::html(
            "<!DOCTYPE html>\n<meta http-equiv=\"refresh\" content=\"0; \
        url=/\">\n<title>Moved</title>\n<p>I have moved.</p>\n",
        ),
    );
    site.put("/mirror/new-hide", press_release());
    site.put("/mirror/tarn-changelog.txt", Answer::text(include_str!("prose/changelog.txt")));
}
