//! Stresses that a periodic cell is kept at: it gives way until what its bodies carry is what is prescribed.
//!
//! With ε the strain by which the cell gives way and V its volume, power V σ ε̇ goes in. The cell has as much inertia as its bodies have in a
//! homogeneous strain about the middle, m L²/12, so that it follows them as fast as they themselves can move: there is no gain to be found.
//! The balance is `crates/cairn/src/step/servo.rs`.

use super::cell::AXES;
use super::control::{Control, Target};
use super::document::Table;
use super::history::History;
use super::motions::span;
use super::stages::beginning;
use super::{Span, StageStart, histories};

/// Time, and what has been set or has come about on the way.
#[derive(Clone, Copy, Debug)]
pub struct Now<'a> {
    /// Time [s].
    pub time: f64,
    /// Among others, the strains by which cells have given way.
    pub controls: &'a [Control],
    /// When each stage began: a cell is asked about any stored state.
    pub stages: &'a [StageStart],
}

impl Now<'_> {
    /// The value of a history.
    pub fn value(&self, history: &History) -> f64 {
        let History::Staged { stage, then, .. } = history else { return history.at(self.time) };
        let begun = self.stages.get(*stage).filter(|start| start.time <= self.time);
        begun.map_or(0.0, |start| then.at(self.time - start.time))
    }
}

/// What is kept at a stress.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Component {
    /// Direction in which a lattice vector grows, and which vector.
    One(usize, usize),
    /// The mean of the normal stresses of the periodic directions: the cell keeps its shape.
    Mean([bool; 3]),
}

/// A stress that a cell is kept at.
#[derive(Clone, Debug, PartialEq)]
pub struct Servo {
    /// Of which component.
    pub component: Component,
    /// The stress [Pa], positive in tension.
    pub stress: History,
    /// In which stages; after them the strain stays as it is.
    pub span: Span,
    /// In the present one?
    pub is_active: bool,
}

impl Servo {
    /// The components of strain that follow it.
    pub fn directions(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let component = self.component;
        (0..3).filter_map(move |k| match component {
            Component::One(row, column) => (k == 0).then_some((row, column)),
            Component::Mean(periodic) => periodic[k].then_some((k, k)),
        })
    }
}

impl Control {
    /// The strain of a servo and its rate [1/s], both 0 before it has moved.
    pub fn strain_of(controls: &[Control], servo: usize) -> [f64; 2] {
        let value = |target: Target| {
            let of = controls.iter().find(|c| (c.target, c.number) == (target, servo as u32));
            of.map_or(0.0, |control| control.value)
        };
        [value(Target::CellStrain), value(Target::CellRate)]
    }
}

/// `[[cell.stress]]`.
pub(super) fn servo(t: &Table, periodic: [bool; 3]) -> Option<Servo> {
    let one = |row, column| Component::One(row, column);
    let words = [
        (
            "mean",
            "mean of the normal stresses of all periodic directions; the cell keeps its shape",
            Component::Mean(periodic),
        ),
        ("xx", "normal stress along x", one(0, 0)),
        ("yy", "normal stress along y", one(1, 1)),
        ("zz", "normal stress along z", one(2, 2)),
        ("xy", "shear stress: what is above in y is carried along x", one(0, 1)),
        ("xz", "shear stress: what is above in z is carried along x", one(0, 2)),
        ("yz", "shear stress: what is above in z is carried along y", one(1, 2)),
    ];
    let component = t.choice("component", "which stress", &words).required();
    let stress = histories::history(t, "stress", "stress in time, positive in tension [Pa]").required();
    let beginning = beginning(t);
    let first = beginning.as_ref().and_then(|b| b.stage()).unwrap_or(0);
    let span = span(t, first, "the cell stays as it is when this stage begins [default: kept to the end]");
    let (component, stress) = (component?, stress?);
    let dimension = t.reader.dimension.get();
    if let Component::One(_, column) = component {
        if column >= dimension {
            t.wrong("component", format!("`{}`: in 2D there are mean, xx, yy, xy", t.path_of("component")), "3D only");
            return None;
        }
        if !periodic[column] {
            let message = format!(
                "a stress that moves the lattice vector of {}, in which the cell is not periodic",
                AXES[column]
            );
            t.wrong("component", message, "no such vector");
            return None;
        }
    }
    Some(Servo { component, stress: beginning?.of(stress), span: span?, is_active: true })
}

/// Complains if a component is kept at two stresses at once.
pub(super) fn must_not_meet(t: &Table, servos: &[Servo]) -> Option<()> {
    let shared = |a: &Servo, b: &Servo| a.directions().any(|one| b.directions().any(|other| one == other));
    let meet =
        servos.iter().enumerate().any(|(k, a)| servos[..k].iter().any(|b| a.span.meets(&b.span) && shared(a, b)));
    if meet {
        t.wrong("stress", format!("`{}` keeps a component at two stresses at once", t.path_of("stress")), "which one?");
        return None;
    }
    Some(())
}
