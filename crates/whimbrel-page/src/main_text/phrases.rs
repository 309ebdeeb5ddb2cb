//! Words by which sections and lines that are no part of an article announce themselves, in the languages that most
//! pages are written in. Only beginnings of short blocks are compared, so a sentence about comments is no comment
//! section. Never decides alone: `sections` also looks at what follows.

/// A heading that opens a list of other pages, whatever stands below it.
pub(super) fn opens_other_pages(text: &str) -> bool {
    begins_with_any(text, OTHER_PAGES)
}

/// A heading that may open a list of other pages, a form or the readers' part: what stands below decides.
pub(super) fn may_open_extras(text: &str) -> bool {
    begins_with_any(text, EXTRAS)
}

/// A line that asks the reader for something.
pub(super) fn asks_reader(text: &str) -> bool {
    let text = text.to_lowercase();
    REQUESTS.iter().any(|phrase| text.contains(phrase))
}

/// A line about who wrote the text.
pub(super) fn begins_byline(text: &str) -> bool {
    begins_with_any(text, BYLINES)
}

/// Longest beginning that is looked at.
const START_BYTES_MAX: usize = 80;

fn begins_with_any(text: &str, phrases: &[&str]) -> bool {
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let start = crate::text_buffer::cut(start, START_BYTES_MAX).to_lowercase().replace('\u{2019}', "'");
    phrases.iter().any(|phrase| {
        start.strip_prefix(phrase).is_some_and(|rest| {
            // The phrase ends where a word ends; scripts without spaces have no such place.
            !phrase.ends_with(|c: char| c < '\u{0E00}') || !rest.starts_with(char::is_alphanumeric)
        })
    })
}

const OTHER_PAGES: &[&str] = &[
    // English
    "you may also like", "you might also like", "you may like", "you might like", "you may also be interested",
    "you might be interested", "you might also be interested", "recommended for you", "recommended articles",
    "recommended stories", "recommended reading", "related articles", "related stories", "related posts",
    "related news", "related content", "related topics", "related coverage", "related links", "related items",
    "related videos", "related reading", "more from", "more stories", "more news", "more articles", "more great",
    "more must", "more on this story", "more like this", "more top stories", "read next", "up next",
    "what to read next", "read more", "read also", "also read", "most popular", "most read", "most viewed",
    "most shared", "popular posts", "popular articles", "popular stories", "popular now", "trending now",
    "trending stories", "latest news", "latest stories", "latest articles", "latest posts", "our latest stories",
    "recent posts", "recent articles", "recent stories", "top stories", "editors' picks", "editor's picks",
    "don't miss", "around the web", "from around the web", "from the web", "promoted stories", "promoted content",
    "sponsored content", "sponsored stories", "other stories", "other news", "keep reading", "similar posts",
    "similar articles", "similar stories", "in case you missed it", "also on",
    // German
    "das könnte sie", "das könnte dich", "das könnte ihnen", "mehr zum thema", "zum thema", "lesen sie auch",
    "lesen sie mehr", "auch interessant", "weitere artikel", "weitere nachrichten", "weitere themen",
    "ähnliche artikel", "ähnliche beiträge", "verwandte artikel", "verwandte themen", "verwandte beiträge",
    "meistgelesen", "mehr aus", "mehr von",
    // French
    "lire aussi", "à lire aussi", "a lire aussi", "lire également", "sur le même sujet", "sur le même thème",
    "articles liés", "articles similaires", "articles connexes", "vous aimerez", "vous pourriez aimer",
    "les plus lus", "les plus populaires", "à lire également", "dans la même rubrique", "plus d'articles",
    // Spanish
    "te puede interesar", "te podría interesar", "también te puede", "también te podría", "le puede interesar",
    "lea también", "lee también", "leer también", "lea además", "artículos relacionados", "noticias relacionadas",
    "contenido relacionado", "más noticias", "lo más leído", "lo más visto", "las más leídas", "no te pierdas",
    // Portuguese
    "você pode gostar", "você também pode", "talvez você goste", "leia também", "leia mais", "veja também",
    "notícias relacionadas", "artigos relacionados", "matérias relacionadas", "posts relacionados",
    "conteúdo relacionado", "mais lidas", "mais lidos", "as mais lidas", "saiba mais", "mais notícias",
    // Italian
    "leggi anche", "potrebbe interessarti", "potrebbero interessarti", "ti potrebbe", "ti potrebbero",
    "articoli correlati", "notizie correlate", "i più letti", "articoli simili",
    // Dutch, Danish, Norwegian, Swedish, Finnish
    "lees ook", "lees meer", "gerelateerde", "meest gelezen", "læs også", "les også", "läs också", "läs även",
    "läs mer", "relaterade", "relaterte", "relaterede", "mest læste", "mest lest", "mest läst", "lue myös",
    "lue lisää",
    // Polish, Czech, Slovak, Hungarian, Romanian, Croatian
    "czytaj także", "czytaj też", "czytaj również", "zobacz także", "zobacz też", "zobacz również", "przeczytaj",
    "podobne artykuły", "podobne wpisy", "powiązane", "najczęściej czytane", "čtěte také", "čtěte též",
    "související články", "související", "mohlo by vás", "prečítajte si", "kapcsolódó", "ajánlott cikkek",
    "olvasta már", "ez is érdekelheti", "citește și", "citeste si", "articole similare", "pročitajte i",
    "povezane vijesti", "vezani članci",
    // Russian, Ukrainian, Bulgarian
    "читайте также", "читать также", "смотрите также", "похожие", "материалы по теме", "по теме", "ещё по теме",
    "еще по теме", "самые популярные", "популярные", "самое читаемое", "рекомендуем", "другие новости",
    "новости по теме", "вам может", "читайте також", "схожі", "популярні", "матеріали за темою", "вижте още",
    "прочетете още", "свързани",
    // Greek, Turkish, Indonesian, Vietnamese
    "διαβάστε επίσης", "διαβάστε ακόμα", "σχετικά άρθρα", "ilgili haberler", "ilgili yazılar", "bunlar da ilginizi",
    "ilginizi çekebilir", "baca juga", "artikel terkait", "berita terkait", "artikel lainnya", "xem thêm",
    "bài viết liên quan", "tin liên quan",
    // Arabic, Persian, Hebrew, Hindi, Thai
    "اقرأ أيضا", "اقرأ أيضًا", "اقرأ المزيد", "مواضيع ذات صلة", "مقالات ذات صلة", "أخبار ذات صلة", "مطالب مرتبط",
    "اخبار مرتبط", "קראו גם", "כתבות נוספות", "यह भी पढ़ें", "इसे भी पढ़ें", "เรื่องที่เกี่ยวข้อง", "ข่าวที่เกี่ยวข้อง", "บทความที่เกี่ยวข้อง",
    // Chinese, Japanese, Korean
    "相关阅读", "相关文章", "相关新闻", "相关推荐", "推荐阅读", "延伸阅读", "猜你喜欢", "热门文章", "热门推荐", "更多精彩",
    "相關文章", "相關新聞", "延伸閱讀", "推薦閱讀", "熱門文章", "関連記事", "関連ニュース", "おすすめ記事", "人気記事",
    "あわせて読みたい", "こちらもおすすめ", "관련기사", "관련 기사", "인기기사", "인기 기사", "추천기사", "추천 기사",
];

const EXTRAS: &[&str] = &[
    "related", "recommended", "trending", "see more", "more:", "comments", "comment",
    "leave a comment", "leave a reply", "post a comment", "add a comment", "join the conversation", "discussion",
    "share", "share this", "share on", "tags", "filed under", "categories", "topics", "about the author", "newsletter",
    "subscribe", "sign up", "follow", "follow us", "advertisement", "sponsored", "read:", "watch:", "listen:",
    "kommentare", "teilen", "schlagwörter", "kommentieren", "über den autor", "commentaires", "partager", "mots-clés",
    "comentarios", "compartir", "comparte", "etiquetas", "relacionado", "relacionados", "comentários",
    "compartilhe", "compartilhar", "commenti", "condividi", "reacties", "delen", "kommentarer", "komentarze",
    "udostępnij", "tagi", "komentáře", "hozzászólások", "comentarii", "комментарии", "отзывы", "поделиться", "теги",
    "метки", "коментарі", "σχόλια", "yorumlar", "paylaş", "etiketler", "komentar", "bình luận", "التعليقات", "تعليقات",
    "评论", "分享", "标签", "責任編集", "责任编辑", "コメント", "シェア", "タグ", "댓글",
];

const REQUESTS: &[&str] = &[
    "sign up for", "subscribe to", "click here to subscribe", "click here to sign", "by clicking here", "follow us on", "follow him on",
    "follow her on", "share this", "like this story?", "delivered to your inbox", "to your inbox", "our newsletter",
    "download our app", "download the app", "join our", "get the latest", "all rights reserved", "donate to",
    "support our", "unseren newsletter", "abonnieren sie", "folgen sie uns", "abonnez-vous", "suivez-nous",
    "suscríbete", "suscríbase", "síguenos", "inscreva-se", "assine", "siga-nos", "iscriviti", "seguici",
    "подпишитесь", "подписывайтесь", "підпишіться", "zapisz się", "abonneer", "prenumerera",
];

const BYLINES: &[&str] = &[
    "by", "written by", "posted by", "published by", "author", "posted on", "published on", "published", "updated",
    "last updated", "last modified", "posted", "von", "veröffentlicht", "aktualisiert", "par", "publié", "mis à jour",
    "por", "publicado", "actualizado", "atualizado", "di", "pubblicato", "aggiornato", "door", "geplaatst", "автор",
    "опубликовано", "обновлено", "autor", "opublikowano", "作者", "来源", "發布", "发布时间",
];

#[cfg(test)]
mod tests;
