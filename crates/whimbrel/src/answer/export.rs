//! `export`: the collection in forms others read: JSON lines, the WARC files, a CDXJ index of them, a sitemap.
//! Files appear whole: written beside their place and renamed.

mod cdxj;

use super::explain::urls_of;
use super::{Answerer, Question};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use whimbrel_types::{PageVersion, UrlRecord};

pub fn export(answerer: &Answerer, question: &Question) -> Result<Value> {
    let output = PathBuf::from(question.need("output")?);
    if !output.is_absolute() {
        bail!("the output path must be absolute");
    }
    // What was submitted before is in the export.
    answerer.store.flush().context("committing what waits")?;
    let (rows, problems) = match question.need("format")? {
        "jsonl" => (write_whole(&output, |out| jsonl(answerer, out))?, Vec::new()),
        "sitemap" => (write_whole(&output, |out| sitemap(answerer, out))?, Vec::new()),
        "cdxj" => cdxj::write(answerer, &output)?,
        "warc" => (warc(answerer, &output)?, Vec::new()),
        other => bail!("there is no export format {other:?}; there are jsonl, warc, cdxj, sitemap"),
    };
    Ok(json!({ "output": output.display().to_string(), "rows": rows, "problems": problems }))
}

/// Rows are pages: every URL with a stored version.
fn jsonl(answerer: &Answerer, out: &mut dyn Write) -> Result<u64> {
    each_page(answerer, |row, page| {
        let key = row.key();
        let content = answerer.store.content(&key)?.unwrap_or_default();
        let mut met = std::collections::BTreeSet::new();
        let links = answerer.store.links(&key)?.into_iter().map(|link| link.target.to_string());
        let links: Vec<String> = links.filter(|target| met.insert(target.clone())).collect();
        let line = json!({
            "url": row.url.as_str(),
            "final_url": row.url.as_str(),
            "status": page.status,
            "fetched_at": page.fetched_at.to_string(),
            "content_type": page.content_type,
            "digest": page.content_hash.to_string(),
            "title": content.title,
            "text": content.text,
            "language": content.language,
            "author": content.author,
            "published": content.published.map(|at| at.to_string()),
            "modified": content.modified.or(page.last_modified).map(|at| at.to_string()),
            "depth": row.depth,
            "bytes": page.body_bytes,
            "truncated": page.truncated,
            "links": links,
            "aliases": urls_of(answerer, &answerer.store.aliases(&key)?)?,
            "versions": row.versions,
        });
        serde_json::to_writer(&mut *out, &line)?;
        Ok(out.write_all(b"\n")?)
    })
}

fn sitemap(answerer: &Answerer, out: &mut dyn Write) -> Result<u64> {
    out.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n")?;
    let count = each_page(answerer, |row, page| {
        let url = row.url.as_str().replace('&', "&amp;").replace('\'', "&apos;").replace('<', "&lt;");
        let changed = row.last_change.unwrap_or(page.fetched_at);
        Ok(writeln!(out, "<url><loc>{url}</loc><lastmod>{changed}</lastmod></url>")?)
    })?;
    out.write_all(b"</urlset>\n")?;
    Ok(count)
}

fn each_page(
    answerer: &Answerer,
    mut take: impl FnMut(&UrlRecord, &PageVersion) -> Result<()>,
) -> Result<u64> {
    let mut count = 0;
    for row in answerer.store.all_urls() {
        let row = row.context("reading the URL table")?;
        if row.versions == 0 || row.representative.is_some() {
            continue;
        }
        if let Some(page) = answerer.store.page(&row.key())? {
            take(&row, &page)?;
            count += 1;
        }
    }
    Ok(count)
}

/// The files themselves, copied into a directory.
fn warc(answerer: &Answerer, output: &Path) -> Result<u64> {
    std::fs::create_dir_all(output).with_context(|| format!("creating {}", output.display()))?;
    let mut count = 0;
    for (_, path) in answerer.store.warc_files() {
        let name = path.file_name().context("a WARC file has a name")?;
        let target = output.join(name);
        let fresh = output.join(format!(".{}.new", name.to_string_lossy()));
        std::fs::copy(&path, &fresh)
            .with_context(|| format!("copying {} to {}", path.display(), fresh.display()))?;
        std::fs::rename(&fresh, &target).with_context(|| format!("renaming {}", fresh.display()))?;
        count += 1;
    }
    Ok(count)
}

/// Writes a file beside its place, then puts it there.
pub fn write_whole<T>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<T>) -> Result<T> {
    let name = path.file_name().with_context(|| format!("{} names no file", path.display()))?;
    let fresh = path.with_file_name(format!(".{}.new", name.to_string_lossy()));
    let result = (|| {
        let file = File::create(&fresh).with_context(|| format!("creating {}", fresh.display()))?;
        let mut out = BufWriter::new(file);
        let value = fill(&mut out)?;
        out.flush().with_context(|| format!("writing {}", fresh.display()))?;
        std::fs::rename(&fresh, path).with_context(|| format!("renaming {}", fresh.display()))?;
        Ok(value)
    })();
    if result.is_err() {
        let _ = std::fs::remove_file(&fresh);
    }
    result
}
