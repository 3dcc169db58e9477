//! What a program may change while a scene runs: velocities of drives, factors of loads, friction. The changes are part of the state,
//! so that a saved run goes on with them.

use super::{DriveKind, History, Scene};
use crate::law::Friction;
use crate::space::{Ambient, Space};

/// What a control acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Target {
    /// The drives of a name: their velocity from now on [m/s, rad/s].
    Drive = 0,
    /// The loads of a name: their factor (of a pressure: its value [Pa]) from now on.
    Load = 1,
    /// The friction coefficient between two materials from now on.
    Friction = 2,
    /// The strain by which a cell has given way to a prescribed stress: it comes about, and is not set.
    CellStrain = 3,
    /// Its rate [1/s].
    CellRate = 4,
}

/// A value that was set, and goes on until it is set again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// What is set.
    pub target: Target,
    /// Which one: the first drive or load of the name in the order of the scene; for friction `a * materials + b`, a ≤ b.
    pub number: u32,
    /// The value.
    pub value: f64,
}

/// A control that cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// Nothing of this name.
    #[error("there is no {what} of the name `{name}`: {known}")]
    Unknown {
        /// Drive, load, material, body …
        what: &'static str,
        /// The name.
        name: String,
        /// Names that there are.
        known: String,
    },
    /// Not a value that it can have.
    #[error("{what} cannot be {value}")]
    Value {
        /// What was to be set.
        what: &'static str,
        /// The value.
        value: f64,
    },
}

impl ControlError {
    /// Nothing of this name among `known`.
    pub fn unknown<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let mut known: Vec<&str> = known.filter(|k| !k.is_empty()).collect();
        known.dedup();
        Self::Unknown { what, name: name.to_string(), known: super::document::suggest(name, "names", &known) }
    }
}

impl Control {
    /// Takes its place among others: that of the same target, or the last.
    pub fn put(self, among: &mut Vec<Control>) {
        match among.iter_mut().find(|known| (known.target, known.number) == (self.target, self.number)) {
            Some(known) => *known = self,
            None => among.push(self),
        }
    }
}

impl<const D: usize> Scene<D>
where
    Space<D>: Ambient<D>,
{
    /// The control of the drives or loads of a name.
    pub fn control(&self, target: Target, name: &str, value: f64) -> Result<Control, ControlError> {
        let (what, names) = match target {
            Target::Load => ("load", self.load_names()),
            _ => ("drive", self.drive_names()),
        };
        if !value.is_finite() {
            return Err(ControlError::Value { what, value });
        }
        let found = names.iter().position(|n| *n == name && !name.is_empty());
        let number = found.ok_or_else(|| ControlError::unknown(what, name, names.iter().copied()))?;
        Ok(Control { target, number: number as u32, value })
    }

    /// The control of friction between two materials.
    pub fn control_friction(&self, between: [&str; 2], value: f64) -> Result<Control, ControlError> {
        if !(value.is_finite() && value >= 0.0) {
            return Err(ControlError::Value { what: "friction", value });
        }
        let material = |name: &str| {
            let known = || self.materials.iter().map(|m| m.name.as_str());
            known().position(|m| m == name).ok_or_else(|| ControlError::unknown("material", name, known()))
        };
        let (a, b) = (material(between[0])?, material(between[1])?);
        let number = (a.min(b) * self.materials.len() + a.max(b)) as u32;
        Ok(Control { target: Target::Friction, number, value })
    }

    /// Makes the scene obey these controls; those that are not of this scene are left out.
    pub fn obey(&mut self, controls: &[Control]) {
        for control in controls {
            match control.target {
                Target::Drive => self.obey_drive(control),
                Target::Load => self.obey_load(control),
                Target::Friction => self.obey_friction(control),
                // Asked for where it is wanted.
                Target::CellStrain | Target::CellRate => {}
            }
        }
    }

    fn obey_drive(&mut self, control: &Control) {
        let Some(name) = self.drive_names().get(control.number as usize).map(|n| n.to_string()) else { return };
        let history = History::Constant(control.value);
        for drive in self.drives.iter_mut().filter(|d| d.name == name) {
            (drive.kind, drive.history) = (DriveKind::Velocity, history.clone());
        }
        for drive in self.flexibles.iter_mut().flat_map(|f| &mut f.drives).filter(|d| d.name == name) {
            (drive.kind, drive.history) = (DriveKind::Velocity, history.clone());
        }
    }

    fn obey_load(&mut self, control: &Control) {
        let Some(name) = self.load_names().get(control.number as usize).map(|n| n.to_string()) else { return };
        let history = History::Constant(control.value);
        let rigid = self.loads.iter_mut().filter(|l| l.name == name).map(|l| &mut l.history);
        let nodes = self.flexibles.iter_mut().flat_map(|f| &mut f.loads).filter(|l| l.name == name);
        rigid.chain(nodes.map(|l| &mut l.history)).for_each(|h| *h = history.clone());
    }

    /// Other pairs of materials may share the law: this one gets its own.
    fn obey_friction(&mut self, control: &Control) {
        let count = self.materials.len();
        let (a, b) = (control.number as usize / count, control.number as usize % count);
        let Some(&old) = self.law_of.get(a * count + b) else { return };
        let Some(mut law) = self.laws.get(usize::from(old)).cloned() else { return };
        law.friction = Friction::constant(control.value);
        let pairs = self.law_of.iter().filter(|l| **l == old).count();
        let new = if pairs == 1 + usize::from(a != b) { usize::from(old) } else { self.laws.len() };
        if new == self.laws.len() {
            self.laws.push(law);
        } else {
            self.laws[new] = law;
        }
        self.law_of[a * count + b] = new as u16;
        self.law_of[b * count + a] = new as u16;
    }

    /// Names of all drives, those of rigid bodies first; empty where there is none.
    pub fn drive_names(&self) -> Vec<&str> {
        let nodes = self.flexibles.iter().flat_map(|f| &f.drives).map(|d| d.name.as_str());
        self.drives.iter().map(|d| d.name.as_str()).chain(nodes).collect()
    }

    /// Names of all loads, those of rigid bodies first; empty where there is none.
    pub fn load_names(&self) -> Vec<&str> {
        let nodes = self.flexibles.iter().flat_map(|f| &f.loads).map(|l| l.name.as_str());
        self.loads.iter().map(|l| l.name.as_str()).chain(nodes).collect()
    }
}
