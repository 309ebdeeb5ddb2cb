use crate::limits::ParseLimits;
use crate::parse::{ParseInput, parse};
use whimbrel_types::{CanonicalUrl, LowValue};

fn judge(url: &str, content_type: &str, body: &str) -> Option<LowValue> {
    let url = CanonicalUrl::from_canonical(url).expect("a canonical URL");
    let input = ParseInput {
        url: &url,
        content_type: Some(content_type),
        body: body.as_bytes(),
        x_robots_tag: &[],
        agent: "whimbrel",
    };
    parse(&input, &ParseLimits::default()).low_value
}

fn html(body: &str) -> Option<LowValue> {
    judge("http://e.com/p/7", "text/html; charset=utf-8", body)
}

/// A month as most programs draw it, each day a link.
fn month(name: &str, weeks_numbered: bool) -> String {
    let mut rows = String::new();
    for week in 0..5 {
        rows.push_str("<tr>");
        if weeks_numbered {
            rows.push_str(&format!("<th>{}</th>", 31 + week));
        }
        for day in week * 7 + 1..=(week * 7 + 7).min(31) {
            rows.push_str(&format!("<td><a href=/day/{day}>{day}</a></td>"));
        }
        rows.push_str("</tr>");
    }
    format!(
        "<table><caption>{name}</caption><tr><th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su</tr>{rows}</table>"
    )
}

const ARTICLE: &str = "<article><h1>Waders</h1><p>The whimbrel breeds in the north of Europe, on moors and tundra, and spends \
the winter on coasts far to the south. It eats crabs, worms and berries, which it finds by sight.</p></article>";

#[test]
fn grids_of_days_are_calendars() {
    let navigation = "<a href=/2026/10>October</a> <a href=/2026/12>December</a>";
    assert_eq!(
        html(&format!("<h1>November</h1>{navigation}{}", month("November", false))),
        Some(LowValue::Calendar)
    );
    assert_eq!(html(&month("August", true)), Some(LowValue::Calendar));
    let year: String = ["January", "February", "March"].map(|name| month(name, false)).concat();
    assert_eq!(html(&year), Some(LowValue::Calendar));
    let list: String = (1..=30).map(|day| format!("<li><a href=?d={day}>{day}</a> no events</li>")).collect();
    assert_eq!(html(&format!("<h1>June</h1><ul>{list}</ul>")), Some(LowValue::Calendar));
}

#[test]
fn a_page_with_a_calendar_beside_its_text_is_a_page() {
    assert_eq!(html(&format!("{ARTICLE}<aside>{}</aside>", month("May", false))), None);
    let listed: String = (1..=30)
        .map(|n| format!("<li>{n} A longer description of the item that has this number</li>"))
        .collect();
    assert_eq!(html(&format!("<ul>{listed}</ul>")), None);
    let short: String = (1..=20).map(|n| format!("<td>{n}")).collect();
    assert_eq!(html(&format!("<table><tr>{short}</table>")), None);
}

#[test]
fn columns_of_numbers_are_data_series() {
    let rows: String = (0..150)
        .map(|i| format!("<tr><td>2024-01-{:02}<td>{}.{}<td>-{i}e-3</tr>", i % 28 + 1, i * 7, i % 10))
        .collect();
    assert_eq!(
        html(&format!("<h1>Station 12</h1><table><tr><th>date<th>level<th>error{rows}</table>")),
        Some(LowValue::DataSeries)
    );
    let csv: String = (0..200).map(|i| format!("{},{},{}\n", i, i * i, i % 7)).collect();
    assert_eq!(judge("http://e.com/d.csv", "text/csv", &format!("t,x,y\n{csv}")), Some(LowValue::DataSeries));
}

#[test]
fn tables_with_names_are_pages() {
    let rows: String = (0..300).map(|i| format!("<tr><td>Item number {i}<td>{}</tr>", i * 3)).collect();
    assert_eq!(html(&format!("<table>{rows}</table>")), None);
    let few: String = (0..50).map(|i| format!("<td>{i}.5")).collect();
    assert_eq!(html(&format!("<table><tr>{few}</table>")), None);
}

#[test]
fn counters_lead_to_their_next_value() {
    assert_eq!(html("<p>Page 7</p><a href=8>next</a>"), Some(LowValue::Counter));
    assert_eq!(
        judge("http://e.com/c?n=0099", "text/html", "<p>Count: 99</p><a href='?n=0100'>+1</a>"),
        Some(LowValue::Counter)
    );
    assert_eq!(html("<p>Page 7</p><a href=9>next</a>"), None);
    assert_eq!(html("<p>Nothing here</p><a href=8>next</a>"), None);
    assert_eq!(html(&format!("{ARTICLE}<p>Page 7</p><a href=8>next</a>")), None);
}

#[test]
fn empty_pages_are_not_judged() {
    assert_eq!(html(""), None);
    assert_eq!(judge("http://e.com/1", "text/plain", ""), None);
}
