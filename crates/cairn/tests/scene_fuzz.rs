//! No scene file makes the reader panic, however broken: random damage to good and bad scenes.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Texts of all scenes of the tests: the corpus.
fn corpus() -> &'static [String] {
    static CORPUS: OnceLock<Vec<String>> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes");
        let mut files: Vec<PathBuf> = ["good", "bad"]
            .iter()
            .flat_map(|name| std::fs::read_dir(folder.join(name)).unwrap().map(|e| e.unwrap().path()))
            .filter(|path| path.extension().is_some_and(|e| e == "toml"))
            .collect();
        files.sort();
        files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
    })
}

/// A folder with the tables and meshes that the good scenes use.
fn folder() -> &'static tempfile::TempDir {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes/good");
        for entry in std::fs::read_dir(good).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        folder
    })
}

/// One kind of damage; the numbers choose where.
#[derive(Clone, Debug)]
enum Damage {
    DeleteLine(usize),
    RepeatLine(usize),
    SwapLines(usize, usize),
    ReplaceToken(usize, &'static str),
    SwapTokens(usize, usize),
    Byte(usize, char),
    Cut(usize),
}

const NASTY: [&str; 24] = [
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e59",
    "1e-320",
    "nan",
    "inf",
    "9223372036854775807",
    "[]",
    "{}",
    "[[]]",
    "\"\"",
    "true",
    "[1]",
    "[0, 0]",
    "[1e59, 1e59]",
    "[0, 0, 0]",
    "\"any\"",
    "\"#\"",
    "1979-05-27",
    "{ kind = \"union\" }",
    "\"disk#last\"",
    "\"../good\"",
];

fn damage() -> impl Strategy<Value = Damage> {
    let place = 0usize..100_000;
    prop_oneof![
        place.clone().prop_map(Damage::DeleteLine),
        place.clone().prop_map(Damage::RepeatLine),
        (place.clone(), place.clone()).prop_map(|(a, b)| Damage::SwapLines(a, b)),
        (place.clone(), 0..NASTY.len()).prop_map(|(a, n)| Damage::ReplaceToken(a, NASTY[n])),
        (place.clone(), 0..NASTY.len()).prop_map(|(a, n)| Damage::ReplaceToken(a, NASTY[n])),
        (place.clone(), place.clone()).prop_map(|(a, b)| Damage::SwapTokens(a, b)),
        (place.clone(), any::<char>()).prop_map(|(a, c)| Damage::Byte(a, c)),
        place.prop_map(Damage::Cut),
    ]
}

/// Byte ranges of the values after `=`: where a damaged value is most telling.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices() {
        let inside = c.is_alphanumeric() || "_.-+\"".contains(c);
        match (inside, start) {
            (true, None) => start = Some(i),
            (false, Some(from)) => {
                out.push((from, i));
                start = None;
            }
            _ => {}
        }
    }
    out
}

fn apply(text: &str, damage: &Damage) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let tokens = tokens(text);
    let boundaries: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    if lines.is_empty() || tokens.is_empty() {
        return text.to_string();
    }
    let (n, t, b) = (lines.len(), tokens.len(), boundaries.len());
    match *damage {
        Damage::DeleteLine(a) => drop(lines.remove(a % n)),
        Damage::RepeatLine(a) => lines.insert(a % n, lines[a % n]),
        Damage::SwapLines(a, c) => lines.swap(a % n, c % n),
        Damage::ReplaceToken(a, new) => {
            let (from, to) = tokens[a % t];
            return format!("{}{new}{}", &text[..from], &text[to..]);
        }
        Damage::SwapTokens(a, c) => {
            let (first, second) = (tokens[(a % t).min(c % t)], tokens[(a % t).max(c % t)]);
            if first == second {
                return text.to_string();
            }
            let (x, y) = (&text[first.0..first.1], &text[second.0..second.1]);
            return format!("{}{y}{}{x}{}", &text[..first.0], &text[first.1..second.0], &text[second.1..]);
        }
        Damage::Byte(a, c) => {
            let at = boundaries[a % b];
            return format!("{}{c}{}", &text[..at], &text[at..]);
        }
        Damage::Cut(a) => return text[..boundaries[a % b]].to_string(),
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_scenes_never_panic(which in 0usize..1000, damages in prop::collection::vec(damage(), 1..5)) {
        let corpus = corpus();
        let text = damages.iter().fold(corpus[which % corpus.len()].clone(), |text, d| apply(&text, d));
        let path = folder().path().join(format!("scene-{:?}.toml", std::thread::current().id()));
        std::fs::write(&path, &text).unwrap();
        match cairn::scene::read(&path, &[]) {
            Ok(loaded) => prop_assert!(!cairn::scene::describe(&loaded.scene).is_empty()),
            Err(errors) => prop_assert!(!errors.problems.is_empty() && !errors.plain().is_empty(), "{text}"),
        }
    }

    #[test]
    fn overrides_never_panic(key in "[a-z0-9.#\\[\\]]{0,12}|(time|bodies|contact)\\.[0-3]?\\.?[a-z]{0,8}", value in ".{0,12}") {
        let path = folder().path().join("incline_2d.toml");
        let _ = cairn::scene::read(&path, &[(key, value)]);
    }

    #[test]
    fn damaged_tables_never_panic(text in "([0-9xyr,; \t#.e\\-]{0,20}\n){0,6}") {
        let path = folder().path().join("fuzz_table.toml");
        std::fs::write(folder().path().join("fuzz.csv"), &text).unwrap();
        let scene = std::fs::read_to_string(folder().path().join("tables_2d.toml")).unwrap().replace("disks.csv", "fuzz.csv");
        std::fs::write(&path, scene).unwrap();
        let _ = cairn::scene::read(&path, &[]);
    }
}
