//! The house is in order: the documents name what exists, the rooms depend on each other one way, nothing is left half done.

use std::fs;
use std::path::{Path, PathBuf};

/// What each room of the `cairn` crate may use of the others. Rooms further down are built on those above.
const MAY_USE: &[(&str, &[&str])] = &[
    ("threads", &[]),
    ("space", &["shape"]),
    ("shape", &["space"]),
    ("contact", &["space"]),
    ("law", &["contact", "space"]),
    ("body", &["shape", "space"]),
    ("detect", &["body", "contact", "shape", "space", "threads"]),
    // Held and loaded nodes carry histories, which are the scene's.
    ("flexible", &["detect", "scene", "space"]),
    // When stages began.
    ("state", &["body", "contact", "flexible", "scene", "space"]),
    ("io", &["space"]),
    ("scene", &["body", "contact", "detect", "flexible", "io", "law", "shape", "space"]),
    ("measure", &["body", "contact", "flexible", "scene", "shape", "space", "state"]),
    (
        "step",
        &["body", "contact", "detect", "flexible", "law", "measure", "scene", "shape", "space", "state", "threads"],
    ),
    ("simulation", &["body", "contact", "measure", "scene", "space", "state", "step"]),
    ("output", &["body", "contact", "flexible", "law", "measure", "scene", "shape", "space", "state"]),
    ("run", &["body", "contact", "measure", "output", "scene", "simulation", "space", "state", "step"]),
    ("any", &["law", "measure", "output", "run", "scene", "simulation", "space", "state", "step"]),
];

/// The two knots: the convex shape of a space is an associated type, and it has to be able to meet other shapes; and the step of a
/// space is compiled where it is written.
const EXCEPTED: [(&str, &str); 2] = [("space", "crate::detect::pair::ConvexPairs"), ("space", "crate::step::Compiled")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All text files of the project below a folder, sorted; not what is built or computed.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_hidden = name.starts_with('.') && name != ".ci";
        if path.is_dir() {
            if !is_hidden && name != "target" && name != "results" && !name.ends_with(".results") {
                found.extend(texts(&path));
            }
        } else if path.extension().is_some_and(|e| ["rs", "md", "toml"].iter().any(|k| e == *k)) || name == "run" {
            found.push(path);
        }
    }
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    texts(folder).into_iter().filter(|p| p.extension().is_some_and(|e| e == "rs")).collect()
}

/// The odd pieces of a text cut at a mark: what stands between pairs of it.
fn between<'t>(text: &'t str, mark: &str) -> Vec<&'t str> {
    text.split(mark).skip(1).step_by(2).collect()
}

/// Paths that a document names in backticks: with a slash or a file ending, and nothing that a path has not.
fn named_paths(document: &str) -> Vec<&str> {
    let is_path = |name: &&str| {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
        plain && (name.contains('/') || name.ends_with(".md") || name.ends_with(".toml"))
    };
    document.lines().flat_map(|line| between(line, "`")).filter(is_path).collect()
}

/// Targets of the links of a document that point into the project.
fn links(document: &str) -> Vec<&str> {
    let targets = document.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.map(|t| t.split('#').next().unwrap_or(t)).filter(|t| !t.is_empty() && !t.contains("://")).collect()
}

#[test]
fn every_path_in_the_architecture_exists() {
    let document = read(&root().join("ARCHITECTURE.md"));
    let paths = named_paths(&document);
    assert!(paths.len() > 40, "only {} paths found: does the test still understand the document?", paths.len());
    let missing: Vec<_> = paths.into_iter().filter(|p| !root().join(p).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {missing:#?}");
}

#[test]
fn every_room_is_in_the_architecture() {
    let document = read(&root().join("ARCHITECTURE.md"));
    for crate_ in ["cairn-sparse", "cairn-solvers", "cairn-fem", "cairn", "cairn-draw", "cairn-view", "cairn-cli"] {
        let source = format!("crates/{crate_}/src");
        for entry in fs::read_dir(root().join(&source)).unwrap() {
            let path = entry.unwrap().path();
            let name = format!("`{source}/{}", path.file_name().unwrap().to_string_lossy());
            let is_root = name.ends_with("/lib.rs") || name.ends_with("/main.rs");
            assert!(is_root || document.contains(&name), "ARCHITECTURE.md does not mention {name}`");
        }
    }
}

#[test]
fn every_link_in_the_documents_leads_somewhere() {
    for path in texts(&root()).iter().filter(|p| p.extension().is_some_and(|e| e == "md")) {
        let document = read(path);
        let folder = path.parent().unwrap();
        let dead: Vec<_> = links(&document).into_iter().filter(|t| !folder.join(t).exists()).collect();
        assert!(dead.is_empty(), "{} links to what is not there: {dead:#?}", path.display());
    }
}

#[test]
fn every_example_is_seen() {
    let gallery = read(&root().join("docs/gallery.md"));
    let mut seen = 0;
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.join("scene.toml").exists() {
            continue;
        }
        seen += 1;
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let readme = read(&folder.join("README.md"));
        assert!(links(&readme).iter().any(|t| t.ends_with(".png")), "the README of {name} shows no picture");
        assert!(gallery.contains(&format!("(../examples/{name}/README.md)")), "the gallery does not show {name}");
        for drawn in fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()) {
            let file = drawn.file_name().unwrap().to_string_lossy().into_owned();
            if !["png", "svg", "gif"].iter().any(|e| file.ends_with(&format!(".{e}"))) {
                continue;
            }
            let shown = links(&readme).contains(&file.as_str()) || gallery.contains(&format!("{name}/{file}"));
            assert!(shown, "nothing shows examples/{name}/{file}");
        }
    }
    assert!(seen > 25, "only {seen} examples found");
}

/// Code of a file without comments and without its tests, which may use any room.
fn code(path: &Path) -> String {
    let text = read(path);
    let lines = text.lines().take_while(|l| !l.trim_start().starts_with("#[cfg(test)]"));
    lines.map(|l| l.split("//").next().unwrap_or(l).to_string() + "\n").collect()
}

/// Rooms that code names as `crate::room` or `crate::{room, …}`.
fn rooms_used(code: &str) -> Vec<String> {
    let word =
        |text: &str| -> String { text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let mut rooms = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => rooms.push(word(rest)),
            Some(group) => {
                let mut depth = 0;
                let mut start = true;
                for (i, c) in group.char_indices() {
                    if start && depth == 0 && !c.is_whitespace() && c != '}' {
                        rooms.push(word(&group[i..]));
                        start = false;
                    }
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        _ => {}
                    }
                }
            }
        }
    }
    rooms
}

/// The room that a file of the `cairn` crate belongs to.
fn room_of(file: &Path, source: &Path) -> String {
    let inner = file.strip_prefix(source).unwrap();
    inner.components().next().unwrap().as_os_str().to_string_lossy().trim_end_matches(".rs").to_string()
}

#[test]
fn rooms_depend_on_each_other_one_way() {
    let source = root().join("crates/cairn/src");
    let mut wrong = Vec::new();
    for file in rust_files(&source) {
        let room = room_of(&file, &source);
        let name = file.file_stem().unwrap().to_string_lossy();
        let is_test = ["tests", "testing", "suite"].iter().any(|n| name.ends_with(n));
        if room == "lib" || is_test {
            continue;
        }
        let (_, may) = MAY_USE
            .iter()
            .find(|(name, _)| *name == room)
            .unwrap_or_else(|| panic!("the room {room} is not in the table of this test: say there what it may use"));
        let excepted = EXCEPTED.iter().filter(|(knot, _)| *knot == room);
        let code = excepted.fold(code(&file), |code, (_, name)| code.replace(name, ""));
        for used in rooms_used(&code) {
            let is_room = MAY_USE.iter().any(|(name, _)| *name == used);
            if is_room && used != room && !may.contains(&used.as_str()) {
                wrong.push(format!("{} uses crate::{used}", file.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "against the direction of dependencies: {wrong:#?}");
}

#[test]
fn the_leaves_know_no_mechanics() {
    for (leaf, may) in [
        ("cairn-sparse", Some("cairn-features")),
        ("cairn-solvers", Some("cairn-sparse")),
        ("cairn-fem", Some("cairn-sparse")),
    ] {
        let folder = root().join("crates").join(leaf);
        let manifest = read(&folder.join("Cargo.toml"));
        let named = |line: &&str| line.starts_with("cairn") && !may.is_some_and(|m| line.starts_with(m));
        assert_eq!(manifest.lines().find(named), None, "{leaf} depends on another crate of this project");
        for file in rust_files(&folder) {
            assert!(!code(&file).contains("cairn::"), "{} uses the mechanics", file.display());
        }
    }
}

#[test]
fn every_dependency_has_a_reason() {
    let manifest = read(&root().join("Cargo.toml"));
    let section = manifest.split("[workspace.dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    let crates: Vec<&str> = section.lines().filter_map(|l| l.split_once(" = ")).map(|(name, _)| name.trim()).collect();
    assert!(crates.len() > 5, "only {crates:?} found: does the test still understand the manifest?");
    let reasons = read(&root().join("docs/dependencies.md"));
    let is_own = |name: &str| name.starts_with("cairn");
    let missing: Vec<_> = crates.iter().filter(|c| !is_own(c) && !reasons.contains(&format!("`{c}`"))).collect();
    assert!(missing.is_empty(), "docs/dependencies.md gives no reason for {missing:?}");
}

#[test]
fn nothing_is_left_for_later() {
    // Put together here, so that this file does not contain them.
    let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];
    let macros = [concat!("to", "do!("), concat!("unimple", "mented!("), concat!("db", "g!(")];
    let mut left = Vec::new();
    for path in texts(&root()) {
        for (number, line) in read(&path).lines().enumerate() {
            let has_word = line.split(|c: char| !c.is_alphanumeric()).any(|w| words.contains(&w));
            if has_word || macros.iter().any(|m| line.contains(m)) {
                left.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn the_readers_of_this_test_understand_what_they_read() {
    assert_eq!(named_paths("see `docs/a.md`, `Law::prepare`, `x = 1/2` and `b.rs`"), ["docs/a.md"]);
    assert_eq!(links("[a](docs/a.md#part) [b](https://x.org) ![c](c.png)"), ["docs/a.md", "c.png"]);
    let used = rooms_used("use crate::law::Law;\nuse crate::{body::{Body, Motion}, step, \n scene::Scene};");
    assert_eq!(used, ["law", "body", "step", "scene"]);
}
