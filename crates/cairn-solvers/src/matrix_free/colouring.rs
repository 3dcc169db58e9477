//! Greedy graph colouring: manifolds of one colour share no mass.
//!
//!   manifolds      a–b   b–c   c–d   b–d
//!   colour          0     1     0     2
//!
//! Each manifold takes the lowest colour that neither of its masses has used; the result depends on the order of the list
//! only. A mass with very many contacts (a wall that moves) would need a colour for each: what finds no colour
//! among the first 64 is left to the sequential tail.

/// Colours at most; one bit each.
pub(super) const COLOURS: usize = 64;

/// Marks a manifold without colour.
const NO_COLOUR: u8 = u8::MAX;

/// A colour per manifold. `used` has the colours of each mass so far; `pairs` are slots of masses, `ground` the one that may be shared.
pub(super) fn colour(pairs: impl Iterator<Item = [u32; 2]>, ground: u32, used: &mut [u64], colours: &mut Vec<u8>) {
    colours.clear();
    colours.extend(pairs.map(|[a, b]| {
        let free = !(used[a as usize] | used[b as usize]);
        let bit = free & free.wrapping_neg();
        for slot in [a, b].into_iter().filter(|&slot| slot != ground) {
            used[slot as usize] |= bit;
        }
        if bit == 0 { NO_COLOUR } else { bit.trailing_zeros() as u8 }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_of_a_colour_share_a_mass() {
        let pairs: Vec<[u32; 2]> = (0..500u32).map(|i| [(i * 7) % 50, 50 + (i * 13) % 30]).collect();
        let mut colours = Vec::new();
        colour(pairs.iter().copied(), 80, &mut [0; 81], &mut colours);
        for (i, a) in pairs.iter().enumerate() {
            for (j, b) in pairs[..i].iter().enumerate() {
                let share = a.iter().any(|x| b.contains(x));
                assert!(!share || colours[i] != colours[j] || colours[i] == NO_COLOUR);
            }
        }
    }

    #[test]
    fn ground_is_shared_and_a_crowded_mass_overflows() {
        let mut colours = Vec::new();
        colour([[0, 9], [1, 9], [9, 2]].into_iter(), 9, &mut [0; 10], &mut colours);
        assert_eq!(colours, [0, 0, 0]);
        colour((1..70).map(|i| [0, i]), 70, &mut [0; 71], &mut colours);
        assert_eq!((colours[63], colours[64]), (63, NO_COLOUR));
    }
}
