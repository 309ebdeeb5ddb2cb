//! Site `shop`: products under session ids with canonical links, lists under many orders, and a path that
//! grows for ever.

use super::link_list;
use crate::answer::{Answer, RequestInfo, handler};
use crate::layout::{Draft, Frame};
use crate::markup::{escape, table};
use crate::prose::{Grammar, capitalized, slug};
use crate::random::Random;
use crate::web::{Place, SiteSpec};
use std::sync::Arc;

const FRAME: Frame = Frame {
    site_title: "Harbour Museum Shop",
    navigation: &[
        ("/", "Shop"),
        ("/c/books/", "Books"),
        ("/c/clothing/", "Clothing"),
        ("/c/garden/", "Garden"),
        ("/c/home/", "Home"),
        ("/c/instruments/", "Instruments"),
        ("/c/kitchen/", "Kitchen"),
        ("/c/toys/", "Toys"),
        ("/cart", "Basket"),
    ],
    aside: "<p>Free delivery by ferry.</p>",
    footer: "Harbour Museum, Quay Hill 1, Thornby. <a href=\"/delivery\">Delivery</a> &middot; <a \
        href=\"/gallery/\">Gallery</a> &middot; \
             <a href=\"/sale\">Sale</a> &middot; <a href=\"{{origin:news}}/\">The Estuary Courier</a>",
};

const ROBOTS: &str = "User-agent: *
Disallow: /cart
Disallow: /checkout
Disallow: /*?colour=
Disallow: /*&colour=
";

struct Product {
    name: &'static str,
    category: &'static str,
    material: &'static str,
    price: usize,
}

impl Product {
    fn path(&self) -> String {
        format!("/p/{}", slug(self.name))
    }
}

/// The site.
pub(super) fn site(seed: u64) -> SiteSpec {
    let grammar = Grammar::parse(include_str!("prose/shop.grammar"));
    let mut site = SiteSpec::new("shop");
    site.ignored_parameters.insert("sid".to_owned());
    site.put("/robots.txt", Answer::text(ROBOTS));
    let products = products(&grammar, seed);
    for product in &products {
        site.put(product.path(), FRAME.answer(&product_page(product, &products, &grammar, seed)));
    }
    other_pages(&mut site);
    let products = Arc::new(products);
    site.fallback = Some(handler(move |request| list_or_gallery(request, &products)));
    site
}

fn products(grammar: &Grammar, seed: u64) -> Vec<Product> {
    let mut random = Random::of(seed, "shop");
    let read = |line: &&'static str| {
        let mut parts = line.split('|');
        let (name, category, material) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Product { name, category, material, price: random.between(4, 180) })
    };
    grammar.list("product").iter().filter_map(read).collect()
}

fn product_page(product: &Product, products: &[Product], grammar: &Grammar, seed: u64) -> Draft {
    let mut writer = grammar.writer(Random::of(seed, &product.path()));
    writer.set("material", product.material);
    let name = capitalized(product.name);
    let facts = [
        vec!["Price".to_owned(), format!("{}.00", product.price)],
        vec!["Material".to_owned(), product.material.to_owned()],
        vec!["In stock".to_owned(), writer.random.between(0, 40).to_string()],
        vec!["Number".to_owned(), format!("HM-{}", writer.random.between(1000, 9999))],
    ];
    let session = format!("{:08x}", writer.random.next() as u32);
    let similar: Vec<&Product> = products
        .iter()
        .filter(|other| other.category == product.category && other.name != product.name)
        .take(4)
        .collect();
    let main = format!(
        "<h1>{}</h1>\n<p><img src=\"/images/shop.png\" alt=\"{}\"></p>\n<p>{}</p>\n{}<h2>About \
         it</h2>\n<p>{}</p>\n<h2>Goes with</h2>\n{}\
         <p><a href=\"/cart?add={}\">Put it into the basket</a></p>\n",
        escape(&name),
        escape(product.name),
        escape(&writer.paragraph("text", 6)),
        table(&["", "details"], &facts),
        escape(&writer.paragraph("text", 6)),
        link_list(
            similar.iter().map(|other| (format!("{}?sid={session}", other.path()), capitalized(other.name)))
        ),
        slug(product.name)
    );
    let mut draft = Draft::new(name, main)
        .below("/", "Shop")
        .below(&format!("/c/{}/", product.category), &capitalized(product.category));
    draft.canonical = Place::new("shop", product.path()).placeholder();
    draft.description = format!(
        "{}, made of {}, from the shop of the Harbour Museum.",
        capitalized(product.name),
        product.material
    );
    draft
}

fn other_pages(site: &mut SiteSpec) {
    let main = "<h1>Harbour Museum Shop</h1>\n<p>Things from the harbour and for it: bells, kettles, maps, \
        and a puffin on wheels. Most are \
        made within sight of the ferry.</p>\n<p>New: the <a href=\"/p/tide-clock-for-the-wall\">tide \
        clock</a> and the \
        <a href=\"/p/card-game-of-wading-birds?sid=5ea5ide0\">card game of wading birds</a>, drawn for the \
        <a href=\"{{origin:observatory}}/\">observatory</a>. No longer to be had: the <a \
        href=\"/p/lucky-anchor\">lucky anchor</a> and the \
        <a href=\"/p/glass-float\">glass float</a>.</p>\n";
    let home = FRAME.answer(
        &Draft::new("Bells, kettles, maps", main).described("The shop of the Harbour Museum in Thornby."),
    );
    site.put("/", home.clone());
    site.put("/index.html", home);
    let main = "<h1>Delivery</h1>\n<p>By ferry to Quillby and Halsand free of charge, by cart within \
        Thornby, by post anywhere else. Parcels leave \
        on Tuesdays and Fridays with the first boat. What arrives broken is mended or replaced; what \
        arrives whole and is not liked may be \
        exchanged within a month, soap excepted.</p>\n";
    site.put("/delivery", FRAME.answer(&Draft::new("Delivery", main).below("/", "Shop")));
    site.put(
        "/p/glass-float",
        Answer::html("<title>Gone</title><p>Sold out for good.</p>\n").with_status(410),
    );
    site.put("/sale", Answer::Redirect { status: 307, location: "/c/home/?sort=price".to_owned() });
    site.put(
        "/cart",
        FRAME.answer(&Draft::new(
            "Basket",
            "<h1>Basket</h1>\n<p>Empty, for now.</p>\n<p><a href=\"/checkout\">Pay</a></p>\n",
        )),
    );
    site.put(
        "/checkout",
        FRAME.answer(&Draft::new("Pay", "<h1>Pay</h1>\n<p>There is nothing to pay for.</p>\n")),
    );
    site.put("/images/shop.png", Answer::bytes("image/png", super::observatory::PNG));
}

fn list_or_gallery(request: &RequestInfo, products: &[Product]) -> Answer {
    let path = request.path_only();
    if path == "/cart" {
        return FRAME.answer(&Draft::new("Basket", "<h1>Basket</h1>\n<p>One thing in it.</p>\n"));
    }
    if path == "/gallery/" || path.starts_with("/gallery/") && path.ends_with("/more/") {
        return gallery(path);
    }
    let Some(category) = path.strip_prefix("/c/").and_then(|rest| rest.strip_suffix('/')) else {
        return Answer::NotFound;
    };
    let mut shown: Vec<&Product> = products.iter().filter(|product| product.category == category).collect();
    let query = request.query().unwrap_or("");
    match query {
        "sort=price" => shown.sort_by_key(|product| (product.price, product.name)),
        "sort=name" => shown.sort_by_key(|product| product.name),
        _ => {}
    }
    if shown.is_empty() {
        return Answer::NotFound;
    }
    let session = format!("{:08x}", crate::random::fingerprint(request.path.as_bytes()) as u32);
    let rows: Vec<Vec<String>> = shown
        .iter()
        .map(|product| {
            vec![
                format!(
                    "<a href=\"{}?sid={session}\">{}</a>",
                    product.path(),
                    escape(&capitalized(product.name))
                ),
                format!("{}.00", product.price),
            ]
        })
        .collect();
    let main = format!(
        "<h1>{}</h1>\n<p>By <a href=\"?sort=price\">price</a> or <a href=\"?sort=name\">name</a>; only <a \
         href=\"?colour=blue\">blue</a>, \
         <a href=\"?colour=red\">red</a> or <a href=\"?colour=green\">green</a> things.</p>\n{}",
        capitalized(category),
        table(&["thing", "price"], &rows)
    );
    FRAME.answer(&Draft::new(capitalized(category), main).below("/", "Shop"))
}

/// The trap: a relative link that adds a step to the path each time it is followed.
fn gallery(path: &str) -> Answer {
    let depth = path.matches("more/").count();
    let main = format!(
        "<h1>Gallery, room {}</h1>\n<p>Pictures of things in use, sent in by customers: a bell on a \
         balcony, a kettle on a moor, socks.</p>\n\
         <p><a href=\"more/\">More pictures</a></p>\n",
        depth + 1
    );
    FRAME.answer(&Draft::new("Gallery", main).below("/", "Shop"))
}
