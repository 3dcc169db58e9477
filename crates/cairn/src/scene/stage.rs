//! Stages of a run, one after the other: for a time, or until equilibrium is found. Loads, drives and gravity may begin with a
//! stage; their histories then count from its start.

use super::{Cell, History, Scene};
use crate::space::{Ambient, Space};

/// When a stage began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageStart {
    /// Steps done before it.
    pub step: u64,
    /// Time [s].
    pub time: f64,
}

/// A stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Name in the scene file.
    pub name: String,
    /// How long it lasts; with `equilibrium`, at most [s].
    pub duration: f64,
    /// Ends once all histories rest and the out-of-balance force, relative to the weight, is not above this.
    pub equilibrium: Option<f64>,
    /// Time step h [s].
    pub step: f64,
    /// Are velocities set to zero after each step?
    pub cancel_velocities: bool,
}

/// The stages in which something holds: from one on, up to the beginning of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Number of the first stage.
    pub from: usize,
    /// Number of the first one in which it does not hold any more.
    pub until: usize,
}

impl Span {
    /// All stages.
    pub const ALWAYS: Self = Self { from: 0, until: usize::MAX };

    /// Does it hold in this stage?
    pub fn holds(&self, stage: usize) -> bool {
        (self.from..self.until).contains(&stage)
    }

    /// Is there a stage in which both hold?
    pub fn meets(&self, other: &Self) -> bool {
        self.from.max(other.from) < self.until.min(other.until)
    }
}

impl<const D: usize> Scene<D>
where
    Space<D>: Ambient<D>,
{
    /// Prepares the scene for the stage that a state is in: its step, its way, and the histories that have begun.
    pub fn enter(&mut self, begun: &[StageStart]) {
        let Some(last) = self.stages.len().checked_sub(1) else { return };
        let stage = &self.stages[begun.len().saturating_sub(1).min(last)];
        self.time.step = stage.step;
        self.time.cancel_velocities = stage.cancel_velocities;
        let number = begun.len().saturating_sub(1).min(last);
        self.open_chapter(number);
        let servos = self.cell.iter_mut().flat_map(|cell| &mut cell.servos);
        servos.for_each(|servo| servo.is_active = servo.span.holds(number));
        self.histories_mut().for_each(|history| history.enter(begun));
    }

    /// Is the present stage over after `step` steps, the last of which left this out-of-balance force relative to the weight?
    pub fn stage_is_over(&self, begun: &[StageStart], (step, time): (u64, f64), out_of_balance: f64) -> bool {
        let stage = begun.len().checked_sub(1).and_then(|last| self.stages.get(last));
        let (Some(stage), Some(since)) = (stage, begun.last()) else { return false };
        let rests = || self.histories().all(|history| history.settles() <= time);
        let found = stage.equilibrium.is_some_and(|tolerance| out_of_balance <= tolerance && rests());
        found || (step - since.step) as f64 * stage.step >= stage.duration - 0.5 * stage.step
    }

    /// Is there nothing left to do: all stages done, or the end reached?
    pub fn is_over(&self, begun: &[StageStart], time: f64) -> bool {
        let all_stages = !self.stages.is_empty() && begun.len() > self.stages.len();
        all_stages || time >= self.time.end - 0.5 * self.time.step
    }

    /// Every quantity in time.
    pub fn histories(&self) -> impl Iterator<Item = &History> {
        let bodies = self.drives.iter().map(|d| &d.history).chain(self.loads.iter().map(|l| &l.history));
        let nodes = self
            .flexibles
            .iter()
            .flat_map(|f| f.drives.iter().map(|d| &d.history).chain(f.loads.iter().map(|l| &l.history)));
        let ground = self.ground_acceleration.iter().map(|(_, history)| history);
        let membranes = self.membranes.iter().map(|m| &m.pressure);
        let gravity = std::iter::once(&self.gravity.1).chain(self.tilt.iter().map(|(_, history)| history));
        let cell = self.cell.iter().flat_map(Cell::histories);
        gravity.chain(ground).chain(bodies).chain(nodes).chain(membranes).chain(cell)
    }

    fn histories_mut(&mut self) -> impl Iterator<Item = &mut History> {
        let drives = self.drives.iter_mut().map(|d| &mut d.history);
        let bodies = drives.chain(self.loads.iter_mut().map(|l| &mut l.history));
        let nodes = self.flexibles.iter_mut().flat_map(|f| {
            f.drives.iter_mut().map(|d| &mut d.history).chain(f.loads.iter_mut().map(|l| &mut l.history))
        });
        let ground = self.ground_acceleration.iter_mut().map(|(_, history)| history);
        let membranes = self.membranes.iter_mut().map(|m| &mut m.pressure);
        let gravity = std::iter::once(&mut self.gravity.1).chain(self.tilt.iter_mut().map(|(_, history)| history));
        let cell = self.cell.iter_mut().flat_map(Cell::histories_mut);
        gravity.chain(ground).chain(bodies).chain(nodes).chain(membranes).chain(cell)
    }
}
