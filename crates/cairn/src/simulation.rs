//! A scene in motion: the state and the buffers to step it.

use crate::body::{Body, Motion};
use crate::contact::Reaction;
use crate::measure;
use crate::scene::{Control, DriveKind, Kick, Scene, StageStart, Target};
use crate::space::{Ambient, Space, Spin, Vect};
use crate::state::{Ledger, State};
use crate::step::{StepError, StepReport, Workspace, step};

/// A running scene.
pub struct Simulation<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// What does not change but when a stage begins.
    pub scene: Scene<D>,
    /// What does.
    pub state: State<D>,
    /// Buffers.
    pub work: Workspace<D>,
}

/// A copy has the same future, bit for bit: its buffers are rebuilt.
impl<const D: usize> Clone for Simulation<D>
where
    Space<D>: Ambient<D>,
{
    fn clone(&self) -> Self {
        let mut work = Workspace::default();
        work.measures_equilibrium = self.work.measures_equilibrium;
        Self { scene: self.scene.clone(), state: self.state.clone(), work }
    }
}

/// Gives a body another velocity and spin, but for components that are held or driven.
fn kick<const D: usize>(body: &Body<D>, motion: &mut Motion<D>, velocity: &Vect<D>, spin: &Spin<D>)
where
    Space<D>: Ambient<D>,
{
    let new = velocity.iter().chain(Space::<D>::spin_slice(spin));
    let old = motion.velocity.iter_mut().chain(Space::<D>::spin_slice_mut(&mut motion.spin));
    old.zip(new).zip(&body.held).filter(|(_, held)| !**held).for_each(|((old, new), _)| *old = *new);
}

/// What a stage holds, and does not drive, comes to rest.
fn stop_held<const D: usize>(scene: &Scene<D>, state: &mut State<D>)
where
    Space<D>: Ambient<D>,
{
    for varying in &scene.varying {
        let (held, driven) = (&scene.bodies[varying.body as usize].held, scene.is_driven(varying.body));
        let motion = &mut state.motions[varying.body as usize];
        let components = motion.velocity.iter_mut().chain(Space::<D>::spin_slice_mut(&mut motion.spin));
        let stopped = components.zip(held.iter().zip(driven)).filter(|(_, (held, driven))| **held && !driven);
        stopped.for_each(|(component, _)| *component = 0.0);
    }
}

/// A cell that is not kept at a stress any more stays as it is.
fn stop_servos<const D: usize>(scene: &Scene<D>, state: &mut State<D>)
where
    Space<D>: Ambient<D>,
{
    let servos = scene.cell.iter().flat_map(|cell| cell.servos.iter().enumerate());
    let is_over = |servo: u32| servos.clone().any(|(k, s)| k as u32 == servo && !s.is_active);
    let rates = state.controls.iter_mut().filter(|control| control.target == Target::CellRate);
    rates.filter(|control| is_over(control.number)).for_each(|control| control.value = 0.0);
}

impl<const D: usize> Simulation<D>
where
    Space<D>: Ambient<D>,
{
    /// At the start of the scene; driven components already have the velocity that they start with.
    pub fn new(mut scene: Scene<D>) -> Self {
        let stages: Vec<_> = scene.stages.first().map(|_| StageStart::default()).into_iter().collect();
        scene.enter(&stages);
        let mut state = State::start(&scene);
        state.stages = stages;
        for drive in scene.drives.iter().filter(|drive| drive.is_active) {
            // What carries the first shifted configuration along the prescribed displacement.
            let ahead = if scene.time.theta < 1.0 { 1.0 - scene.time.theta } else { 1.0 } * scene.time.step;
            let velocity = match drive.kind {
                DriveKind::Velocity => drive.history.at(0.0),
                DriveKind::Displacement => (drive.history.at(ahead) - drive.history.at(0.0)) / ahead,
            };
            let motion = &mut state.motions[drive.body as usize];
            match drive.component.checked_sub(D) {
                None => motion.velocity[drive.component] = velocity,
                Some(k) => Space::<D>::spin_slice_mut(&mut motion.spin)[k] = velocity,
            }
        }
        // Rock under the weight above has been strained before.
        if let Some(first) = scene.chapters.first() {
            for Kick { body, velocity, spin } in &first.kicks {
                kick(&scene.bodies[*body as usize], &mut state.motions[*body as usize], velocity, spin);
            }
        }
        let initial_energy = measure::kinetic_energy(&scene, &state.motions, &state.fields)
            + measure::strain_energy(&scene, &state.fields);
        state.ledger = Ledger { initial_energy, throughput: initial_energy, ..Default::default() };
        Self::resume(scene, state)
    }

    /// From a saved state.
    pub fn resume(mut scene: Scene<D>, state: State<D>) -> Self {
        scene.enter(&state.stages);
        scene.obey(&state.controls);
        Self { scene, state, work: Workspace::default() }
    }

    /// One step; if a stage ends with it, the next one begins.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        let report = step(&self.scene, &mut self.state, &mut self.work)?;
        let State { step, time, stages, .. } = &self.state;
        if self.scene.stage_is_over(stages, (*step, *time), report.unbalanced_force) {
            self.begin_stage();
        }
        Ok(report)
    }

    /// The next stage begins: what it changes of the scene and of the motion, with the energy that comes or goes.
    fn begin_stage(&mut self) {
        let Self { scene, state, .. } = self;
        state.stages.push(StageStart { step: state.step, time: state.time });
        let stage = state.stages.len() - 1;
        if scene.chapters.get(stage).is_none() {
            scene.enter(&state.stages);
            stop_servos(scene, state);
            return;
        }
        let energy = |scene: &Scene<D>, state: &State<D>| {
            measure::kinetic_energy(scene, &state.motions, &state.fields)
                + measure::potential_energy(scene, &state.motions, &state.fields)
        };
        let before = energy(scene, state);
        // Gravity first, then who is held, then what is pushed: each at the cost of its own account.
        let (gravity, tilt) = (scene.gravity.clone(), scene.tilt.clone());
        scene.enter(&state.stages);
        scene.obey(&state.controls);
        stop_servos(scene, state);
        let new = (std::mem::replace(&mut scene.gravity, gravity), std::mem::replace(&mut scene.tilt, tilt));
        stop_held(scene, state);
        let held = energy(scene, state);
        (scene.gravity, scene.tilt) = new;
        let works = [energy(scene, state) - held, held - before];
        state.ledger.work_loads += works[0];
        state.ledger.work_drives += works[1];
        state.ledger.throughput += works[0].abs() + works[1].abs();
        // Buffers know the bodies of the stage before.
        self.work = self.work.fresh();
        for Kick { body, velocity, spin } in self.scene.chapters[stage].kicks.clone() {
            self.set_velocity(body, &velocity, &spin);
        }
    }

    /// Sets a drive, a load or friction from now on: part of the state.
    pub fn set(&mut self, control: Control) {
        control.put(&mut self.state.controls);
        self.scene.obey(&[control]);
    }

    /// Gives a rigid body another velocity [m/s] and spin [rad/s], but for components that are held or driven. The change of its
    /// energy counts as work of loads.
    pub fn set_velocity(&mut self, body: u32, velocity: &Vect<D>, spin: &Spin<D>) {
        let (fixed, motion) = (&self.scene.bodies[body as usize], &mut self.state.motions[body as usize]);
        let energy = |m: &Motion<D>| 0.5 * fixed.mass * m.velocity.norm_squared() + measure::spin_energy(fixed, m);
        let before = *motion;
        kick(fixed, motion, velocity, spin);
        if fixed.mass.is_finite() {
            let work = energy(motion) - energy(&before);
            self.state.ledger.work_loads += work;
            self.state.ledger.throughput += work.abs();
        }
    }

    /// Is there nothing left to do?
    pub fn is_over(&self) -> bool {
        self.scene.is_over(&self.state.stages, self.state.time)
    }

    /// Steps until the scene is over: all stages done, or its end reached.
    pub fn run_to_end(&mut self) -> Result<(), StepError> {
        while !self.is_over() {
            self.step()?;
        }
        Ok(())
    }

    /// Steps until the time reaches `time` (to the nearest step).
    pub fn run_to(&mut self, time: f64) -> Result<(), StepError> {
        let last = (time / self.scene.time.step).round() as u64;
        while self.state.step < last {
            self.step()?;
        }
        Ok(())
    }

    /// Sum of the contact forces on the given bodies [N], mean over the last step.
    pub fn resultant(&self, bodies: &[u32]) -> Vect<D> {
        measure::resultant(&self.state.reactions, bodies, self.state.last_step)
    }

    /// The contacts of the last step.
    pub fn reactions(&self) -> &[Reaction<D>] {
        &self.state.reactions
    }
}
