//! The examples inside the program: list them, copy one out, unpack one for a verification case or a benchmark.

use crate::SUCCESS;
use crate::args;
use crate::print::out;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Path below `examples/` and content.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// Runs `cairn examples`.
pub fn command(args: &args::Examples) -> miette::Result<u8> {
    match &args.name {
        None => list(),
        Some(name) => {
            let target = args.output.clone().unwrap_or_else(|| PathBuf::from(name));
            if target.exists() {
                return Err(miette!(
                    help = "choose another folder with -o DIR",
                    "{} exists already: nothing was copied",
                    target.display()
                ));
            }
            copy(name, &target)?;
            out(&format!("copied to {0}; run it with\n  cairn run {0}/scene.toml\n", target.display()));
        }
    }
    Ok(SUCCESS)
}

fn names() -> BTreeSet<&'static str> {
    FILES.iter().filter_map(|(path, _)| path.strip_suffix("/scene.toml")).filter(|n| !n.contains('/')).collect()
}

fn list() {
    let mut text = String::new();
    for name in names() {
        text += &format!("{name:<22} {}\n", title(name));
    }
    text += "\ncopy one with: cairn examples NAME\n";
    out(&text);
}

/// First heading of the example's README.
fn title(name: &str) -> String {
    let readme = FILES.iter().find(|(path, _)| *path == format!("{name}/README.md"));
    let text = readme.map(|(_, bytes)| String::from_utf8_lossy(bytes)).unwrap_or_default();
    text.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_string()
}

/// Writes the files of an example to a folder.
pub fn copy(name: &str, target: &Path) -> miette::Result<()> {
    let prefix = format!("{name}/");
    let files: Vec<_> = FILES.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(&prefix)?, bytes))).collect();
    if files.is_empty() {
        let known: Vec<_> = names().into_iter().collect();
        return Err(miette!(help = format!("known examples: {}", known.join(", ")), "there is no example {name:?}"));
    }
    for (path, bytes) in files {
        let file = target.join(path);
        let folder = file.parent().unwrap_or(target);
        std::fs::create_dir_all(folder).into_diagnostic().wrap_err_with(|| folder.display().to_string())?;
        std::fs::write(&file, bytes).into_diagnostic().wrap_err_with(|| file.display().to_string())?;
    }
    Ok(())
}
