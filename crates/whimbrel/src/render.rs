//! How things look on a terminal: sizes, durations, colours, and text from the web made harmless.

use std::io::IsTerminal;

/// Colours, when they are wanted and there is a terminal to show them.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    color: bool,
}

impl Style {
    /// For standard output.
    pub fn stdout(no_color: bool) -> Style {
        let wanted = !no_color && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Style { color: wanted && std::io::stdout().is_terminal() }
    }

    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    pub fn title(self, text: &str) -> String {
        self.wrap("1;34", text)
    }

    pub fn url(self, text: &str) -> String {
        self.wrap("32", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Text from the web without anything that moves the cursor or turns the writing direction.
pub fn clean(text: &str) -> String {
    let odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if odd(c) { ' ' } else { c }).collect()
}

/// `1.2 MB`.
pub fn size(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// `850 ms`, `12 s`, `3 min 20 s`, `7 h 5 min`, `2 d 3 h`.
pub fn duration(ms: u64) -> String {
    let s = ms / 1000;
    match s {
        0 => format!("{ms} ms"),
        1..=119 => format!("{s} s"),
        120..=7199 => format!("{} min {} s", s / 60, s % 60),
        7200..=172_799 => format!("{} h {} min", s / 3600, s / 60 % 60),
        _ => format!("{} d {} h", s / 86_400, s / 3600 % 24),
    }
}

/// `12,345`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 page`, `2 pages`, `3 copies`.
pub fn plural(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!((size(999), size(1_234_567)), ("999 B".into(), "1.2 MB".into()));
        assert_eq!((duration(850), duration(200_000)), ("850 ms".into(), "3 min 20 s".into()));
        assert_eq!((count(7), count(1_234_567)), ("7".into(), "1,234,567".into()));
    }

    #[test]
    fn text_from_the_web_cannot_steer_the_terminal() {
        assert_eq!(clean("a\x1b[2Jb\r\nc\u{202e}d"), "a [2Jb  c d");
    }
}
