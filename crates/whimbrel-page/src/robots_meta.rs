//! What a page asks of robots: `<meta name=robots>` or `name=<our agent>`, and `X-Robots-Tag` headers. All that is
//! said to everybody or to us counts, and the stricter wins; what is said to others does not.
//! There is no RFC; the rules are those that Google publishes, which site owners write for.

use crate::dates::parse_date;
use whimbrel_types::{MetaRobots, Timestamp};

/// Directives whose colon does not follow an agent's name.
const WITH_VALUE: [&str; 5] =
    ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview", "indexifembedded"];

/// What a `<meta>` of this name says to `agent`.
#[must_use]
pub fn from_meta(name: &str, content: &str, agent: &str) -> MetaRobots {
    let name = name.trim();
    if name.eq_ignore_ascii_case("robots") || is_agent(name, agent) {
        directives(content)
    } else {
        MetaRobots::default()
    }
}

/// What one `X-Robots-Tag` value says to `agent`. An agent's name holds until the next one in the same value.
#[must_use]
pub fn from_header(value: &str, agent: &str) -> MetaRobots {
    let mut found = MetaRobots::default();
    let mut for_us = true;
    let mut pending = String::new();
    for part in value.split(',') {
        let addressed = part.split_once(':').map(|(name, rest)| (name.trim(), rest));
        match addressed.filter(|(name, _)| is_agent_name(name)) {
            Some((name, rest)) => {
                found = found.stricter(directives(&std::mem::take(&mut pending)));
                for_us = is_agent(name, agent) || name.eq_ignore_ascii_case("robots") || name == "*";
                if for_us {
                    pending.push_str(rest);
                }
            }
            None if for_us => {
                pending.push(',');
                pending.push_str(part);
            }
            None => {}
        }
    }
    found.stricter(directives(&pending))
}

/// A name before a colon that is not itself a directive with a value, nor part of a time of day.
fn is_agent_name(name: &str) -> bool {
    let wordlike = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '*') && !name.contains(' ');
    wordlike && !WITH_VALUE.iter().any(|directive| directive.eq_ignore_ascii_case(name))
}

/// Whether `name` is our product token; a version behind a slash does not matter.
fn is_agent(name: &str, agent: &str) -> bool {
    let token = agent.split(['/', ' ']).next().unwrap_or(agent);
    !token.is_empty() && name.eq_ignore_ascii_case(token)
}

fn directives(list: &str) -> MetaRobots {
    let mut robots = MetaRobots::default();
    let mut rest = list;
    while !rest.is_empty() {
        let end = rest.find([',', ';']).unwrap_or(rest.len());
        let word = rest[..end].trim();
        let after = rest.get(end + 1..).unwrap_or("");
        if let Some(date) = value_of(word, "unavailable_after") {
            let (instant, remaining) = date_prefix(date, rest, after);
            robots.unavailable_after = match (robots.unavailable_after, instant) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            rest = remaining;
            continue;
        }
        rest = after;
        if let Some(limit) = value_of(word, "max-snippet") {
            robots.nosnippet |= limit.trim() == "0";
        }
        // Commas are forgotten now and then; what is meant is plain.
        for word in word.split_whitespace() {
            match word.to_ascii_lowercase().as_str() {
                "noindex" => robots.noindex = true,
                "nofollow" => robots.nofollow = true,
                "none" => (robots.noindex, robots.nofollow) = (true, true),
                "noarchive" | "nocache" => robots.noarchive = true,
                "nosnippet" => robots.nosnippet = true,
                _ => {}
            }
        }
    }
    robots
}

/// The text behind `name:`.
fn value_of<'a>(word: &'a str, name: &str) -> Option<&'a str> {
    let (key, value) = word.split_once(':')?;
    key.trim().eq_ignore_ascii_case(name).then_some(value)
}

/// A date may itself hold a comma ("Friday, 25-Jun-10 …"): tries the part up to the next comma first, then one more.
fn date_prefix<'a>(date: &str, rest: &'a str, after: &'a str) -> (Option<Timestamp>, &'a str) {
    if let Some(instant) = parse_date(date) {
        return (Some(instant), after);
    }
    let end = after.find([',', ';']).unwrap_or(after.len());
    let value_start = rest.find(':').map_or(0, |colon| colon + 1);
    let joined = &rest[value_start..rest.len() - (after.len() - end)];
    match parse_date(joined) {
        Some(instant) => (Some(instant), after.get(end + 1..).unwrap_or("")),
        None => (None, after),
    }
}

#[cfg(test)]
mod tests;
