//! The database side of one group commit: the last state of every key it touches, written as one atomic batch.
//! Reads see the group's own changes first.

use crate::error::Error;
use crate::table::{TABLES, Table, Tables};
use fjall::{PersistMode, Slice};
use rustc_hash::FxHashMap;

enum Op {
    Put(Slice),
    Remove,
    /// Leaves no tombstone behind once it has met its insertion; only for keys that are written once.
    RemoveOnce,
}

/// Changes gathered so far.
pub(crate) struct Group<'a> {
    tables: &'a Tables,
    ops: Vec<FxHashMap<Slice, Op>>,
}

impl<'a> Group<'a> {
    pub(crate) fn new(tables: &'a Tables) -> Group<'a> {
        Group { tables, ops: (0..TABLES).map(|_| FxHashMap::default()).collect() }
    }

    pub(crate) fn tables(&self) -> &'a Tables {
        self.tables
    }

    /// A row as it will be when the group is committed.
    pub(crate) fn get(&self, table: Table, key: &[u8]) -> Result<Option<Slice>, Error> {
        match self.ops[table as usize].get(key) {
            Some(Op::Put(value)) => Ok(Some(value.clone())),
            Some(Op::Remove | Op::RemoveOnce) => Ok(None),
            None => self.tables.get(table, key),
        }
    }

    /// Inserts or replaces a row.
    pub(crate) fn put(&mut self, table: Table, key: &[u8], value: impl Into<Slice>) {
        self.ops[table as usize].insert(key.into(), Op::Put(value.into()));
    }

    /// Removes a row.
    pub(crate) fn remove(&mut self, table: Table, key: &[u8]) {
        self.ops[table as usize].insert(key.into(), Op::Remove);
    }

    /// Removes a row whose key came once and never comes again. The database forgets such a removal together with the
    /// insertion it meets, so an older row under the same key would come back: other tables take `remove`.
    pub(crate) fn remove_once(&mut self, table: Table, key: &[u8]) {
        let ops = &mut self.ops[table as usize];
        if matches!(ops.get(key), Some(Op::Put(_))) {
            // Inserted in this very group: the database never sees it.
            ops.remove(key);
        } else {
            ops.insert(key.into(), Op::RemoveOnce);
        }
    }

    /// Writes everything in one batch and waits until the disk has it.
    pub(crate) fn commit(self) -> Result<(), Error> {
        let database = self.tables.database();
        let mut batch = database.batch().durability(Some(PersistMode::SyncAll));
        let tables = self.tables;
        for (keyspace, ops) in tables.keyspaces().iter().zip(self.ops) {
            for (key, op) in ops {
                match op {
                    Op::Put(value) => batch.insert(keyspace, key, value),
                    Op::Remove => batch.remove(keyspace, key),
                    Op::RemoveOnce => batch.remove_weak(keyspace, key),
                }
            }
        }
        batch.commit().map_err(Error::database("committing to the database"))
    }
}
