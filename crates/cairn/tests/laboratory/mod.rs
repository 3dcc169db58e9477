//! What a laboratory does to a sample: runs in chapters, periodic cells, numbers in the history.

mod cell;
mod chapters;
mod measures;
mod servo;
