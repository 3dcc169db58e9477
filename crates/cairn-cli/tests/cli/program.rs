//! Calling the program, and looking at what it left.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder of its own for a test, with a scene in it.
pub struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    /// A folder with `scene.toml`.
    pub fn with(scene: &str) -> Self {
        let bench = Self { dir: tempfile::tempdir().unwrap() };
        fs::write(bench.path("s.toml"), scene).unwrap();
        bench
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The program with arguments that are separated by blanks, called in the folder.
    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
        command.current_dir(self.dir.path()).args(args.split_whitespace()).stdin(Stdio::null());
        command
    }

    /// Calls the program and waits for it.
    pub fn call(&self, args: &str) -> Told {
        Told::from(self.command(args).output().unwrap())
    }

    /// Calls the program, which must succeed.
    pub fn must(&self, args: &str) -> Told {
        let told = self.call(args);
        assert_eq!(told.code, Some(0), "cairn {args}\n{}{}", told.out, told.err);
        told
    }

    /// Starts the program.
    pub fn start(&self, args: &str) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}

/// What the program said.
pub struct Told {
    /// Exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Told {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let told = Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) };
        assert!(!told.err.contains("panicked"), "{}", told.err);
        told
    }
}

impl Told {
    /// It failed in an orderly way, and standard error holds each of the words. Lines are joined, since messages wrap.
    pub fn failed_with(&self, words: &[&str]) {
        assert_eq!(self.code, Some(1), "{}{}", self.out, self.err);
        let plain = self.err.replace('│', " ");
        let joined = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(joined.contains(word), "{word:?} is not in:\n{}", self.err);
        }
    }
}

/// All files below a folder with their bytes.
pub fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// The files that hold numbers are the same to the last bit.
pub fn assert_same_results(a: &Path, b: &Path) {
    let text = |dir: &Path| fs::read_to_string(dir.join("history.csv")).unwrap();
    assert_eq!(text(a), text(b), "history.csv of {} and {}", a.display(), b.display());
    for file in ["checkpoint", "states.cairn"] {
        let bytes = |dir: &Path| fs::read(dir.join(file)).unwrap();
        assert!(bytes(a) == bytes(b), "{file} of {} and {} differ", a.display(), b.display());
    }
}

/// Where the n-th stored state starts: each begins with the same eight bytes.
pub fn start_of_state(bytes: &[u8], n: usize) -> usize {
    let starts = bytes.windows(8).enumerate().filter(|(_, w)| *w == b"CAIRN\r\n\x1a");
    starts.map(|(k, _)| k).nth(n).expect("so many states were stored")
}

/// Waits until a file is there.
pub fn wait_for(path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "{} never came", path.display());
        std::thread::sleep(Duration::from_millis(1));
    }
}
