//! Embeds the examples, so that the installed program can copy them out, verify and measure without the repository.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut code = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root).expect("below the examples").to_string_lossy().replace('\\', "/");
        let path = file.canonicalize().expect("an example file exists");
        writeln!(code, "    ({name:?}, include_bytes!({:?})),", path.display().to_string()).expect("a string grows");
    }
    code.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("examples.rs");
    std::fs::write(out, code).expect("OUT_DIR can be written");
}

/// Scenes, tables and meshes; not pictures nor results.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            if path.extension().is_none_or(|e| e != "results") {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|e| ["toml", "csv", "obj", "stl", "md"].iter().any(|k| e == *k)) {
            files.push(path);
        }
    }
}
