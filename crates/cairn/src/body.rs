//! Rigid bodies: what does not change during a run, and how each moves.

use crate::shape::Shape;
use crate::space::{Ambient, Moments, Placement, Space, Spin, Vect};

/// Position and velocity of a rigid body: its part of the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Centre of mass and orientation (body axes are principal).
    pub place: Placement<D>,
    /// Velocity of the centre of mass [m/s].
    pub velocity: Vect<D>,
    /// Angular velocity, world axes [rad/s].
    pub spin: Spin<D>,
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Body<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Index in [`crate::scene::Scene::groups`].
    pub group: u32,
    /// Number within its group, from 0.
    pub number: u32,
    /// Index in [`crate::scene::Scene::materials`].
    pub material: u16,
    /// Mass [kg] (2D: kg per metre of depth). Infinite for a body that is fixed or driven in all components.
    pub mass: f64,
    /// Principal moments of inertia [kg·m²].
    pub moments: Moments<D>,
    /// First part and number of parts in [`crate::scene::Scene::parts`].
    pub parts: (u32, u32),
    /// Components that are held or driven: x, y(, z), then rotation(s). They never respond to impulses.
    pub held: [bool; 6],
    /// Has a stage taken it away? It is held then, and touches nothing.
    pub is_gone: bool,
}

impl<const D: usize> Body<D>
where
    Space<D>: Ambient<D>,
{
    /// Held or driven in every component: an obstacle to the others, with no equation of its own.
    pub fn is_obstacle(&self) -> bool {
        self.held[..D + Space::<D>::SPINS].iter().all(|&h| h)
    }
}

/// A primitive shape attached to a body.
#[derive(Clone, Debug)]
pub struct Part<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// The body it belongs to.
    pub body: u32,
    /// What it is.
    pub shape: Shape<D>,
    /// Where it is in the body's frame.
    pub local: Placement<D>,
    /// Radius of the bounding ball about the part's origin [m]; infinite for unbounded shapes.
    pub radius: f64,
}
