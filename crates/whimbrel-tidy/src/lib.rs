//! Habits of this repository that a compiler does not check, as tests: layers and edges of the crates, guards named in
//! ARCHITECTURE.md, length and headers of files, purity of the lower layers, worked examples, size of files.
//! Holds no code of the product and nothing depends on it.
//! Invariant: every rule names the file and the line that breaks it, and says what to do.

#[cfg(test)]
mod architecture;
#[cfg(test)]
mod crates;
#[cfg(test)]
mod repository;
#[cfg(test)]
mod seed_vectors;
#[cfg(test)]
mod source;
#[cfg(test)]
mod sources;
