//! The path states of the parser: segments, dots in any spelling, drive letters of files, opaque paths.
//! Invariant: the path in the result never holds a dot segment, so cutting at the last slash is what `..` means.

use super::encode_set::{CONTROLS, PATH, push_encoded};
use super::parser::Builder;

impl Builder<'_> {
    /// State "path"; `text` begins behind the slash.
    pub(super) fn path(&mut self, text: &str) {
        let end = text.find(['?', '#']).unwrap_or(text.len());
        let (mut path, tail) = text.split_at(end);
        while let Some(slash) = path.find(|c| self.is_slash(c)) {
            self.segment(&path[..slash], false);
            path = &path[slash + 1..];
        }
        self.segment(path, true);
        self.query_and_fragment(tail);
    }

    fn segment(&mut self, segment: &str, is_last: bool) {
        match dots(segment) {
            2 => {
                self.shorten();
                if is_last {
                    self.out.push('/');
                }
            }
            1 if is_last => self.out.push('/'),
            1 => {}
            _ => {
                let is_first = self.out.len() == self.path_start;
                self.out.push('/');
                if self.is_file && is_first && is_drive(segment, ":|") {
                    self.out.push_str(&segment[..1]);
                    self.out.push(':');
                } else {
                    push_encoded(segment, PATH, &mut self.out);
                }
            }
        }
    }

    /// Drops the last segment; never the drive letter of a file.
    pub(super) fn shorten(&mut self) {
        let path = &self.out[self.path_start..];
        let Some(slash) = path.rfind('/') else { return };
        if !(self.is_file && slash == 0 && is_drive(&path[1..], ":")) {
            self.out.truncate(self.path_start + slash);
        }
    }

    /// State "opaque path": a blank right before `?` or `#` is the only one that is encoded.
    pub(super) fn opaque_path(&mut self, text: &str) {
        let end = text.find(['?', '#']).unwrap_or(text.len());
        let (path, tail) = text.split_at(end);
        match path.strip_suffix(' ') {
            Some(path) if !tail.is_empty() => {
                push_encoded(path, CONTROLS, &mut self.out);
                self.out.push_str("%20");
            }
            _ => push_encoded(path, CONTROLS, &mut self.out),
        }
        self.query_and_fragment(tail);
    }
}

/// 1 for `.`, 2 for `..`, in any spelling; 0 for every other segment.
fn dots(segment: &str) -> usize {
    let mut rest = segment;
    let mut count = 0;
    while !rest.is_empty() && count < 3 {
        let triplet = rest.get(..3).filter(|start| start.eq_ignore_ascii_case("%2e"));
        let width = if triplet.is_some() { 3 } else { usize::from(rest.starts_with('.')) };
        if width == 0 {
            return 0;
        }
        rest = &rest[width..];
        count += 1;
    }
    if count < 3 { count } else { 0 }
}

/// A letter and one of `marks`, nothing else.
pub(super) fn is_drive(text: &str, marks: &str) -> bool {
    matches!(text.as_bytes(), [letter, mark] if letter.is_ascii_alphabetic() && marks.as_bytes().contains(mark))
}

pub(super) fn starts_with_drive_letter(text: &str) -> bool {
    let ends = text.as_bytes().get(2).is_none_or(|next| b"/\\?#".contains(next));
    text.get(..2).is_some_and(|start| is_drive(start, ":|")) && ends
}
