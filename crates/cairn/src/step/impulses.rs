//! The contact problem of an iteration: masses, links and the response of deformable bodies, solved until all bonds are as supposed.

use super::{Workspace, deform, joints, servo};
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use cairn_solvers::report::{Report, Settings};
use cairn_solvers::strategy::stored::StoredStrategy;
use cairn_solvers::watch::Watched;

/// To be called when the links are there: keeps the free velocities of the masses if the problem may be solved more than once, and starts
/// from rigid modes where the scene says so.
pub(super) fn begin<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>, most_iterations: usize)
where
    Space<D>: Ambient<D>,
{
    work.free_masses.clear();
    let answers = !work.deform.touched.contacts.is_empty() || servo::is_at_work(work);
    if most_iterations > 1 || !work.bonded.is_empty() || answers {
        work.free_masses.extend_from_slice(&work.masses);
    }
    deform::start_from_rigid_modes(scene, work);
}

/// Part of Newton's tolerance to which contacts that press a body are solved.
const PRESSED: f64 = 1e-3;

/// Part of that tolerance to which they are solved anew, where the impulses of the last iteration no longer stand: else they would move by as much
/// as they may in every iteration, and Newton would not come to rest.
const ANEW: f64 = 0.1;

/// How to solve. What presses a body also keeps it from turning: the body by itself is unstable, and what the contacts leave undone grows
/// from iteration to iteration, so that they have to be more exact than Newton wants to be.
fn settings_of<const D: usize>(scene: &Scene<D>, work: &Workspace<D>, h: f64) -> Settings<'static>
where
    Space<D>: Ambient<D>,
{
    let mut settings = work.repair.settings(scene, h);
    if work.deform.is_pressed() {
        settings.tolerance = settings.tolerance.min(PRESSED * scene.newton.tolerance);
    }
    settings
}

/// Solves the problem of the present iterate; impulses and velocities go to the links and masses. Impulses of the last iteration that
/// still solve it stay as they are: Newton would not come to rest on an answer that moves within its tolerance. What is reported is of no
/// use if who waits for the step has asked to stop.
pub(super) fn solve<const D: usize>(
    scene: &Scene<D>,
    work: &mut Workspace<D>,
    h: f64,
    changed: bool,
    iteration: usize,
) -> Report
where
    Space<D>: Ambient<D>,
{
    if iteration > 0 {
        joints::reset_trial(scene, work);
    }
    if !deform::update_boundary(scene, work, changed) {
        return Report::default();
    }
    if servo::is_at_work(work) {
        servo::update_boundary(work);
    }
    let watch = work.watch.clone();
    let settings = Settings { watch: Watched::by(watch.as_deref()), ..settings_of(scene, work, h) };
    let tolerance = if work.deform.is_pressed() { ANEW * settings.tolerance } else { settings.tolerance };
    let anew = Settings { tolerance, ..settings };
    let (boundary, free) = (std::mem::take(&mut work.boundary), std::mem::take(&mut work.free_masses));
    let mut on_stored_w = StoredStrategy::new(&free, &boundary, &work.links);
    let may_stand = iteration > 0 && work.bonded.is_empty();
    let solve = |work: &mut Workspace<D>| {
        if !free.is_empty() {
            work.masses.copy_from_slice(&free);
        }
        let Workspace { masses, links, rolls, strategy, .. } = work;
        if may_stand && rolls.is_empty() {
            if let Some(report) = on_stored_w.stands(masses, links, &settings) {
                return report;
            }
            masses.copy_from_slice(&free);
        }
        if boundary.is_empty() {
            return strategy.solve(masses, links, rolls, &anew);
        }
        let mut report = on_stored_w.solve(strategy.matrix_free(), masses, links, rolls, &anew);
        report.converged |= !report.not_finite && report.residual <= scene.solver.tolerance;
        report
    };
    let report = joints::solve_with_bonds(scene, work, solve);
    (work.boundary, work.free_masses) = (boundary, free);
    servo::answer(work);
    report
}
