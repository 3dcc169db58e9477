//! Large arrays on large pages.
//!
//! A step goes through the contacts of a large collection in several orders. With pages of 4 kB the processor then spends a twentieth of
//! the step, and more, looking up where they are. Linux has pages of 2 MB for those who ask; nothing else changes.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, with the wish for large pages where at least one fits.
pub struct LargePages;

/// Bytes of a large page.
const LARGE: usize = 2 << 20;
/// The system is asked about whole pages of this many bytes; where pages are larger, it does not listen.
#[cfg(target_os = "linux")]
const PAGE: usize = 4 << 10;

/// Asks for large pages under a block; where there are none, nothing happens. The pages at both ends go with it, so that a mapping stays
/// one piece.
#[cfg(target_os = "linux")]
fn ask(block: *mut u8, bytes: usize) {
    if bytes < LARGE || block.is_null() {
        return;
    }
    let before = block.addr() % PAGE;
    // SAFETY: the advice changes no content, whoever it belongs to.
    unsafe { libc::madvise(block.sub(before).cast(), (before + bytes).next_multiple_of(PAGE), libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask(_: *mut u8, _: usize) {}

// SAFETY: all blocks are the system's.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's, here and below.
        let block = unsafe { System.alloc(layout) };
        ask(block, layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's, in all of this function.
        let block = unsafe { System.alloc_zeroed(layout) };
        ask(block, layout.size());
        block
    }

    /// A block that grows large is copied: the system would move its small pages, and keep them.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        if bytes < LARGE {
            // SAFETY: the caller's, in all of this function.
            return unsafe { System.realloc(block, layout, bytes) };
        }
        // SAFETY: as above; the new block does not meet the old one, and has room for what is copied.
        unsafe {
            let larger = self.alloc(Layout::from_size_align_unchecked(bytes, layout.align()));
            if !larger.is_null() {
                std::ptr::copy_nonoverlapping(block, larger, layout.size().min(bytes));
                self.dealloc(block, layout);
            }
            larger
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's, in all of this function.
        unsafe { System.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_keeps_its_content_as_it_grows_and_shrinks_past_a_large_page() {
        let layout = |bytes: usize| Layout::from_size_align(bytes, 64).unwrap();
        let sizes = [1000, LARGE - 1, LARGE, 3 * LARGE + 17, 2 * LARGE, 500];
        // SAFETY: each block is written and read within its size, grown from its own layout, and freed once.
        unsafe {
            let mut block = LargePages.alloc_zeroed(layout(sizes[0]));
            (0..500).for_each(|i| assert_eq!(block.add(i).replace(i as u8), 0));
            for pair in sizes.windows(2) {
                block = LargePages.realloc(block, layout(pair[0]), pair[1]);
                assert!(!block.is_null() && block.align_offset(64) == 0);
                assert!((0..500).all(|i| *block.add(i) == i as u8));
                block.add(pair[1] - 1).write(7);
                block.add(499).write(499usize as u8);
            }
            LargePages.dealloc(block, layout(500));
            let zeroed = LargePages.alloc_zeroed(layout(2 * LARGE));
            assert!((0..2 * LARGE).all(|i| *zeroed.add(i) == 0));
            LargePages.dealloc(zeroed, layout(2 * LARGE));
        }
    }
}
