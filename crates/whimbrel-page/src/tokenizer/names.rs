//! Interns element and attribute names. Making an atom hashes the name and may take a global lock; the few
//! dozen names of a page come from here instead.

use html5ever::LocalName;

const SLOTS: usize = 256;
/// Longer names are rare enough to be made anew each time.
const NAME_BYTES_MAX: usize = 16;

/// Direct-mapped cache from name to atom.
pub(super) struct NameCache {
    slots: Vec<Option<(u128, LocalName)>>,
}

impl Default for NameCache {
    fn default() -> NameCache {
        NameCache { slots: vec![None; SLOTS] }
    }
}

impl NameCache {
    /// The atom of `name`, lower-cased, NUL as U+FFFD.
    pub(super) fn get(&mut self, name: &str) -> LocalName {
        let bytes = name.as_bytes();
        if bytes.len() > NAME_BYTES_MAX || !bytes.is_ascii() || bytes.contains(&0) {
            return LocalName::from(name.to_ascii_lowercase().replace('\0', "\u{FFFD}"));
        }
        let mut padded = [0_u8; NAME_BYTES_MAX];
        padded[..bytes.len()].copy_from_slice(bytes);
        padded.make_ascii_lowercase();
        let key = u128::from_le_bytes(padded);
        let folded = (key as u64) ^ ((key >> 64) as u64);
        let slot = (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % SLOTS;
        match &self.slots[slot] {
            Some((cached, atom)) if *cached == key => atom.clone(),
            _ => {
                let atom = LocalName::from(name.to_ascii_lowercase());
                self.slots[slot] = Some((key, atom.clone()));
                atom
            }
        }
    }
}
