//! What is in the repository: its root, its files, and the rules that hold for all of them.
//! Files that git ignores are never looked at; without git the folders are walked.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The largest file that may be committed without being listed below.
const FILE_BYTES_MAX: u64 = 300_000;
/// Fixtures that may be larger, as paths from the root.
const LARGE_FIXTURES: &[&str] = &[];
/// Folders that are walked past when git is not there to say what is ignored.
const UNTRACKED_FOLDERS: &[&str] = &[".git", "target", "whimbrel-data", "whimbrel-demo"];

/// The folder with the workspace's manifest.
pub(crate) fn root() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.ancestors().nth(2).expect("the crate lies two folders below the root").to_owned()
}

/// A file from the root, as text.
pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}

/// Every file that is committed or could be, as a path from the root with `/`, sorted.
pub(crate) fn files() -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root())
        .output();
    let mut files: Vec<String> = match listed {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).split_terminator('\0').map(str::to_owned).collect()
        }
        _ => {
            let mut found = Vec::new();
            walk(&root(), "", &mut found);
            found
        }
    };
    files.retain(|path| root().join(path).is_file());
    files.sort();
    files.dedup();
    assert!(
        files.iter().any(|path| path == "Cargo.toml"),
        "the list of files lacks the workspace's own manifest"
    );
    files
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            if !UNTRACKED_FOLDERS.contains(&name.as_str()) {
                walk(&entry.path(), &format!("{prefix}{name}/"), found);
            }
        } else {
            found.push(format!("{prefix}{name}"));
        }
    }
}

#[test]
fn no_file_is_large_unless_it_is_listed() {
    let mut offences = Vec::new();
    for path in files() {
        let bytes = root().join(&path).metadata().map_or(0, |metadata| metadata.len());
        if bytes > FILE_BYTES_MAX && !LARGE_FIXTURES.contains(&path.as_str()) {
            offences.push(format!("{path} has {bytes} bytes; keep it out, or list it in LARGE_FIXTURES"));
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn no_file_names_a_path_of_one_machine() {
    // Put together here, so that this file does not offend.
    let needle = ["/wo", "rk/"].concat();
    let mut offences = Vec::new();
    for path in files() {
        let bytes =
            std::fs::read(root().join(&path)).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
        for (number, line) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            // In the middle of a URL it is part of somebody's made-up site.
            let starts = line.match_indices(&needle).any(|(at, _)| {
                !line[..at].ends_with(|before: char| before.is_alphanumeric() || ".-_]}".contains(before))
            });
            if starts {
                offences.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(offences.is_empty(), "paths of the machine this was written on:\n{}", offences.join("\n"));
}

#[test]
fn scripts_are_executable_and_stop_at_the_first_mistake() {
    let mut offences = Vec::new();
    let scripts: Vec<String> =
        files().into_iter().filter(|path| path.starts_with("scripts/") || path == ".ci/run").collect();
    assert!(scripts.len() >= 4, "scripts are missing: {scripts:?}");
    for path in scripts {
        if !read(&path).contains("\nset -euo pipefail\n") {
            offences.push(format!("{path} does not say set -euo pipefail"));
        }
        if !is_executable(&root().join(&path)) {
            offences.push(format!("{path} is not executable: chmod +x {path}"));
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &Path) -> bool {
    true
}
