//! Fixed surface: chain of segments or triangles.
use crate::space::Vect;
/// Facets of D vertices each, solid side behind the normal.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface<const D: usize> {
    /// Vertices.
    pub vertices: Vec<Vect<D>>,
    /// Vertex numbers, D per facet.
    pub facets: Vec<[u32; D]>,
}
