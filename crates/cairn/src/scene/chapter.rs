//! What changes when a stage begins: gravity, laws, settings of the solver, who is held, released or taken away, velocities.
//!
//! A chapter says all of it for its stage, whatever the stages before said. So the scene of a stage follows from its number alone, and a
//! run that goes on in the middle has the scene of one that was never stopped.

use super::{History, Scene, Solver};
use crate::law::Law;
use crate::space::{Ambient, Moments, Space, Spin, Vect};

/// The scene of a stage, as far as stages change it.
#[derive(Clone, Debug)]
pub struct Chapter<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Gravity [m/s²], times its history.
    pub gravity: (Vect<D>, History),
    /// Parts of it with their histories, if the scene is tilted.
    pub tilt: Vec<(Vect<D>, History)>,
    /// The distinct laws.
    pub laws: Vec<Law>,
    /// Which of them is that of a pair of materials.
    pub law_of: Vec<u16>,
    /// Contact solver.
    pub solver: Solver,
    /// Components that are held or driven, in the order of [`Scene::varying`].
    pub held: Vec<[bool; 6]>,
    /// Who has been taken away, in the same order.
    pub is_gone: Vec<bool>,
    /// Velocities that are given when the stage begins.
    pub kicks: Vec<Kick<D>>,
}

/// A velocity given to a rigid body.
#[derive(Clone, Debug)]
pub struct Kick<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Body.
    pub body: u32,
    /// Velocity of its centre [m/s].
    pub velocity: Vect<D>,
    /// Angular velocity, world axes [rad/s].
    pub spin: Spin<D>,
}

/// A body that is held in some stages only, or taken away, and what it is when it moves.
#[derive(Clone, Debug)]
pub struct Varying<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Body.
    pub body: u32,
    /// Mass [kg].
    pub mass: f64,
    /// Principal moments of inertia [kg·m²].
    pub moments: Moments<D>,
}

impl<const D: usize> Scene<D>
where
    Space<D>: Ambient<D>,
{
    /// Makes the scene that of a stage, if stages change anything. Histories are still to be told when stages began.
    pub(super) fn open_chapter(&mut self, stage: usize) {
        let Some(chapter) = self.chapters.get(stage) else { return };
        self.gravity = chapter.gravity.clone();
        self.tilt = chapter.tilt.clone();
        (self.laws, self.law_of) = (chapter.laws.clone(), chapter.law_of.clone());
        self.solver = chapter.solver.clone();
        for ((varying, held), is_gone) in self.varying.iter().zip(&chapter.held).zip(&chapter.is_gone) {
            let body = &mut self.bodies[varying.body as usize];
            (body.held, body.is_gone) = (*held, *is_gone);
            body.mass = if body.is_obstacle() { f64::INFINITY } else { varying.mass };
            body.moments = varying.moments;
        }
        self.drives.iter_mut().for_each(|drive| drive.is_active = drive.span.holds(stage));
    }

    /// The components of a body that are prescribed to move in the present stage.
    pub fn is_driven(&self, body: u32) -> [bool; 6] {
        let mut driven = [false; 6];
        for drive in self.drives.iter().filter(|drive| drive.is_active && drive.body == body) {
            driven[drive.component] = true;
        }
        driven
    }
}
