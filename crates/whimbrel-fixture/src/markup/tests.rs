use super::*;

#[test]
fn a_page_has_fields_a_title_and_blocks() {
    let page = Document::parse(
        "author: A B\npublished: 2026-01-02\n\n# Tea & *time*\n\nOne **two**\nthree [four](/x?a=1&b=2).\n\n## Next\n\n- a\n- `b`\n\n1. c\n2. d\n\n> said\n",
    );
    assert_eq!(page.title, "Tea & *time*");
    assert_eq!(
        (page.field("author"), page.field("published"), page.field("none")),
        ("A B", "2026-01-02", "")
    );
    assert_eq!(
        page.html,
        "<h1>Tea &amp; *time*</h1>\n<p>One <strong>two</strong> three <a href=\"/x?a=1&amp;b=2\">four</a>.</p>\n<h2>Next</h2>\n\
         <ul>\n<li>a</li>\n<li><code>b</code></li>\n</ul>\n<ol>\n<li>c</li>\n<li>d</li>\n</ol>\n<blockquote><p>said</p></blockquote>\n"
    );
}

#[test]
fn tables_and_code_blocks_keep_their_shape() {
    let page =
        Document::parse("\n# T\n\n| a | b |\n|---|---|\n| 1 | [2](/2) |\n\n```\nx < y\n\n*z*\n```\n\nend\n");
    assert_eq!(
        page.html,
        "<h1>T</h1>\n<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td><a href=\"/2\">2</a></td></tr>\n</table>\n\
         <pre><code>x &lt; y\n\n*z*</code></pre>\n<p>end</p>\n"
    );
}

#[test]
fn marks_without_a_partner_and_brackets_without_a_target_stay_as_they_are() {
    let page = Document::parse("\n# T\n\n2 * 3 [see] there\n");
    assert!(page.html.ends_with("<p>2 * 3 [see] there</p>\n"));
}
