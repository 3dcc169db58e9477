//! The step, compiled here once for each dimension. A generic function is compiled anew in every program that calls it: for the step,
//! with all of detection and the solvers below it, that was most of the time that building a program or its tests took.

use super::{StepError, StepReport, Workspace, take_step};
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use crate::state::State;
use crate::threads;

/// Unknowns of deformable bodies from which on a step has loops enough for threads.
const MANY_DOFS: usize = 2000;

/// Are loops of the step shared out to threads?
fn is_shared<const D: usize>(scene: &Scene<D>, state: &State<D>) -> bool
where
    Space<D>: Ambient<D>,
{
    let dofs: usize = scene.flexibles.iter().map(|body| body.model.dofs()).sum();
    threads::is_shared(state.reactions.len()) || dofs >= MANY_DOFS
}

/// The step, among the threads if it makes use of them.
macro_rules! step {
    ($scene:ident, $state:ident, $work:ident) => {
        if is_shared($scene, $state) {
            threads::among_threads(|| take_step($scene, $state, $work))
        } else {
            take_step($scene, $state, $work)
        }
    };
}

/// What [`super::step`] calls.
pub trait Compiled<const D: usize> {
    /// One step.
    fn step(scene: &Scene<D>, state: &mut State<D>, work: &mut Workspace<D>) -> Result<StepReport, StepError>
    where
        Space<D>: Ambient<D>;
}

impl Compiled<2> for Space<2> {
    fn step(scene: &Scene<2>, state: &mut State<2>, work: &mut Workspace<2>) -> Result<StepReport, StepError> {
        step!(scene, state, work)
    }
}

impl Compiled<3> for Space<3> {
    fn step(scene: &Scene<3>, state: &mut State<3>, work: &mut Workspace<3>) -> Result<StepReport, StepError> {
        step!(scene, state, work)
    }
}
