//! Loops over many bodies or contacts, shared out to threads. Each item is made from its number alone, and sums are made over chunks of a
//! fixed size and joined in order: the same bits for any number of threads.

use rayon::prelude::*;

/// Items that a thread takes at a time; also the unit of summation.
pub const CHUNK: usize = 4096;

/// Do threads pay for so many items?
pub fn is_shared(count: usize) -> bool {
    count > 2 * CHUNK && rayon::current_num_threads() > 1
}

/// Runs `work` among the threads, so that its loops are shared out at once: from outside each of them would wait for a thread to wake.
pub fn among_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_num_threads() == 1 || rayon::current_thread_index().is_some() {
        return work();
    }
    rayon::scope(|_| work())
}

/// Fills `out` with `of(0)`, `of(1)`, … .
pub fn fill<T: Send>(out: &mut Vec<T>, count: usize, of: impl Fn(usize) -> T + Sync) {
    if is_shared(count) {
        (0..count).into_par_iter().with_min_len(CHUNK).map(&of).collect_into_vec(out);
    } else {
        out.clear();
        out.extend((0..count).map(of));
    }
}

/// Fills two lists at once.
pub fn fill_two<A: Send, B: Send>(
    (first, second): (&mut Vec<A>, &mut Vec<B>),
    count: usize,
    of: impl Fn(usize) -> (A, B) + Sync,
) {
    if is_shared(count) {
        (0..count).into_par_iter().with_min_len(CHUNK).map(&of).unzip_into_vecs(first, second);
        return;
    }
    first.clear();
    second.clear();
    for (a, b) in (0..count).map(of) {
        first.push(a);
        second.push(b);
    }
}

/// What `of` makes of each chunk of the items and its first number, in order.
pub fn over_chunks<T: Send, R: Send>(items: &mut [T], of: impl Fn(usize, &mut [T]) -> R + Sync) -> Vec<R> {
    let of_chunk = |(k, chunk): (usize, &mut [T])| of(k * CHUNK, chunk);
    if is_shared(items.len()) {
        items.par_chunks_mut(CHUNK).enumerate().map(of_chunk).collect()
    } else {
        items.chunks_mut(CHUNK).enumerate().map(of_chunk).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_gives_the_same_lists_and_sums() {
        let count = 3 * CHUNK + 17;
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut one, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
                fill(&mut one, count, |i| (i as f64).sin());
                fill_two((&mut left, &mut right), count, |i| (i, 0.1 * i as f64));
                let sums = over_chunks(&mut one, |first, part| part.iter().sum::<f64>() + first as f64);
                let total: f64 = sums.iter().sum();
                (one, left, right, sums.len(), total.to_bits())
            })
        };
        let alone = run(1);
        assert_eq!((alone.0.len(), alone.1[count - 1], alone.3), (count, count - 1, 4));
        assert_eq!(alone, run(3));
    }
}
