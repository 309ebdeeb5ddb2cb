//! Makes a failing input small: pieces are left out, then bytes made plain, as long as it still fails.

/// Executions that shrinking may take.
const TRIES_MAX: usize = 4000;

/// A smaller input for which `fails` still holds.
pub(crate) fn shrink(input: &[u8], mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = input.to_vec();
    let mut tries = 0;
    let mut piece = (best.len() / 2).max(1);
    while tries < TRIES_MAX {
        let mut start = 0;
        let mut smaller = false;
        while start < best.len() && tries < TRIES_MAX {
            let end = (start + piece).min(best.len());
            let candidate = [&best[..start], &best[end..]].concat();
            tries += 1;
            if fails(&candidate) {
                best = candidate;
                smaller = true;
            } else {
                start = end;
            }
        }
        if piece == 1 && !smaller {
            break;
        }
        piece = if smaller { piece } else { piece / 2 }.max(1);
    }
    for place in 0..best.len() {
        if tries >= TRIES_MAX || best[place] == b'a' {
            continue;
        }
        let mut candidate = best.clone();
        candidate[place] = b'a';
        tries += 1;
        if fails(&candidate) {
            best = candidate;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_what_fails() {
        let long = b"some <b>words</b> and the culprit !! somewhere in a long text".repeat(20);
        assert_eq!(shrink(&long, |bytes| bytes.windows(2).any(|pair| pair == b"!!")), b"!!");
    }
}
