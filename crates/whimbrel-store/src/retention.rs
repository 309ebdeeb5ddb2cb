//! Which old page versions go. The rule: the current version stays; of the others those beyond `keep_versions`, and
//! those fetched more than `keep_days` before the newest, lose their rows. Their WARC records stay where they are:
//! nothing points to them any more, and a compaction of the files may drop them.

use crate::error::Error;
use crate::group::Group;
use crate::options::StoreOptions;
use crate::row::{self, PageRow};
use crate::table::Table;
use whimbrel_types::{DAY_MS, PageVersion, UrlKey};

/// Removes the versions that have to make room for `newest`.
pub(crate) fn drop_old_versions(
    group: &mut Group,
    key: &UrlKey,
    newest: &PageVersion,
    options: &StoreOptions,
) -> Result<(), Error> {
    if options.keep_versions == 0 && options.keep_days == 0 {
        return Ok(());
    }
    let mut kept = 1;
    // Newest first; versions put by this very group are not in the table yet and are looked at next time.
    for entry in group.tables().prefix(Table::Pages, &key.to_bytes()).rev() {
        let (page_key, value) = entry?;
        let version = row::decode::<PageRow>(Table::Pages, &value)?.version;
        if version.sequence == newest.sequence {
            continue;
        }
        let old = newest.fetched_at.since_ms(version.fetched_at) > u64::from(options.keep_days) * DAY_MS;
        let beyond = options.keep_versions > 0 && kept >= options.keep_versions;
        if beyond || (options.keep_days > 0 && old) {
            group.remove(Table::Pages, &page_key);
        } else {
            kept += 1;
        }
    }
    Ok(())
}
