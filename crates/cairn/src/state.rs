//! The state: all that a run has to save to have the identical future. Everything else is rebuilt from it and the scene.

pub mod block;

use crate::body::Motion;
use crate::contact::Reaction;
use crate::flexible::Field;
use crate::scene::{Control, Now, StageStart};
use crate::space::{Ambient, Space};
use block::Layout;
use cairn_fem::material::Lost;
use std::sync::Arc;

/// State at the end of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct State<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Steps done.
    pub step: u64,
    /// Time [s].
    pub time: f64,
    /// Length of the last step [s]: impulses scale with it when the next step differs.
    pub last_step: f64,
    /// What the blocks that bodies belong to declare of their numbers; it does not change.
    pub blocks: Arc<[Layout]>,
    /// The numbers of rigid bodies: position and velocity, body by body.
    pub motions: Vec<Motion<D>>,
    /// Those of deformable bodies: nodal displacements and velocities, and what materials remember.
    pub fields: Vec<Field>,
    /// Contacts of the last step with their impulses: warm start and law memory of the next one, sorted by key.
    pub reactions: Vec<Reaction<D>>,
    /// When each stage of the scene that has begun did so; one more once the last has ended. Empty without stages.
    pub stages: Vec<StageStart>,
    /// What was set on the way, in the order of the first setting.
    pub controls: Vec<Control>,
    /// Running totals since the start.
    pub ledger: Ledger,
}

impl<const D: usize> State<D>
where
    Space<D>: Ambient<D>,
{
    /// What cells are asked with.
    pub fn now(&self) -> Now<'_> {
        Now { time: self.time, controls: &self.controls, stages: &self.stages }
    }
}

/// What a run is measured by (see `step/repair.rs`), each without a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Margin {
    /// Penetration beyond that of the start, in half widths of the smaller body.
    Penetration,
    /// Drift of a contact while it sticks, in the same.
    Sliding,
    /// Motion of the two bodies of a contact relative to each other in a step, in the same.
    Motion,
    /// Impulse by which the laws are missed in a step, in parts of the largest.
    Impulse,
    /// Strength of the impulses, in units of what loads can explain; measured where they are strong.
    SelfStress,
    /// Energy that the scheme and contacts have brought in so far, in parts of what passed through the account.
    Energy,
}

impl Margin {
    /// How many there are.
    pub const COUNT: usize = 6;
    /// All of them, in the order of their numbers.
    pub const ALL: [Margin; Margin::COUNT] =
        [Margin::Penetration, Margin::Sliding, Margin::Motion, Margin::Impulse, Margin::SelfStress, Margin::Energy];
}

/// The worst of a margin over the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// How much.
    pub value: f64,
    /// When [s].
    pub time: f64,
    /// Between which bodies.
    pub bodies: [u32; 2],
}

/// Totals since t = 0: the energy account and the quality of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Kinetic plus potential energy at the start [J].
    pub initial_energy: f64,
    /// Work of loads other than gravity [J].
    pub work_loads: f64,
    /// Work of prescribed motions [J].
    pub work_drives: f64,
    /// Dissipated by friction [J].
    pub friction: f64,
    /// Dissipated by moments that resist rolling and twisting [J].
    pub rolling: f64,
    /// Dissipated by shocks (normal impulses) [J].
    pub shocks: f64,
    /// Dissipated by the time scheme itself (θ > ½, tri-axial rotation) [J].
    pub scheme: f64,
    /// Dissipated by damage of joints [J].
    pub damage: f64,
    /// Stored in joints at present [J].
    pub joints: f64,
    /// Dissipated by material damping [J].
    pub damping: f64,
    /// Dissipated by materials with memory, by the way it is lost [J].
    pub materials: Lost,
    /// Taken by velocity cancelling [J].
    pub cancelled: f64,
    /// Energy that passed through the account, the scale of its balance [J].
    pub throughput: f64,
    /// Steps whose contact problem did not converge.
    pub unconverged: u64,
    /// Steps that converged by the mean of their contacts, the worst being above the tolerance.
    pub eased: u64,
    /// Worst residual of a step.
    pub worst_residual: f64,
    /// Worst penetration [m].
    pub worst_penetration: f64,
    /// Local problems without a unique solution (Painlevé).
    pub painleve: u64,
    /// Sweeps.
    pub sweeps: u64,
    /// Bonds lost since the start.
    pub broken: u64,
    /// Contact relaxations.
    pub contact_sweeps: u64,
    /// Residual scale of the last step [m/s]: what the next one may repair.
    pub scale: f64,
    /// The step that fictitious masses are made for [s]; 0 before the first step, and without any.
    pub pace: f64,
    /// The worst of each margin.
    pub margins: [Worst; Margin::COUNT],
}
