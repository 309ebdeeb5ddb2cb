//! Dates as pages write them: read by the same rules as those of sitemaps and feeds, in [`whimbrel_url::date`].

pub use whimbrel_url::date::parse_date;

#[cfg(test)]
mod tests;
