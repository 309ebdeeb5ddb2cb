//! CDXJ: one line per response or revisit record, sorted by reversed host name and time, as replay tools read it.

use super::super::Answerer;
use super::write_whole;
use anyhow::{Context, Result};
use serde_json::json;
use std::fs::File;
use std::path::Path;
use whimbrel_store::warc::{WarcReader, WarcRecord, header_value, split_message};

/// Writes the index; damaged records are named, not fatal.
pub fn write(answerer: &Answerer, output: &Path) -> Result<(u64, Vec<String>)> {
    let mut lines = Vec::new();
    let mut problems = Vec::new();
    for (_, path) in answerer.store.warc_files() {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let file = File::open(&path).with_context(|| format!("opening {}", path.display()))?;
        for record in WarcReader::new(file).with_context(|| format!("reading {}", path.display()))? {
            match record {
                Ok(record) => lines.extend(line(&record, &name)),
                Err(bad) => problems.push(format!("{name} at byte {}: {}", bad.offset, bad.what)),
            }
        }
    }
    lines.sort_unstable();
    let count = lines.len() as u64;
    write_whole(output, |out| {
        for line in &lines {
            out.write_all(line.as_bytes())?;
            out.write_all(b"\n")?;
        }
        Ok(())
    })?;
    Ok((count, problems))
}

fn line(record: &WarcRecord, file: &str) -> Option<String> {
    if !matches!(record.kind(), "response" | "revisit") {
        return None;
    }
    let url = record.target()?;
    let digits: String = record.header("WARC-Date")?.chars().filter(char::is_ascii_digit).take(14).collect();
    let (head, _) = split_message(&record.block);
    let status =
        head.split(|b| *b == b' ').nth(1).and_then(|s| std::str::from_utf8(s).ok()).unwrap_or("-").trim();
    let mime = match record.kind() {
        "revisit" => "warc/revisit".to_owned(),
        _ => header_value(head, "content-type")
            .map(|value| {
                String::from_utf8_lossy(value).split(';').next().unwrap_or("").trim().to_ascii_lowercase()
            })
            .filter(|mime| !mime.is_empty())
            .unwrap_or_else(|| "unk".into()),
    };
    let fields = json!({
        "url": url,
        "mime": mime,
        "status": status,
        "digest": record.header("WARC-Payload-Digest").unwrap_or("-"),
        "length": record.length.to_string(),
        "offset": record.offset.to_string(),
        "filename": file,
    });
    Some(format!("{} {digits} {fields}", surt(url)))
}

/// `http://www.example.org:8080/a?b` → `org,example)/a?b` in the way of replay tools: host reversed, `www.` dropped,
/// lower case.
fn surt(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let cut = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(cut);
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => {
            (host.to_owned(), format!(":{port}"))
        }
        _ => (authority, String::new()),
    };
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let is_address = host.starts_with('[') || host.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let reversed = if is_address { host.to_owned() } else { host.rsplit('.').collect::<Vec<_>>().join(",") };
    format!("{reversed}{port}){}", path.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::surt;

    #[test]
    fn hosts_are_reversed_and_addresses_are_not() {
        for (url, key) in [
            ("https://www.Example.org/A?b=C", "org,example)/a?b=c"),
            ("http://docs.example.org:8080/", "org,example,docs:8080)/"),
            ("http://127.0.0.1:4000/x", "127.0.0.1:4000)/x"),
        ] {
            assert_eq!(surt(url), key);
        }
    }
}
