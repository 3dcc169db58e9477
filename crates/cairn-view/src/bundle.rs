//! A bundle: named arrays of numbers with a JSON header, as one run of bytes. All data go to the page in this form.
//!
//! ```text
//! "CAIRNVW1" │ u32 length of the header │ header, JSON, padded with spaces │ arrays, each padded to 8 bytes
//! ```
//!
//! All numbers are little-endian. The header is an object; its key `arrays` maps each name to
//! `{ "type": "f32" | "u32" | "u8", "width": numbers per item, "at": byte from the start of the arrays, "count": numbers }`.
//! A browser can lay typed arrays over such bytes without touching them: arrays begin at multiples of 8.

use serde_json::{Map, Value, json};

/// First bytes of a bundle: the format and its version.
pub const MAGIC: &[u8; 8] = b"CAIRNVW1";

/// Numbers that an array may hold.
pub trait Number: Copy {
    /// Name of the type in the header.
    const TYPE: &'static str;
    /// Appends the number, little-endian.
    fn put(self, bytes: &mut Vec<u8>);
}

macro_rules! number {
    ($type:ty, $name:literal) => {
        impl Number for $type {
            const TYPE: &'static str = $name;
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    };
}

number!(f32, "f32");
number!(f64, "f64");
number!(u32, "u32");
number!(u8, "u8");

/// A bundle that is being filled.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    header: Map<String, Value>,
    arrays: Map<String, Value>,
    bytes: Vec<u8>,
}

impl Bundle {
    /// An empty bundle.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a value of the header.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        self.header.insert(key.to_string(), value.into());
        self
    }

    /// Adds an array of items of `width` numbers each.
    pub fn array<T: Number>(&mut self, name: &str, width: usize, numbers: impl IntoIterator<Item = T>) -> &mut Self {
        let at = self.bytes.len();
        let mut count = 0usize;
        for number in numbers {
            number.put(&mut self.bytes);
            count += 1;
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        self.arrays.insert(name.to_string(), json!({ "type": T::TYPE, "width": width, "at": at, "count": count }));
        self
    }

    /// The finished bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.header.insert("arrays".to_string(), Value::Object(self.arrays));
        let mut header = Value::Object(self.header).to_string().into_bytes();
        let padded = (MAGIC.len() + 4 + header.len()).next_multiple_of(8) - MAGIC.len() - 4;
        header.resize(padded, b' ');
        let mut out = Vec::with_capacity(MAGIC.len() + 4 + header.len() + self.bytes.len());
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&(header.len() as u32).to_le_bytes());
        out.extend_from_slice(&header);
        out.extend_from_slice(&self.bytes);
        out
    }
}

/// The header of a finished bundle; for tests and tools.
pub fn header(bytes: &[u8]) -> Option<Value> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let length = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize;
    serde_json::from_slice(rest.get(4..4 + length)?).ok()
}

/// An array of a finished bundle as numbers; for tests and tools.
pub fn numbers(bytes: &[u8], name: &str) -> Option<Vec<f64>> {
    let length = u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?) as usize;
    let header = header(bytes)?;
    let entry = header.get("arrays")?.get(name)?;
    let at = 12 + length + entry.get("at")?.as_u64()? as usize;
    let count = entry.get("count")?.as_u64()? as usize;
    let data = bytes.get(at..)?;
    match entry.get("type")?.as_str()? {
        "f32" => {
            data.as_chunks::<4>().0.get(..count).map(|c| c.iter().map(|&b| f32::from_le_bytes(b).into()).collect())
        }
        "f64" => data.as_chunks::<8>().0.get(..count).map(|c| c.iter().map(|&b| f64::from_le_bytes(b)).collect()),
        "u32" => {
            data.as_chunks::<4>().0.get(..count).map(|c| c.iter().map(|&b| u32::from_le_bytes(b).into()).collect())
        }
        "u8" => data.get(..count).map(|c| c.iter().map(|&b| b.into()).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out_aligned() {
        let mut bundle = Bundle::new();
        bundle.set("title", "α, 2D").array("flags", 1, [1u8, 2, 3]).array("x", 3, [0.5f32, -1.0, 2.0]);
        bundle.array("n", 1, [7u32]).array("t", 1, [1.0f64 / 3.0]);
        let bytes = bundle.finish();
        let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        assert_eq!((12 + length) % 8, 0);
        let header = header(&bytes).unwrap();
        assert_eq!(header["title"], "α, 2D");
        for name in ["flags", "x", "n", "t"] {
            assert_eq!(header["arrays"][name]["at"].as_u64().unwrap() % 8, 0);
        }
        assert_eq!(numbers(&bytes, "flags").unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(numbers(&bytes, "x").unwrap(), [0.5, -1.0, 2.0]);
        assert_eq!(numbers(&bytes, "n").unwrap(), [7.0]);
        assert_eq!(numbers(&bytes, "t").unwrap(), [1.0 / 3.0]);
        assert_eq!(numbers(&bytes, "none"), None);
    }
}
