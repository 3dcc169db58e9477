//! What the documents promise a user holds: the scene in the README runs, the commands exist, the results are what the guide lists.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn cairn(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cairn")).current_dir(folder).args(arguments).output().unwrap()
}

fn succeeds(folder: &Path, arguments: &[&str]) -> String {
    let output = cairn(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cairn {} failed:\n{errors}", arguments.join(" "));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The first scene of the README, as a file in a folder of its own.
fn first_scene() -> (tempfile::TempDir, PathBuf) {
    let readme = document("README.md");
    let scene = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stack.toml");
    fs::write(&file, scene.expect("the README has a scene")).unwrap();
    (folder, file)
}

#[test]
fn the_scene_in_the_readme_is_accepted() {
    let (folder, _) = first_scene();
    succeeds(folder.path(), &["check", "stack.toml"]);
}

#[test]
fn a_run_leaves_what_the_user_guide_lists() {
    let (folder, _) = first_scene();
    succeeds(folder.path(), &["run", "stack.toml", "--quiet", "-o", "results", "--set", "time.end=0.05"]);
    let guide = document("docs/user-guide.md");
    let section = guide.split("## The results folder").nth(1).unwrap().split("\n## ").next().unwrap();
    let first_cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
    let names: Vec<&str> = first_cells.flat_map(|cell| cell.split(", ")).map(|name| name.trim_matches('`')).collect();
    assert!(names.len() > 6, "only {names:?} found: does the test still understand the guide?");
    let left: Vec<String> = fs::read_dir(folder.path().join("results"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    for name in names {
        assert!(
            left.iter().any(|l| l == name.trim_end_matches('/')),
            "docs/user-guide.md lists {name}, the run left {left:?}"
        );
    }
}

#[test]
fn the_commands_in_the_readme_are_those_of_the_program() {
    let help = succeeds(Path::new("."), &["--help"]);
    let section = help.split("Commands:").nth(1).expect("the help lists commands").split("\n\n").next().unwrap();
    let lines = section.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let commands: Vec<&str> = lines.filter_map(|l| l.split_whitespace().next()).filter(|c| *c != "help").collect();
    assert!(commands.len() > 5, "only {commands:?} found: does the test still understand the help?");
    let readme = document("README.md");
    for command in commands {
        assert!(readme.contains(&format!("| `cairn {command}")), "the README does not list cairn {command}");
    }
}
