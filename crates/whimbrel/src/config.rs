//! What the operator set: the file and the command line as typed (`raw`), checked and turned into what the parts of the
//! program take (`checked`). Unknown keys are errors that name the key and the file; the command line beats the file.

pub mod checked;
pub mod http;
mod key;
pub mod raw;
pub mod units;

pub use checked::CheckedConfig;
pub use raw::RawConfig;
