//! The bytes of a file, read as words of text or as binary numbers, with the place for messages.

use super::GmshError;

/// A file that is being read.
pub(super) struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the last thing read began: errors about its value point there.
    before: usize,
    is_binary: bool,
    is_swapped: bool,
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8]) -> Source<'a> {
        Source { bytes, at: 0, before: 0, is_binary: false, is_swapped: false }
    }

    /// Whether numbers are binary.
    pub fn is_binary(&self) -> bool {
        self.is_binary
    }

    /// Where the last thing read began; see [`Source::place_of`].
    pub fn offset(&self) -> usize {
        self.before
    }

    /// A place in words. Lines are counted only when one is asked for.
    pub fn place_of(&self, at: usize) -> String {
        if self.is_binary {
            format!("byte {at}")
        } else {
            format!("line {}", 1 + self.bytes[..at].iter().filter(|b| **b == b'\n').count())
        }
    }

    /// An error at the place reached.
    pub fn error(&self, what: &str) -> GmshError {
        GmshError { place: self.place_of(self.at), what: what.to_string() }
    }

    /// An error about the last thing read.
    pub fn error_before(&self, what: &str) -> GmshError {
        GmshError { place: self.place_of(self.before), what: what.to_string() }
    }

    /// The rest of the line, without its end.
    pub fn line(&mut self) -> Result<String, GmshError> {
        if self.at >= self.bytes.len() {
            return Err(self.error("the file ends here: is it truncated?"));
        }
        self.before = self.at;
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        self.at += (length + 1).min(rest.len());
        Ok(String::from_utf8_lossy(&rest[..length]).trim_end_matches('\r').to_string())
    }

    /// The name of the next section, `None` at the end of the file.
    pub fn section(&mut self) -> Result<Option<String>, GmshError> {
        self.skip_space();
        if self.at >= self.bytes.len() {
            return Ok(None);
        }
        let line = self.line()?;
        match line.trim().strip_prefix('$') {
            Some(name) if !name.starts_with("End") => Ok(Some(name.to_string())),
            _ => Err(self
                .error_before(&format!("expected the start of a section, $Name, and found \"{}\"", shortened(&line)))),
        }
    }

    /// Reads the end of a section.
    pub fn end_section(&mut self, name: &str) -> Result<(), GmshError> {
        self.skip_space();
        let expected = format!("$End{name}");
        if self.at >= self.bytes.len() {
            return Err(self.error(&format!("the file ends before {expected}: is it truncated?")));
        }
        let line = self.line()?;
        if line.trim() == expected {
            return Ok(());
        }
        let found = shortened(&line);
        Err(self
            .error_before(&format!("expected {expected} and found \"{found}\": is the count of the section right?")))
    }

    /// Passes over a section that is not needed.
    pub fn skip_section(&mut self, name: &str) -> Result<(), GmshError> {
        let end = format!("$End{name}");
        let found = self.bytes[self.at..].windows(end.len()).position(|w| w == end.as_bytes());
        let Some(found) = found else {
            return Err(self.error(&format!("the file ends before {end}: is it truncated?")));
        };
        self.at += found;
        self.end_section(name)
    }

    fn skip_space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Switches to binary numbers; the file shows its byte order by the number 1.
    pub fn binary(&mut self) -> Result<(), GmshError> {
        self.is_binary = true;
        let one: [u8; 4] = self.take()?;
        self.is_swapped = match i32::from_le_bytes(one) {
            1 => false,
            0x0100_0000 => true,
            _ => return Err(self.error_before("expected the number 1 in 4 bytes, which shows the byte order")),
        };
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], GmshError> {
        self.before = self.at;
        let Some(bytes) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.error("the file ends within a number: is it truncated?"));
        };
        self.at += N;
        let mut bytes = *bytes;
        if self.is_swapped {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn word(&mut self) -> Result<&'a str, GmshError> {
        self.skip_space();
        self.before = self.at;
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.error("the file ends where a number should be: is it truncated?"));
        }
        self.at += length;
        std::str::from_utf8(&rest[..length]).map_err(|_| self.error_before("expected text and found other bytes"))
    }

    fn parsed<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, GmshError> {
        let word = self.word()?;
        word.parse().map_err(|_| self.error_before(&format!("expected {expected} and found \"{}\"", shortened(word))))
    }

    /// An integer of 4 bytes in binary files.
    pub fn int(&mut self) -> Result<i64, GmshError> {
        if self.is_binary { Ok(i64::from(i32::from_le_bytes(self.take()?))) } else { self.parsed("an integer") }
    }

    /// A count or tag of 8 bytes in binary files of format 4.
    pub fn size(&mut self) -> Result<u64, GmshError> {
        if self.is_binary { Ok(u64::from_le_bytes(self.take()?)) } else { self.parsed("a whole number") }
    }

    /// A coordinate.
    pub fn real(&mut self) -> Result<f64, GmshError> {
        let value = if self.is_binary { f64::from_le_bytes(self.take()?) } else { self.parsed("a number")? };
        if value.is_finite() { Ok(value) } else { Err(self.error_before("expected a finite number")) }
    }

    /// A count of things with at least so many bytes each: one that the rest of the file cannot hold is an error.
    pub fn count(&mut self, least_bytes: usize) -> Result<usize, GmshError> {
        let count = self.size()?;
        self.must_hold(count, least_bytes)
    }

    /// A count on a line of its own, text in binary files too (format 2).
    pub fn count_line(&mut self, least_bytes: usize) -> Result<usize, GmshError> {
        let line = self.line()?;
        let count = line
            .trim()
            .parse()
            .map_err(|_| self.error_before(&format!("expected a count and found \"{}\"", shortened(&line))))?;
        self.must_hold(count, least_bytes)
    }

    /// An error if the rest of the file is too short for a count.
    pub fn must_hold(&self, count: u64, least_bytes: usize) -> Result<usize, GmshError> {
        let rest = (self.bytes.len() - self.at) as u64;
        if count.checked_mul(least_bytes as u64).is_some_and(|need| need <= rest) {
            return Ok(count as usize);
        }
        Err(self.error_before(&format!("a count of {count} is more than the rest of the file holds")))
    }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
