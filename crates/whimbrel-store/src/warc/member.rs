//! One gzip member (RFC 1952) per record: compressed with libdeflate, or stored when the content is compressed already.

use libdeflater::{CompressionLvl, Compressor, Crc};
use std::cell::RefCell;

/// Longest stored block of deflate (RFC 1951 §3.2.4).
const STORED_BLOCK_BYTES_MAX: usize = 65_535;
/// libdeflate level of what came plain: 1 has twice the speed of 4 for a twentieth more bytes.
const LEVEL: i32 = 1;
/// Header: magic, deflate, no flags, no time, no hint, unknown operating system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

thread_local! {
    static COMPRESSOR: RefCell<Compressor> = RefCell::new(Compressor::new(
        CompressionLvl::new(LEVEL).unwrap_or_default(),
    ));
}

/// `plain` as a compressed member.
pub(crate) fn compressed_member(plain: &[u8]) -> Vec<u8> {
    COMPRESSOR.with_borrow_mut(|compressor| {
        let mut out = vec![0; compressor.gzip_compress_bound(plain.len())];
        match compressor.gzip_compress(plain, &mut out) {
            Ok(length) => {
                out.truncate(length);
                out
            }
            // Cannot be: the buffer has the size of the bound. A stored member is right all the same.
            Err(_) => stored_member(&[plain]),
        }
    })
}

/// `parts`, one after the other, as a member of stored blocks.
pub(crate) fn stored_member(parts: &[&[u8]]) -> Vec<u8> {
    let plain_bytes: usize = parts.iter().map(|part| part.len()).sum();
    let blocks = plain_bytes.div_ceil(STORED_BLOCK_BYTES_MAX).max(1);
    let mut out = Vec::with_capacity(plain_bytes + blocks * 5 + HEADER.len() + 8);
    out.extend_from_slice(&HEADER);
    let mut crc = Crc::new();
    let mut left = plain_bytes;
    let mut room = 0;
    if plain_bytes == 0 {
        begin_stored_block(&mut out, 0, true);
    }
    for part in parts {
        crc.update(part);
        let mut rest = *part;
        while !rest.is_empty() {
            if room == 0 {
                room = left.min(STORED_BLOCK_BYTES_MAX);
                begin_stored_block(&mut out, room, room == left);
            }
            let (now, later) = rest.split_at(rest.len().min(room));
            out.extend_from_slice(now);
            room -= now.len();
            left -= now.len();
            rest = later;
        }
    }
    out.extend_from_slice(&crc.sum().to_le_bytes());
    // ISIZE is the length modulo 2^32.
    out.extend_from_slice(&((plain_bytes & 0xffff_ffff) as u32).to_le_bytes());
    out
}

fn begin_stored_block(out: &mut Vec<u8>, length: usize, last: bool) {
    let length = length as u16;
    out.push(u8::from(last));
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&(!length).to_le_bytes());
}

#[cfg(test)]
mod tests;
