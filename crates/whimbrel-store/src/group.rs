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
    replaced: Vec<(Table, Slice)>,
}

impl<'a> Group<'a> {
    pub(crate) fn new(tables: &'a Tables) -> Group<'a> {
        Group { tables, ops: (0..TABLES).map(|_| FxHashMap::default()).collect(), replaced: Vec::new() }
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

    /// Inserts a row of a table whose rows are taken away with `remove_once`. Such a row must never be inserted over
    /// itself, or its removal would bring the older value back; so the database is asked first.
    pub(crate) fn put_once(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), Error> {
        let key = Slice::from(key);
        match self.tables.get(table, &key)? {
            Some(present) if *present == *value => {
                self.ops[table as usize].remove(&key);
            }
            present => {
                if present.is_some() && !self.was_replaced(table, &key) {
                    self.replaced.push((table, key.clone()));
                }
                self.ops[table as usize].insert(key, Op::Put(value.into()));
            }
        }
        Ok(())
    }

    /// Removes a row that was inserted with `put_once`, or under a key that never comes again.
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
        if !self.replaced.is_empty() {
            // An ordinary tombstone below the new value. In a batch of its own, because one batch has one version of a key.
            let mut batch = database.batch();
            for (table, key) in self.replaced {
                batch.remove(self.tables.keyspace(table), key);
            }
            batch.commit().map_err(Error::database("replacing rows of a queue"))?;
        }
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

    fn was_replaced(&self, table: Table, key: &Slice) -> bool {
        self.replaced.iter().any(|(other, replaced)| *other == table && replaced == key)
    }
}
