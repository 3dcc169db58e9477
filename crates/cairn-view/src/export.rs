//! The page and the data of a run as one file that any browser opens without a server.
//!
//! The modules are joined ([`crate::assets::one_module`]); bundles are written in base64 into script elements of a type
//! that no browser runs: `cairn-model`, `cairn-times`, `cairn-history`, `cairn-motions-K`, `cairn-contacts-K`.

use crate::assets::{INDEX, STYLE, one_module};
use crate::frame::Wanted;
use crate::source::Source;
use crate::times::Choice;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The data of a page: what a server would answer.
#[derive(Clone, Debug, Default)]
pub struct Embedded {
    /// The description of the run.
    pub model: Vec<u8>,
    /// Times [s].
    pub times: Vec<f64>,
    /// What is missing or damaged.
    pub problems: Vec<String>,
    /// The history.
    pub history: Vec<u8>,
    /// Motions, state by state.
    pub motions: Vec<Vec<u8>>,
    /// Contacts, state by state; none if they are left out.
    pub contacts: Vec<Vec<u8>>,
}

impl Embedded {
    /// Takes the chosen states of a run; those that cannot be read are named among the problems.
    pub fn of(source: &Source, choice: Choice, wanted: &Wanted) -> Self {
        let timeline = source.timeline();
        let mut data =
            Self { model: source.model(), problems: timeline.problems, history: source.history(), ..Self::default() };
        for k in choice.of(&timeline.times) {
            let contacts = if wanted.contacts { source.contacts(k).map(Some) } else { Ok(None) };
            match (source.motions(k, wanted), contacts) {
                (Ok(motions), Ok(contacts)) => {
                    data.times.push(timeline.times[k]);
                    data.motions.push(motions);
                    data.contacts.extend(contacts);
                }
                (Err(sentence), _) | (_, Err(sentence)) => data.problems.push(sentence),
            }
        }
        data
    }

    /// Size of the file that [`write`](Self::write) would make, nearly [bytes].
    pub fn size(&self) -> u64 {
        let data =
            self.motions.iter().chain(&self.contacts).chain([&self.model, &self.history]).map(|b| b.len() as u64);
        let page = one_module().len() + INDEX.text.len() + STYLE.text.len();
        data.sum::<u64>() * 4 / 3 + page as u64
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        let script = "<script type=\"module\" src=\"main.js\"></script>";
        let (before, after) = INDEX.text.split_once(script).unwrap_or((INDEX.text, ""));
        let style = format!("<style>\n{}</style>", STYLE.text);
        let before = before.replace("<link rel=\"stylesheet\" href=\"style.css\">", &style);
        out.write_all(before.as_bytes())?;
        let timeline = json!({ "times": self.times, "status": "export", "problems": self.problems });
        embed(&mut out, "times", timeline.to_string().as_bytes())?;
        embed(&mut out, "model", &self.model)?;
        embed(&mut out, "history", &self.history)?;
        for (k, bytes) in self.motions.iter().enumerate() {
            embed(&mut out, &format!("motions-{k}"), bytes)?;
        }
        for (k, bytes) in self.contacts.iter().enumerate() {
            embed(&mut out, &format!("contacts-{k}"), bytes)?;
        }
        writeln!(out, "<script type=\"module\">\n{}</script>", one_module())?;
        out.write_all(after.as_bytes())?;
        out.flush()
    }
}

fn embed(out: &mut impl Write, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    write!(out, "<script type=\"application/x-cairn\" id=\"cairn-{name}\">")?;
    base64(out, bytes)?;
    writeln!(out, "</script>")
}

/// Base64 of RFC 4648, with padding.
fn base64(out: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |word: u32, place: u32| LETTERS[(word >> (18 - 6 * place)) as usize & 63];
    for three in bytes.chunks(3) {
        let at = |k: usize| u32::from(*three.get(k).unwrap_or(&0));
        let word = at(0) << 16 | at(1) << 8 | at(2);
        let mut four = [0, 1, 2, 3].map(|place| letter(word, place));
        four[three.len() + 1..].fill(b'=');
        out.write_all(&four)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let of = |text: &str| {
            let mut out = Vec::new();
            base64(&mut out, text.as_bytes()).unwrap();
            String::from_utf8(out).unwrap()
        };
        // Test vectors of RFC 4648, section 10.
        let known =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (text, expected) in known {
            assert_eq!(of(text), expected);
        }
    }

    #[test]
    fn the_file_is_whole_and_its_size_is_foretold() {
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("cube.toml");
        std::fs::write(&scene, crate::testing::CUBE).unwrap();
        let source = Source::open(&scene).unwrap();
        let data = Embedded::of(&source, Choice::All, &Wanted::ALL);
        assert_eq!((data.times.as_slice(), data.contacts.len()), ([0.0].as_slice(), 1));
        let file = folder.path().join("cube.html");
        data.write(&file).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let foretold = data.size() as f64 / text.len() as f64;
        assert!((0.9..1.1).contains(&foretold), "{foretold}");
        for needed in ["cairn-model", "cairn-motions-0", "cairn-contacts-0", "</html>", "<style>"] {
            assert!(text.contains(needed), "no {needed}");
        }
        for gone in ["src=\"main.js\"", "href=\"style.css\"", "\nimport "] {
            assert!(!text.contains(gone), "{gone} is still there");
        }
    }
}
