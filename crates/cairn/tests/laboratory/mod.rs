//! What a laboratory does to a sample: runs in chapters, numbers in the history.

mod chapters;
mod measures;
