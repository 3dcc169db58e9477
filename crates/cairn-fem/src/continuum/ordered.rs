//! Cells computed by threads and summed in their order, so that no bit depends on how many there are.

use rayon::prelude::*;

/// Cells that are computed before they are summed, and those that a thread takes at least.
const CELLS: usize = 256;
const CELLS_PER_TASK: usize = 16;

/// Computes an answer for each item and takes the answers one by one, in the order of the items. One thread computes and takes in turns.
pub(super) fn in_order<I: Send, T: Send>(
    mut items: impl Iterator<Item = I>,
    compute: impl Fn(I) -> T + Sync,
    mut take: impl FnMut(usize, T),
) {
    if rayon::current_num_threads() == 1 {
        items.enumerate().for_each(|(index, item)| take(index, compute(item)));
        return;
    }
    let mut first = 0;
    loop {
        let some: Vec<I> = items.by_ref().take(CELLS).collect();
        if some.is_empty() {
            return;
        }
        let count = some.len();
        let answers: Vec<T> = some.into_par_iter().with_min_len(CELLS_PER_TASK).map(&compute).collect();
        answers.into_iter().enumerate().for_each(|(i, answer)| take(first + i, answer));
        first += count;
    }
}
