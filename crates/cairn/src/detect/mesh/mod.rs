//! Contact of meshes: candidate points of a skin against rigid shapes, other skins, and the skin itself; corners of rigid shapes and
//! balls against the facets of a skin, rigid edges against its rims.
//!
//! A [`Skin`] is what does not change: facets, candidate points with weights and areas. A [`Pose`] is the skin where its
//! nodes are now. [`detect_meshes`] finds all touches of a scene; each is a point of the candidate mesh, so that a contact
//! keeps its identity (the number of the point, within the pair of bodies) while it slides from facet to facet.
//!
//! Who is candidate is the scene's choice. One pass, the lower number the candidate, is right for blocks whose faces
//! match; bodies that differ in fineness do best with the finer one, or both, as candidates. In one pass corners and sharp edges of the
//! antagonist look in their turn, where no point of the candidate is near.

mod against_rigid;
mod against_skin;
mod candidates;
mod closest;
mod edges_into_rims;
mod facet;
mod gather;
mod point_ball;
mod point_half_space;
mod point_hollow;
pub(in crate::detect) mod point_polygon;
pub(in crate::detect) mod point_polyhedron;
mod point_surface;
mod pose;
mod pressure;
mod rigid_into_skin;
mod rims;
mod skin;
#[cfg(test)]
mod tests;
mod tree;
#[cfg(test)]
mod wall_tests;

pub use against_rigid::with_rigid;
pub use against_skin::{PlacedSkin, own_depths, with_itself, with_skin};
pub use candidates::{Candidate, NodeWeights};
pub use facet::Facet;
pub use gather::{MeshContact, MeshPart, Pairing, Passes, detect_meshes};
pub use pose::Pose;
pub use pressure::PointForce;
pub use rigid_into_skin::rigid_with_skin;
pub use skin::{Breadth, Points, Skin, SkinChoice, SkinError};

use crate::contact::Touch;

/// A point meets a surface only if their normals are opposed by more than this (cosine): two faces of blocks at right
/// angles never meet, even when the blocks are strained.
pub(crate) const FACING: f64 = 0.05;

/// How far a point ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchRange {
    /// Largest gap [m].
    pub max_gap: f64,
    /// Largest penetration [m]; a facet that sees a point farther behind it is not meant by it. Less than the thickness
    /// of the bodies: half of [`Skin::size`] is a good choice.
    pub max_penetration: f64,
}

/// A touch of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshTouch<const D: usize> {
    /// Point, normal from the antagonist to the candidate, gap; the feature is the number of the candidate point.
    pub touch: Touch<D>,
    /// How it holds the candidate mesh; empty if the candidate is rigid.
    pub candidate: NodeWeights,
    /// How it holds the antagonist mesh; none if the antagonist is rigid.
    pub antagonist: Option<NodeWeights>,
    /// Facet of the antagonist mesh.
    pub facet: Option<u32>,
}
