//! The viewer: a page served on loopback, and the same page as one file.
