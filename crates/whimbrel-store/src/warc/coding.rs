//! Undoing HTTP content codings (RFC 9110 §8.4) of stored bodies, never past a limit.

use std::io::Read;

/// Undoes `content_encoding` (a comma-separated list, applied in order) on `body`. What a cut-off body still yields is
/// returned; a coding that is not known, or a body that is not of that coding, is an error in words.
/// The result is never longer than `bytes_max`.
pub fn undo_content_coding(content_encoding: &str, body: &[u8], bytes_max: usize) -> Result<Vec<u8>, String> {
    let mut current = body.to_vec();
    for coding in content_encoding.rsplit(',') {
        let coding = coding.trim().to_ascii_lowercase();
        current = match coding.as_str() {
            "" | "identity" => current,
            // Nothing is nothing in every coding; servers send it so.
            _ if current.is_empty() => current,
            "gzip" | "x-gzip" => {
                read(flate2::bufread::MultiGzDecoder::new(&current[..]), &coding, bytes_max)?
            }
            "deflate" => inflate(&current, bytes_max)?,
            "br" => read(brotli_decompressor::Decompressor::new(&current[..], 4096), &coding, bytes_max)?,
            "zstd" => {
                let decoder = zstd::stream::read::Decoder::new(&current[..]).map_err(|e| e.to_string())?;
                read(decoder, &coding, bytes_max)?
            }
            other => return Err(format!("unknown content coding {other:?}")),
        };
    }
    current.truncate(bytes_max);
    Ok(current)
}

/// `deflate` is zlib by the letter and raw deflate in the wild.
fn inflate(body: &[u8], bytes_max: usize) -> Result<Vec<u8>, String> {
    read(flate2::bufread::ZlibDecoder::new(body), "deflate", bytes_max)
        .or_else(|_| read(flate2::bufread::DeflateDecoder::new(body), "deflate", bytes_max))
}

fn read(decoder: impl Read, coding: &str, bytes_max: usize) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    match decoder.take(bytes_max as u64).read_to_end(&mut out) {
        Ok(_) => Ok(out),
        // A body cut at a limit: what there is of it is right.
        Err(_) if !out.is_empty() => Ok(out),
        Err(error) => Err(format!("the body is not {coding}: {error}")),
    }
}
