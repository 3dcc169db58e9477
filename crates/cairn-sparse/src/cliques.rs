//! Lists of indices of different lengths, one after the other: the nodes of each element.

/// Groups of indices that are all coupled with each other, as the nodes of an element are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cliques {
    ends: Vec<u32>,
    members: Vec<u32>,
}

impl Cliques {
    /// Cliques from any lists.
    pub fn from_lists<L: AsRef<[u32]>>(lists: impl IntoIterator<Item = L>) -> Cliques {
        let mut cliques = Cliques::default();
        for list in lists {
            cliques.push(list.as_ref());
        }
        cliques
    }

    /// Adds one clique at the end.
    pub fn push(&mut self, members: &[u32]) {
        self.members.extend_from_slice(members);
        self.ends.push(self.members.len() as u32);
    }

    /// Number of cliques.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Members of one clique.
    pub fn get(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.members[start..self.ends[index] as usize]
    }

    /// All cliques in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|i| self.get(i))
    }
}
