//! The content-seen test's table: a 64-bit fingerprint leads to the page that has the content. The fingerprint is only
//! a hint; the owner's own row has the 256-bit hash that confirms it, so two contents with one fingerprint have two
//! owners under one key ("A web-crawling algorithm with duplicate detection": one 64-bit value per document).
//! Invariant: an owner stays listed while its row has a hash with this fingerprint.

use crate::error::Error;
use crate::group::Group;
use crate::row;
use crate::table::Table;
use whimbrel_types::{ContentHash, UrlKey, UrlRecord};

/// `owner` has this content now, in place of whoever had it.
pub(crate) fn claim(group: &mut Group, hash: &ContentHash, owner: &UrlKey) -> Result<(), Error> {
    let mut owners = owners_of_other_contents(group, hash)?;
    owners.retain(|other| other != owner);
    owners.push(*owner);
    group.put(Table::Digests, &hash.fingerprint(), row::encode_owners(&owners));
    Ok(())
}

/// Nobody has this content any more.
pub(crate) fn release(group: &mut Group, hash: &ContentHash) -> Result<(), Error> {
    let owners = owners_of_other_contents(group, hash)?;
    if owners.is_empty() {
        group.remove(Table::Digests, &hash.fingerprint());
    } else {
        group.put(Table::Digests, &hash.fingerprint(), row::encode_owners(&owners));
    }
    Ok(())
}

/// Those under the fingerprint whose rows have another content with the same fingerprint.
fn owners_of_other_contents(group: &Group, hash: &ContentHash) -> Result<Vec<UrlKey>, Error> {
    let Some(present) = group.get(Table::Digests, &hash.fingerprint())? else { return Ok(Vec::new()) };
    let mut others = Vec::new();
    for owner in row::decode_owners(&present)? {
        let content = match group.get(Table::Urls, &owner.to_bytes())? {
            Some(bytes) => row::decode::<UrlRecord>(Table::Urls, &bytes)?.content_hash,
            None => None,
        };
        if content.is_some_and(|content| content != *hash && content.fingerprint() == hash.fingerprint()) {
            others.push(owner);
        }
    }
    Ok(others)
}
