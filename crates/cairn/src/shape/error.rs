//! What can be wrong with a shape.

use thiserror::Error;

/// Why points or facets do not make a shape.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ShapeError {
    /// A coordinate is infinite or not a number.
    #[error("a coordinate is not a finite number")]
    NotFinite,
    /// Too few points, or all of them in one place (3D: in one plane).
    #[error("the points enclose nothing: too few, or all in one place, line or plane")]
    Degenerate,
    /// More than the program can number.
    #[error("too many {what}: at most {most}")]
    TooMany {
        /// Vertices or facets.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// A facet refers to a vertex that is not there.
    #[error("facet {facet} refers to vertex {vertex}, which does not exist (they count from 0)")]
    NoSuchVertex {
        /// Facet, from 0.
        facet: usize,
        /// Vertex it asks for.
        vertex: usize,
    },
    /// A facet has no length or no area.
    #[error("facet {facet} has no extent: its vertices coincide or lie on a line")]
    FlatFacet {
        /// Facet, from 0.
        facet: usize,
    },
}
