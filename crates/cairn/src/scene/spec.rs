//! What the sections of a scene file say, before it becomes a [`Scene`](super::Scene): plain data, the same in 2D and
//! 3D (vectors have three components, the third 0 in 2D; rotations are vectors [rad], about the third axis in 2D).

use super::document::Place;
use super::meshes::Cut;
use super::{
    Accuracy, DriveKind, History, Newton, OnFailure, Output, Quantity, Servo, Solver, Span, Stage, Strain, Time,
};
use crate::detect::mesh::Points;
use crate::flexible::{Correction, Kinematics, StepForce};
use crate::law::{Cohesion, Friction, Rolling, Unilateral};
use crate::shape::Profile;
use cairn_fem::continuum::{Formulation, MassKind};
use cairn_fem::material::Law;
use cairn_fem::mesh;
use cairn_fem::section::Section;
use std::rc::Rc;

/// Most bodies that a scene may have.
pub const MOST_BODIES: usize = 10_000_000;

/// Vertices, and vertex numbers of each facet (the third unused in 2D).
pub type Mesh = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A primitive shape.
#[derive(Clone, Debug)]
pub enum Form {
    /// Disk or sphere.
    Ball(f64),
    /// All that lies behind a face with this normal.
    HalfSpace([f64; 3]),
    /// Outside of a circle or cylinder of this radius.
    Hollow(f64),
    /// Convex polygon or polyhedron by its vertices; a segment by its two ends.
    Convex(Rc<[[f64; 3]]>),
    /// Chain of segments or triangles: vertices, facets.
    Surface(Rc<Mesh>),
    /// What is swept by a profile.
    Profile(Rc<Profile>),
}

/// Where something is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pose {
    /// Origin [m].
    pub position: [f64; 3],
    /// Rotation vector [rad].
    pub rotation: [f64; 3],
}

impl Pose {
    /// There, not turned.
    pub fn at(position: [f64; 3]) -> Self {
        Self { position, rotation: [0.0; 3] }
    }
}

/// A primitive and where it is in its body.
#[derive(Clone, Debug)]
pub struct PartSpec {
    /// What.
    pub form: Form,
    /// Where.
    pub pose: Pose,
}

impl From<Form> for PartSpec {
    fn from(form: Form) -> Self {
        Self { form, pose: Pose::default() }
    }
}

/// One body of a batch.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Number of its group within the batch.
    pub group: usize,
    /// Its shape.
    pub parts: Vec<PartSpec>,
    /// Where it is in the batch's frame.
    pub pose: Pose,
    /// Fixed whatever the others are?
    pub fixed: bool,
}

/// Bodies that have all but shape and place in common: one `[[bodies]]` or `[[generate]]` entry.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Where it is written.
    pub place: Place,
    /// Names of its groups and where they come from.
    pub groups: Vec<String>,
    /// Material and where it is written.
    pub material: (String, Place),
    /// Where the batch is.
    pub pose: Pose,
    /// Initial velocity [m/s].
    pub velocity: [f64; 3],
    /// Initial angular velocity [rad/s].
    pub spin: [f64; 3],
    /// Fixed components.
    pub held: [bool; 6],
    /// Given mass of each body [kg].
    pub mass: Option<f64>,
    /// Given moments of inertia of each body [kg·m²].
    pub inertia: Option<[f64; 3]>,
    /// The bodies.
    pub pieces: Vec<Piece>,
    /// What makes them deformable, but for pieces that are fixed.
    pub deformable: Option<Rc<DeformableSpec>>,
}

impl Batch {
    /// Does this piece deform? Supports, which are fixed, do not.
    pub fn deforms(&self, piece: &Piece) -> bool {
        self.deformable.is_some() && !piece.fixed
    }
}

/// How bodies deform.
#[derive(Clone, Debug)]
pub struct DeformableSpec {
    /// Where it is written.
    pub place: Place,
    /// The mesh.
    pub mesh: MeshSpec,
    /// Plane stress, plane strain, axisymmetric, solid.
    pub section: Section,
    /// Geometry of the deformation.
    pub kinematics: Kinematics,
    /// Masses.
    pub mass: MassKind,
    /// Fictitious masses, and the largest inertia over internal forces.
    pub fictitious: Option<f64>,
    /// Ways against locking.
    pub formulation: Formulation,
    /// Points through the thickness of a sheet, if the scene says.
    pub thickness_points: Option<usize>,
    /// Newton's matrix.
    pub correction: Correction,
    /// Internal force of a step.
    pub step_force: StepForce,
    /// Where the body looks for contact.
    pub candidates: Points,
    /// Boundaries that take part in contact; none: all of the skin.
    pub contact: Option<Vec<String>>,
    /// May the body touch itself?
    pub self_contact: bool,
    /// Stress of the weight above, before anything has happened.
    pub initial_stress: Option<InitialStress>,
}

/// Stress of what lies above a place: ρ g times the depth along gravity, and a share of it across.
#[derive(Clone, Copy, Debug)]
pub struct InitialStress {
    /// Height of the surface, against gravity [m].
    pub surface: f64,
    /// K₀: stress across over stress along gravity.
    pub ratio: f64,
}

/// Where a mesh comes from.
#[derive(Clone, Debug)]
pub enum MeshSpec {
    /// A mesh in the plane.
    Plane(Rc<mesh::Mesh<2>>),
    /// A mesh in space.
    Solid(Rc<mesh::Mesh<3>>),
    /// The blocks of a generator, divided into cells along their edges.
    Cells {
        /// Cells along each edge.
        cells: [usize; 3],
        /// What they become.
        cut: Cut,
    },
}

/// How a material deforms.
#[derive(Clone, Copy, Debug)]
pub struct Elasticity {
    /// The law.
    pub law: Law,
    /// Rayleigh damping: α [1/s], β [s].
    pub damping: [f64; 2],
}

/// Bodies by name, and where this is written.
pub type Selection = (String, Place);

/// `[materials.NAME]`.
#[derive(Clone, Debug)]
pub struct MaterialSpec {
    /// Name.
    pub name: String,
    /// Density [kg/m³].
    pub density: Option<f64>,
    /// For deformable bodies.
    pub elasticity: Option<Elasticity>,
    /// Could all of it be read?
    pub whole: bool,
    /// Where it is written.
    pub place: Place,
}

/// `[[contact]]`.
#[derive(Clone, Debug)]
pub struct ContactSpec {
    /// The two materials, or "any".
    pub between: [String; 2],
    /// Where they are written.
    pub place: Place,
    /// Unilateral condition.
    pub unilateral: Unilateral,
    /// Friction.
    pub friction: Friction,
    /// Rolling resistance.
    pub rolling: Rolling,
    /// Law of bonds.
    pub cohesion: Cohesion,
}

/// `[[bond]]`.
#[derive(Clone, Debug)]
pub struct BondSpec {
    /// The two sides.
    pub between: [Selection; 2],
    /// In this box only: lowest and highest corner [m].
    pub within: Option<[[f64; 3]; 2]>,
    /// From this time on [s].
    pub from: f64,
}

/// `[gravity]`, of the scene or of a stage.
#[derive(Clone, Debug)]
pub struct GravitySpec {
    /// Acceleration [m/s²].
    pub acceleration: [f64; 3],
    /// Factor in time.
    pub history: History,
    /// Axis and angle in time [°] by which the scene is tilted.
    pub tilt: Option<([f64; 3], History)>,
}

/// Settings of the solver that a stage changes.
#[derive(Clone, Debug, Default)]
pub struct SolverChanges {
    /// Tolerance.
    pub tolerance: Option<f64>,
    /// What the worst contact may miss it by.
    pub outliers: Option<f64>,
    /// Most sweeps in a step.
    pub max_sweeps: Option<usize>,
    /// What to do with a step that does not converge.
    pub on_failure: Option<OnFailure>,
}

/// A velocity given to bodies when a stage begins.
#[derive(Clone, Debug)]
pub struct KickSpec {
    /// Which bodies.
    pub bodies: Selection,
    /// Velocity [m/s].
    pub velocity: [f64; 3],
    /// Angular velocity [rad/s].
    pub spin: [f64; 3],
}

/// What a `[[stage]]` changes.
#[derive(Clone, Debug, Default)]
pub struct StageChanges {
    /// Gravity from now on.
    pub gravity: Option<GravitySpec>,
    /// Laws of contact from now on.
    pub contacts: Vec<ContactSpec>,
    /// Settings of the solver from now on.
    pub solver: SolverChanges,
    /// Velocities at its start.
    pub kicks: Vec<KickSpec>,
    /// Bodies that are taken away.
    pub removed: Vec<Selection>,
}

/// `[[fix]]`.
#[derive(Clone, Debug)]
pub struct FixSpec {
    /// When.
    pub span: Span,
    /// Which bodies.
    pub bodies: Selection,
    /// On deformable bodies: which of their boundaries, and where this is written.
    pub boundary: Option<(String, Place)>,
    /// Which components.
    pub held: [bool; 6],
}

/// `[[drive]]`.
#[derive(Clone, Debug)]
pub struct DriveSpec {
    /// Its own name.
    pub name: String,
    /// Which bodies.
    pub bodies: Selection,
    /// On deformable bodies: which of their boundaries, and where this is written.
    pub boundary: Option<(String, Place)>,
    /// Which component: x, y, z, then rotations about x, y, z.
    pub component: usize,
    /// Velocity or displacement.
    pub kind: DriveKind,
    /// In time.
    pub history: History,
    /// When.
    pub span: Span,
}

/// What a `[[load]]` is.
#[derive(Clone, Debug)]
pub enum LoadSpecKind {
    /// Force at the centre of mass [N].
    Force([f64; 3]),
    /// Moment [N·m].
    Torque([f64; 3]),
    /// Force per area on a boundary of a deformable body [Pa].
    Traction([f64; 3]),
    /// Pressure on a boundary of a deformable body.
    BoundaryPressure {
        /// Does it follow the deformation?
        follower: bool,
    },
    /// Pressure on a face, given in world axes at the start.
    Pressure {
        /// Outward normal.
        normal: [f64; 3],
        /// Where the resultant acts; none: at the centre of mass.
        point: Option<[f64; 3]>,
        /// Loaded area, if it is steady.
        area: Option<f64>,
        /// Bodies between which the face reaches, two for each of its sides.
        between: Vec<String>,
        /// Where these are named.
        place: Place,
        /// Does it turn with the body?
        follower: bool,
    },
}

/// `[[membrane]]`.
#[derive(Clone, Debug)]
pub struct MembraneSpec {
    /// Which bodies, in their order round the chain.
    pub bodies: Selection,
    /// Pressure in time [Pa].
    pub pressure: History,
    /// Tension along the chain [N].
    pub tension: f64,
    /// Stiffness along the chain [N/m].
    pub stiffness: f64,
}

/// `[cell]`.
#[derive(Clone, Debug)]
pub struct CellSpec {
    /// Where it is written.
    pub place: Place,
    /// Lowest corner [m].
    pub low: [f64; 3],
    /// Highest corner [m].
    pub high: [f64; 3],
    /// Periodic directions.
    pub periodic: [bool; 3],
    /// Strains.
    pub strains: Vec<Strain>,
    /// Stresses.
    pub servos: Vec<Servo>,
}

/// `[[measure]]`.
#[derive(Clone, Debug)]
pub struct MeasureSpec {
    /// What its columns begin with.
    pub name: String,
    /// Where it is written.
    pub place: Place,
    /// Which bodies; none: all that can move.
    pub bodies: Option<Selection>,
    /// The place of a node that is followed [m].
    pub at: Option<[f64; 3]>,
    /// Where.
    pub region: Option<RegionSpec>,
    /// What.
    pub of: Vec<Quantity>,
}

/// `within` of a `[[measure]]`.
#[derive(Clone, Copy, Debug)]
pub enum RegionSpec {
    /// Lowest and highest corner [m].
    Box([[f64; 3]; 2]),
    /// Centre and radius [m].
    Ball([f64; 3], f64),
}

/// `[[load]]`.
#[derive(Clone, Debug)]
pub struct LoadSpec {
    /// Its own name.
    pub name: String,
    /// Which bodies.
    pub bodies: Selection,
    /// On deformable bodies: which of their boundaries, and where this is written.
    pub boundary: Option<(String, Place)>,
    /// What.
    pub kind: LoadSpecKind,
    /// Multiplier (or pressure) in time.
    pub history: History,
}

/// What of a scene file could not be read. It has been reported; what may only follow from it is not.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    /// Names of the entries of bodies among it.
    pub groups: Vec<String>,
    /// Is there something among it that says how bodies touch?
    pub laws: bool,
}

/// A whole scene file, or as much of it as could be read.
#[derive(Clone, Debug)]
pub struct SceneSpec {
    /// What could not.
    pub unread: Unread,
    /// Title.
    pub title: String,
    /// `[materials]`.
    pub materials: Vec<MaterialSpec>,
    /// `[[bodies]]` and `[[generate]]`, in this order.
    pub batches: Vec<Batch>,
    /// `[[contact]]`.
    pub contacts: Vec<ContactSpec>,
    /// `[[bond]]`.
    pub bonds: Vec<BondSpec>,
    /// `[[ignore]]`.
    pub ignored: Vec<([String; 2], Place)>,
    /// `[gravity]`.
    pub gravity: GravitySpec,
    /// `[ground_acceleration]`.
    pub ground_acceleration: Vec<(usize, History)>,
    /// `[cell]`.
    pub cell: Option<CellSpec>,
    /// `[[fix]]`.
    pub fixes: Vec<FixSpec>,
    /// `[[drive]]`.
    pub drives: Vec<DriveSpec>,
    /// `[[load]]`.
    pub loads: Vec<LoadSpec>,
    /// `[[membrane]]`.
    pub membranes: Vec<MembraneSpec>,
    /// `[time]`.
    pub time: Time,
    /// `[[stage]]`: how long, and to what end.
    pub stages: Vec<Stage>,
    /// What they change besides.
    pub changes: Vec<StageChanges>,
    /// `[solver]`.
    pub solver: Solver,
    /// `[newton]`.
    pub newton: Newton,
    /// `[accuracy]`.
    pub accuracy: Accuracy,
    /// `[output]`, resultants by name.
    pub output: Output,
    /// Selections whose resultant is wanted.
    pub resultants: Vec<Selection>,
    /// `[[measure]]`.
    pub measures: Vec<MeasureSpec>,
    /// `[contact_check] allow_overlap`.
    pub allow_overlap: bool,
}
