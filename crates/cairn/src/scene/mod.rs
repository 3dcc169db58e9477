//! A scene: all that a run needs and that does not change during it, in SI units.
//!
//! A [`Document`] has the keys of a scene, from a TOML file, from a text or set by a program; [`Document::scene`] checks it and makes a
//! `Scene` of it; the step only ever sees this.

mod bodies;
mod build;
mod cell;
mod cells;
mod chapter;
mod chapters;
mod contacts;
mod control;
mod csv;
mod deformable;
mod describe;
mod document;
mod flexibles;
mod generate;
mod geometry;
mod histories;
mod history;
mod joints;
mod measures;
mod memory;
mod mesh;
mod meshes;
mod motions;
mod names;
mod overlap;
mod overlapping;
mod read;
mod rigid;
mod servo;
mod settings;
mod shapes;
mod spec;
mod stage;
mod stages;
mod study;
mod time_unit;
mod widths;

pub use cairn_solvers::report::{Method, Order};
pub use cell::{Cell, Strain};
pub use chapter::{Chapter, Kick, Varying};
pub use control::{Control, ControlError, Target};
pub use describe::{describe, suggested_step};
pub use document::{BadPath, Document, Node, Place, Problem, SceneErrors, Value};
pub use history::History;
pub use measures::{Measure, Quantity, Region};
pub use overlap::{Overlaps, overlaps};
pub use read::{Loaded, read};
pub use servo::{Component, Now, Servo};
pub use stage::{Span, Stage, StageStart};
pub use study::{Bisect, Number, Study, Take, Vary, read_study};
pub use time_unit::TimeUnit;

/// JSON schema (draft 2020-12) of scene files, for editors.
pub fn schema() -> serde_json::Value {
    document::schema(&read::declarations())
}

/// Reference of all keys of a scene file, in Markdown.
pub fn reference() -> String {
    document::reference(&read::declarations())
}

use crate::body::{Body, Motion, Part};
use crate::contact::{Image, Side};
use crate::flexible::Flexible;
use crate::law::{Cohesion, Law};
use crate::space::{Ambient, Space, Vect};

/// A scene in the plane or in space: one `match` at the top of each command.
#[derive(Clone, Debug)]
pub enum AnyScene {
    /// 2D.
    Plane(Scene<2>),
    /// 3D.
    Solid(Scene<3>),
}

/// A material: the name that bodies and laws refer to.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name in the scene file.
    pub name: String,
    /// Density [kg/m³].
    pub density: f64,
}

/// What drives a held component.
#[derive(Clone, Debug, PartialEq)]
pub enum DriveKind {
    /// The history is the velocity [m/s, rad/s].
    Velocity,
    /// The history is the displacement from the start [m, rad].
    Displacement,
}

/// A prescribed motion of one component of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Name in the scene file, by which programs find it; empty if it has none.
    pub name: String,
    /// Body.
    pub body: u32,
    /// Component: x, y(, z), then rotation(s) about the body's centre.
    pub component: usize,
    /// What the history means.
    pub kind: DriveKind,
    /// The history.
    pub history: History,
    /// When it drives.
    pub span: Span,
    /// Does it drive in the present stage?
    pub is_active: bool,
}

/// A load on a body.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadKind<const D: usize> {
    /// Force at the centre of mass, world axes, times the history [N].
    Force(Vect<D>),
    /// Moment, times the history [N·m]; 2D uses the last of three components.
    Torque([f64; 3]),
    /// Pressure times area on a flat face: force −`normal` × `area` × history, normal turning with the body if it follows.
    Pressure {
        /// Outward unit normal of the loaded face, in the body's frame at the start.
        normal: Vect<D>,
        /// Where the resultant acts, in the body's frame [m].
        point: Vect<D>,
        /// Loaded area, at the start if it changes [m²; 2D: m, unit depth].
        area: f64,
        /// Distances that the area is the product of; none if it is steady.
        widths: Vec<Width>,
        /// Does the normal turn with the body?
        follower: bool,
    },
}

/// The distance between two bodies along an axis: a side of a face that reaches from one to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Width {
    /// The lower one and the upper one.
    pub bodies: [u32; 2],
    /// The axis.
    pub axis: usize,
    /// From surface to surface at the start [m].
    pub start: f64,
}

impl Width {
    /// The distance, with how far a body has moved from where it started; 0 if they have passed each other [m].
    pub fn now<const D: usize>(&self, moved: &dyn Fn(u32) -> Vect<D>) -> f64 {
        let [low, high] = self.bodies.map(moved);
        (self.start + high[self.axis] - low[self.axis]).max(0.0)
    }
}

/// A load and its history in time.
#[derive(Clone, Debug, PartialEq)]
pub struct Load<const D: usize> {
    /// Name in the scene file, by which programs find it; empty if it has none.
    pub name: String,
    /// Body.
    pub body: u32,
    /// What acts.
    pub kind: LoadKind<D>,
    /// Multiplier in time.
    pub history: History,
}

/// A closed chain of segments through the centres of bodies in the plane, under a pressure from outside that follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Membrane {
    /// The bodies in their order round the chain, at least 3.
    pub bodies: Vec<u32>,
    /// Pressure in time [Pa], positive inwards.
    pub pressure: History,
    /// Tension along the chain, the same everywhere, as in a soap film [N; per metre of depth]; 0 for none.
    pub tension: f64,
    /// Stiffness that holds each body on the ray from the chain's centre on which it started [N/m]; 0 for none.
    pub stiffness: f64,
}

/// Time stepping.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// Step h [s].
    pub step: f64,
    /// End of the run [s].
    pub end: f64,
    /// θ of the scheme, ½ ≤ θ ≤ 1: displacement = h (θ v(i+1) + (1−θ) v(i)).
    pub theta: f64,
    /// ξ, the same for forces: impulse = h (ξ F(i+1) + (1−ξ) F(i)); θ unless given.
    pub xi: f64,
    /// Quasi-statics by velocity cancelling: all velocities are set to zero after each step.
    pub cancel_velocities: bool,
    /// In which times are printed.
    pub unit: TimeUnit,
}

/// Newton's iterations of deformable bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Newton {
    /// Out-of-balance impulse that counts as converged, relative to the largest impulse at work in the step.
    pub tolerance: f64,
    /// Most iterations in a step.
    pub max_iterations: usize,
}

impl Default for Newton {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 100 }
    }
}

/// Where bonds are made, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct BondRule {
    /// Bodies of the two sides, sorted; `None`: all.
    pub between: Option<[Vec<u32>; 2]>,
    /// Lowest and highest corner of the box in which contacts are bonded [m], the third number unused in 2D; `None`:
    /// everywhere.
    pub within: Option<[[f64; 3]; 2]>,
    /// Made at the start of the step after this one.
    pub step: u64,
}

impl BondRule {
    /// Is a contact between these bodies, at this point, meant?
    pub fn joins<const D: usize>(&self, bodies: [u32; 2], point: &Vect<D>) -> bool {
        let inside = |[low, high]: &[[f64; 3]; 2]| (0..D).all(|k| low[k] <= point[k] && point[k] <= high[k]);
        self.within.as_ref().is_none_or(inside) && self.joins_bodies(bodies)
    }

    /// Does it leave out anything?
    pub fn is_narrow(&self) -> bool {
        self.between.is_some() || self.within.is_some()
    }

    fn joins_bodies(&self, [a, b]: [u32; 2]) -> bool {
        let Some([first, second]) = &self.between else { return true };
        let on = |side: &[u32], body: u32| side.binary_search(&body).is_ok();
        on(first, a) && on(second, b) || on(first, b) && on(second, a)
    }
}

/// What to do with a step whose contact problem did not converge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// Keep the result and count it.
    Accept,
    /// Do the step again in halves, and these in quarters; what does not converge there is kept and counted.
    #[default]
    QuarterStep,
    /// The same down to 1/64 of the step.
    HalveStep,
    /// End the run with an error.
    Stop,
}

/// Contact solver settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    /// Natural-map residual that counts as converged, relative to the problem's own velocity scale.
    pub tolerance: f64,
    /// What the worst contact may miss it by, as a factor, in a hard step whose root mean square keeps it.
    pub outliers: f64,
    /// Most sweeps in a step.
    pub max_sweeps: usize,
    /// Sweeps alone, or what pays.
    pub method: Method,
    /// Order of a sweep.
    pub order: Order,
    /// When it does not converge.
    pub on_failure: OnFailure,
    /// What the solver starts from where deformable bodies take part.
    pub start: Start,
}

/// The impulses from which the contact problem of deformable bodies is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Those of the step before.
    #[default]
    LastStep,
    /// Those of the same bodies if they were rigid.
    RigidModes,
}

/// What a run has to keep to, and whether it is helped to.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// The most of each margin, in the order of [`crate::state::Margin`].
    pub limits: [f64; 6],
    /// Is what single steps leave undone made good by the next ones?
    pub repair: bool,
    /// Is a run that breaks a limit accepted all the same?
    pub accept: bool,
}

impl Accuracy {
    /// The defaults at a tolerance of the solver.
    ///
    /// Lengths to 10⁻³ of a half width at 10⁻⁵ and below, to 10⁻², the margin of Jean's biaxial tests, at 10⁻³ and above: by the
    /// root between, as sloppy runs are looked at less closely; what sticks may have slipped a little before, and has twice that. Forces to a hundredth. Self-stress up to what a flat arch makes of its
    /// load. A body that moves by its half width in a step may pass another. Energy out of nothing up to a twentieth: elastic bodies at finite strain
    /// swing by a hundredth, what feeds itself soon has brought in nearly all that there is.
    pub fn of(tolerance: f64) -> Self {
        let length = (1e-3 * (tolerance / 1e-5).sqrt()).clamp(1e-3, 1e-2);
        Self { limits: [length, 2.0 * length, 1.0, 1e-2, 10.0, 0.05], repair: true, accept: false }
    }
}

/// What is written and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Interval between stored states [s].
    pub interval: f64,
    /// Interval between rows of the history [s].
    pub history_interval: f64,
    /// Interval between checkpoints [s of simulated time].
    pub checkpoint_interval: f64,
    /// Are files for ParaView written?
    pub paraview: bool,
    /// Bodies whose resultant of contact forces is a column of the history: column name, bodies.
    pub resultants: Vec<(String, Vec<u32>)>,
}

/// A scene.
#[derive(Clone, Debug)]
pub struct Scene<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Title, for pictures and plots.
    pub title: String,
    /// Materials.
    pub materials: Vec<Material>,
    /// Names of the groups of bodies, in the order of the scene file.
    pub groups: Vec<String>,
    /// Bodies.
    pub bodies: Vec<Body<D>>,
    /// Parts of bodies, body by body.
    pub parts: Vec<Part<D>>,
    /// Motion at t = 0, body by body.
    pub start: Vec<Motion<D>>,
    /// The distinct laws.
    pub laws: Vec<Law>,
    /// `law_of[a * materials + b]`: index in `laws` for a pair of materials; `u16::MAX`: these two never touch.
    pub law_of: Vec<u16>,
    /// Pairs of groups that never touch each other (a group paired with itself too), `(a, b)` with a ≤ b.
    pub ignored: Vec<(u32, u32)>,
    /// Where bonds are made.
    pub bonds: Vec<BondRule>,
    /// Gravity [m/s²], times its history.
    pub gravity: (Vect<D>, History),
    /// With a scene that is tilted: what gravity is then made of, in place of its history; else empty.
    pub tilt: Vec<(Vect<D>, History)>,
    /// Acceleration of the ground, one history per component [m/s²]: bodies feel −a in the ground's frame.
    pub ground_acceleration: Vec<(usize, History)>,
    /// Periodic cell.
    pub cell: Option<Cell<D>>,
    /// Prescribed motions.
    pub drives: Vec<Drive>,
    /// Loads.
    pub loads: Vec<Load<D>>,
    /// Deformable bodies; in contacts their numbers follow those of the rigid bodies.
    pub flexibles: Vec<Flexible<D>>,
    /// Membranes under pressure, in the plane only.
    pub membranes: Vec<Membrane>,
    /// Time stepping; with stages, of the present one.
    pub time: Time,
    /// Stages of the run, none if it is one piece.
    pub stages: Vec<Stage>,
    /// What stages change beside their step, one for each of them; empty if none changes anything.
    pub chapters: Vec<Chapter<D>>,
    /// Bodies that chapters hold, release or take away.
    pub varying: Vec<Varying<D>>,
    /// Contact solver.
    pub solver: Solver,
    /// Newton's iterations of deformable bodies.
    pub newton: Newton,
    /// What the run has to keep to.
    pub accuracy: Accuracy,
    /// Results.
    pub output: Output,
    /// What is measured of bodies for the history.
    pub measures: Vec<Measure<D>>,
}

/// The kind and index of a number in a list of `rigid` rigid ones, followed by deformable ones.
fn side_of_number(number: u32, rigid: usize) -> Side {
    let number = number as usize;
    number.checked_sub(rigid).map_or(Side::Rigid(number), Side::Deformable)
}

impl<const D: usize> Scene<D>
where
    Space<D>: Ambient<D>,
{
    /// "group#number", or the group's name alone if it has one body.
    pub fn body_name(&self, body: u32) -> String {
        let (group, number) = self.group_of(body);
        let name = &self.groups[group as usize];
        let count = (0..self.body_count() as u32).filter(|&other| self.group_of(other).0 == group).take(2).count();
        if count < 2 { name.clone() } else { format!("{name}#{number}") }
    }

    /// Names of all bodies, rigid then deformable, as [`Scene::body_name`] has them.
    pub fn body_names(&self) -> Vec<String> {
        let mut counts = vec![0_u32; self.groups.len()];
        let all: Vec<(u32, u32)> = (0..self.body_count() as u32).map(|body| self.group_of(body)).collect();
        all.iter().for_each(|(group, _)| counts[*group as usize] += 1);
        let name = |&(group, number): &(u32, u32)| match &self.groups[group as usize] {
            name if counts[group as usize] < 2 => name.clone(),
            name => format!("{name}#{number}"),
        };
        all.iter().map(name).collect()
    }

    /// Can there be bonds?
    pub fn has_bonds(&self) -> bool {
        self.laws.iter().any(|law| law.cohesion != Cohesion::None)
    }

    /// Do laws keep something of contacts beside their impulses: bonds, springs, slip?
    pub fn laws_remember(&self) -> bool {
        self.laws.iter().any(Law::remembers)
    }

    /// Does any contact resist rolling?
    pub fn has_rolling(&self) -> bool {
        self.laws.iter().any(|law| law.rolling.resists())
    }

    /// How far apart bodies may be that a bond joins [m].
    pub fn longest_bond(&self) -> f64 {
        self.laws.iter().map(|law| law.cohesion.range()).fold(0.0, f64::max)
    }

    /// Rigid and deformable bodies.
    pub fn body_count(&self) -> usize {
        self.bodies.len() + self.flexibles.len()
    }

    /// What the body of this number among all is. Only here and in the four functions that follow is it known that deformable bodies are
    /// numbered after rigid ones, and their surfaces after the parts of rigid ones.
    pub fn side(&self, body: u32) -> Side {
        side_of_number(body, self.bodies.len())
    }

    /// The number of a deformable body among all bodies.
    pub fn number_of_deformable(&self, k: usize) -> u32 {
        (self.bodies.len() + k) as u32
    }

    /// What the part of this number is, as keys of contacts have it: a part of a rigid body, or the whole surface of a deformable one.
    pub fn side_of_part(&self, part: u32) -> Side {
        side_of_number(part, self.parts.len())
    }

    /// The number that keys have for the surface of a deformable body.
    pub fn part_of_deformable(&self, k: usize) -> u32 {
        (self.parts.len() + k) as u32
    }

    /// The number among all bodies of the one that a part belongs to.
    pub fn body_of_part(&self, part: u32) -> u32 {
        match self.side_of_part(part) {
            Side::Rigid(p) => self.parts[p].body,
            Side::Deformable(k) => self.number_of_deformable(k),
        }
    }

    /// Which of the deformable bodies has this number among all; `None` if it is that of a rigid one.
    pub fn deformable_of(&self, body: u32) -> Option<usize> {
        match self.side(body) {
            Side::Rigid(_) => None,
            Side::Deformable(k) => Some(k),
        }
    }

    /// The deformable body of this number, `None` if it is a rigid one.
    pub fn flexible(&self, body: u32) -> Option<&Flexible<D>> {
        self.flexibles.get(self.deformable_of(body)?)
    }

    /// Group, and number within it, of a rigid or deformable body.
    pub fn group_of(&self, body: u32) -> (u32, u32) {
        match self.flexible(body) {
            Some(f) => (f.group, f.number),
            None => (self.bodies[body as usize].group, self.bodies[body as usize].number),
        }
    }

    /// Where the image of the antagonist of a contact is, seen from the antagonist itself [m].
    pub fn image_offset(&self, image: Image, now: &Now) -> Vect<D> {
        match &self.cell {
            Some(cell) if image != Image::HOME => cell.offset(image, now),
            _ => Vect::zeros(),
        }
    }

    /// A point as seen in the periodic cell, if there is one [m].
    pub fn folded(&self, x: &Vect<D>, now: &Now) -> Vect<D> {
        self.cell.as_ref().map_or(*x, |cell| cell.folded(x, now))
    }

    /// Material of the surface of a rigid or deformable body.
    fn surface_of(&self, body: u32) -> u16 {
        self.flexible(body).map_or_else(|| self.bodies[body as usize].material, |f| f.material)
    }

    /// The law between two rigid bodies, `None` if they never touch: both obstacles, ignored groups.
    pub fn law_between_rigid(&self, a: u32, b: u32) -> Option<u16> {
        let both_obstacles = self.bodies[a as usize].is_obstacle() && self.bodies[b as usize].is_obstacle();
        if both_obstacles { None } else { self.law_between_bodies(a, b) }
    }

    /// The law between the surfaces of two bodies, rigid or deformable; `None` for ignored groups.
    pub fn law_between_bodies(&self, a: u32, b: u32) -> Option<u16> {
        let is_gone = |body: u32| self.bodies.get(body as usize).is_some_and(|b| b.is_gone);
        if is_gone(a) || is_gone(b) {
            return None;
        }
        if !self.ignored.is_empty() {
            let (x, y) = (self.group_of(a).0, self.group_of(b).0);
            if self.ignored.contains(&(x.min(y), x.max(y))) {
                return None;
            }
        }
        let (x, y) = (usize::from(self.surface_of(a)), usize::from(self.surface_of(b)));
        let law = self.law_of[x * self.materials.len() + y];
        (law != u16::MAX).then_some(law)
    }

    /// Gravity that does not change in time, and so has a potential; zero otherwise [m/s²].
    pub fn steady_gravity(&self) -> Vect<D> {
        match self.gravity.1 {
            History::Constant(factor) if self.tilt.is_empty() => self.gravity.0 * factor,
            _ => Vect::zeros(),
        }
    }

    /// Acceleration of all masses by what has no potential: gravity that changes, and minus the ground's acceleration;
    /// `mean` averages a history over the step [m/s²].
    pub fn unsteady_acceleration(&self, mean: &dyn Fn(&History) -> f64) -> Vect<D> {
        let mut a = match &self.gravity.1 {
            History::Constant(_) => Vect::zeros(),
            history => self.gravity.0 * mean(history),
        };
        for (part, history) in &self.tilt {
            a += part * mean(history);
        }
        for (component, history) in &self.ground_acceleration {
            a[*component] -= mean(history);
        }
        a
    }

    /// A bound of the acceleration that gravity and the ground's motion give to all bodies [m/s²].
    pub fn common_acceleration(&self) -> f64 {
        let ground: f64 = self.ground_acceleration.iter().map(|(_, history)| history.bound()).sum();
        self.gravity.0.norm() * self.gravity.1.bound() + ground
    }

    /// Bounds of the acceleration that each rigid body has, by its own loads as well [m/s²].
    pub fn accelerations(&self, bounds: &mut Vec<f64>) {
        bounds.clear();
        bounds.resize(self.bodies.len(), self.common_acceleration());
        for load in &self.loads {
            let force = match &load.kind {
                LoadKind::Force(force) => force.norm(),
                LoadKind::Pressure { area, .. } => *area,
                LoadKind::Torque(_) => 0.0,
            };
            bounds[load.body as usize] += force * load.history.bound() / self.bodies[load.body as usize].mass;
        }
    }
}
