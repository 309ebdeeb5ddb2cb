//! Collects visible text: white space collapsed, blocks on lines of their own, words counted as they pass.
//! Never holds a space at the beginning or end of a block. A word is a run without white space; in scripts
//! written without spaces (Chinese, Thai) a run counts as one.

/// Text being collected.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextBuffer {
    out: String,
    words: u32,
    /// White space stands between what was written last and what comes next.
    space: bool,
    /// Nothing written since the last block ended.
    fresh: bool,
    in_word: bool,
}

impl TextBuffer {
    pub(crate) fn with_capacity(bytes: usize) -> TextBuffer {
        TextBuffer { out: String::with_capacity(bytes), fresh: true, ..TextBuffer::default() }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.out
    }

    pub(crate) fn into_string(self) -> String {
        self.out
    }

    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn words(&self) -> u32 {
        self.words
    }

    /// Number of the word that text pushed now would belong to.
    pub(crate) fn next_word(&self) -> u32 {
        self.words - u32::from(self.in_word)
    }

    /// Running text: any white space becomes one space.
    pub(crate) fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let space = space_bytes(bytes, at);
            if space > 0 {
                self.space = true;
                self.in_word = false;
                at += space;
                continue;
            }
            let start = at;
            // Single spaces between words are copied along with them.
            loop {
                while at < bytes.len() && space_bytes(bytes, at) == 0 {
                    at += 1;
                }
                self.words += u32::from(!self.in_word);
                self.in_word = true;
                if at + 1 < bytes.len() && bytes[at] == b' ' && space_bytes(bytes, at + 1) == 0 {
                    at += 1;
                    self.in_word = false;
                } else {
                    break;
                }
            }
            self.begin_run();
            self.out.push_str(&text[start..at]);
        }
    }

    /// Preformatted text: lines and indents stay.
    pub(crate) fn push_preformatted(&mut self, text: &str) {
        let text = if self.fresh { text.trim_start_matches(['\n', '\r']) } else { text };
        if text.is_empty() || (self.fresh && text.trim_ascii().is_empty()) {
            return;
        }
        self.begin_run();
        self.out.push_str(text);
        for byte in text.bytes() {
            let space = byte.is_ascii_whitespace();
            self.words += u32::from(!space && !self.in_word);
            self.in_word = !space;
        }
    }

    /// White space that no text carries: between table cells, around a picture.
    pub(crate) fn space(&mut self) {
        self.space = true;
        self.in_word = false;
    }

    /// A forced line end inside a block.
    pub(crate) fn line_end(&mut self) {
        if !self.fresh {
            self.out.push('\n');
        }
        self.space = false;
        self.in_word = false;
    }

    /// Ends a block, if one has begun since the last; returns where it ends, and trims white space off it.
    pub(crate) fn end_block(&mut self) {
        if !self.fresh {
            self.out.truncate(self.out.trim_ascii_end().len());
        }
        self.fresh = true;
        self.space = false;
        self.in_word = false;
    }

    /// Whether text pushed now begins a block.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Where text pushed now would begin.
    pub(crate) fn next_start(&self) -> usize {
        self.out.len() + usize::from(self.fresh && !self.out.is_empty())
    }

    fn begin_run(&mut self) {
        if self.fresh {
            if !self.out.is_empty() {
                self.out.push('\n');
            }
        } else if self.space && !self.out.ends_with('\n') {
            self.out.push(' ');
        }
        self.fresh = false;
        self.space = false;
    }
}

/// How many bytes of white space stand at `at`: ASCII, no-break space, and the wide space of CJK text.
fn space_bytes(bytes: &[u8], at: usize) -> usize {
    match bytes[at] {
        b' ' | b'\n' | b'\t' | 0x0C | b'\r' => 1,
        0xC2 if bytes.get(at + 1) == Some(&0xA0) => 2,
        0xE3 if bytes[at..].starts_with(&[0xE3, 0x80, 0x80]) => 3,
        _ => 0,
    }
}

/// Collapses white space of a whole string, line ends included.
pub(crate) fn collapse(text: &str) -> String {
    let mut buffer = TextBuffer::with_capacity(text.len());
    buffer.push(text);
    buffer.into_string()
}

/// The first `bytes_max` bytes, cut at a character.
pub(crate) fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

#[cfg(test)]
mod tests;
