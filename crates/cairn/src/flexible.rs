//! Deformable bodies: what does not change during a run, and the part of the state that each one has.
//!
//! A deformable body is a continuum model placed in the world. Its unknowns are nodal: displacement from the placed
//! reference mesh and velocity, world axes, degree of freedom `D·node + component`. Equal bodies share one model, and
//! with it the factorized iteration matrix and the response of their contact boundary.

use crate::detect::mesh::{PlacedSkin, Pose, Skin};
use crate::scene::{DriveKind, History};
use crate::space::{Ambient, Mat, Placement, Space, Spin, Vect};
use cairn_fem::continuum::{Advance, Continuum, Work};
use cairn_sparse::Symmetric;
use std::sync::Arc;

pub use crate::detect::mesh::PointForce;

/// How the geometry of the deformation is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinematics {
    /// Small perturbations of the placed mesh: one linear solve a step.
    Small,
    /// Small strain in a frame that turns with the body: a block may rock and fall.
    Corotational,
    /// Finite deformations, total Lagrangian.
    Finite,
}

/// The correcting matrix of Newton's iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// The full tangent, anew in each iteration.
    Tangent,
    /// The tangent of the first iteration of the step.
    FirstTangent,
    /// The mass alone, one iteration: an explicit scheme with implicit contact.
    Mass,
}

/// The internal force that acts over a step from q(i) to q(i+1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepForce {
    /// ξ F(i+1) + (1−ξ) F(i).
    #[default]
    OfEnds,
    /// The mean force whose work is exactly the change of strain energy: with θ = ½ finite deformations conserve energy.
    Conserving,
}

/// A meshed continuum with the matrices that never change.
#[derive(Clone, Debug)]
pub struct Model<const D: usize> {
    /// Mesh, elements, materials.
    pub continuum: Continuum<D>,
    /// M, lumped or consistent [kg].
    pub mass: Symmetric,
    /// M has no entries beside its diagonal.
    is_lumped: bool,
    /// K at the reference [N/m].
    pub stiffness: Symmetric,
    /// Row sums of M, node by node: the share of each node in weight and momentum [kg].
    pub shares: Vec<f64>,
    /// Lumped masses, positive at every node that has a mass [kg].
    pub lumped: Vec<f64>,
    /// Some nodes have no mass.
    pub has_massless: bool,
}

impl<const D: usize> Model<D> {
    /// Assembles the matrices.
    pub fn new(continuum: Continuum<D>) -> Self {
        let mut mass = Symmetric::zero(continuum.pattern());
        continuum.mass(&mut mass);
        let dofs = continuum.dofs();
        let mut stiffness = Symmetric::zero(continuum.pattern());
        continuum.tangent(&vec![0.0; dofs], &mut stiffness);
        let along_x: Vec<f64> = (0..dofs).map(|i| f64::from(u8::from(i % D == 0))).collect();
        let mut rows = vec![0.0; dofs];
        mass.multiply(&along_x, &mut rows);
        let shares = rows.iter().step_by(D).copied().collect();
        let lumped = continuum.lumped_masses();
        let mut is_lumped = true;
        mass.visit(|i, j, m| is_lumped &= i == j || m == 0.0);
        let has_massless = lumped.contains(&0.0);
        Self { continuum, mass, is_lumped, stiffness, shares, lumped, has_massless }
    }

    /// Degrees of freedom.
    pub fn dofs(&self) -> usize {
        self.continuum.dofs()
    }

    /// y = M x.
    pub fn mass_times(&self, x: &[f64], y: &mut [f64]) {
        if !self.is_lumped {
            return self.mass.multiply(x, y);
        }
        for ((y, x), m) in y.chunks_exact_mut(D).zip(x.chunks_exact(D)).zip(&self.shares) {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = m * x);
        }
    }

    /// Has this degree of freedom no mass?
    pub fn is_massless(&self, dof: usize) -> bool {
        self.has_massless && self.lumped[dof / D] == 0.0
    }

    /// Node positions of the reference mesh [m].
    pub fn nodes(&self) -> &[Vect<D>] {
        &self.continuum.mesh().nodes
    }

    /// Mass [kg; 2D: of the model's thickness].
    pub fn total_mass(&self) -> f64 {
        self.lumped.iter().sum()
    }
}

/// A deformable body.
#[derive(Clone, Debug)]
pub struct Flexible<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Index in [`crate::scene::Scene::groups`].
    pub group: u32,
    /// Number within its group, from 0.
    pub number: u32,
    /// Material of its surface, for contact laws: index in [`crate::scene::Scene::materials`].
    pub material: u16,
    /// Mesh, materials, masses, forces; shared by equal bodies.
    pub model: Arc<Model<D>>,
    /// Contact boundary; shared by equal bodies.
    pub skin: Arc<Skin<D>>,
    /// Where the reference mesh is. Turned only if no degree of freedom is held.
    pub place: Placement<D>,
    /// Geometry of the deformation.
    pub kinematics: Kinematics,
    /// Newton's matrix.
    pub correction: Correction,
    /// Fictitious masses instead of true ones: the largest inertia over internal forces that a step may have.
    pub fictitious: Option<f64>,
    /// Internal force of a step.
    pub step_force: StepForce,
    /// Rayleigh damping C = α M + β K: α [1/s], β [s].
    pub damping: [f64; 2],
    /// Held or driven degrees of freedom.
    pub drives: Vec<NodeDrive>,
    /// Forces on nodes.
    pub loads: Vec<NodeLoad>,
    /// May it touch itself?
    pub self_contact: bool,
    /// Velocity at t = 0, world axes [m/s].
    pub velocity: Vec<f64>,
    /// What its materials keep at t = 0.
    pub history: Vec<f64>,
}

/// A prescribed motion of one component of some nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDrive {
    /// Name in the scene file; empty if it has none.
    pub name: String,
    /// The nodes.
    pub nodes: Vec<u32>,
    /// Component: x, y(, z).
    pub component: usize,
    /// What the history means.
    pub kind: DriveKind,
    /// The history.
    pub history: History,
}

/// A load on a deformable body, times its history.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLoad {
    /// Name in the scene file; empty if it has none.
    pub name: String,
    /// What acts.
    pub kind: NodeLoadKind,
    /// Multiplier in time.
    pub history: History,
}

/// Kinds of loads on deformable bodies.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeLoadKind {
    /// Nodal forces that keep their direction: tractions and pressures on the undeformed body [N].
    Dead(Vec<f64>),
    /// Pressure that follows the boundary of this name [Pa].
    Follower(String),
}

/// Displacement and velocity of the nodes of a deformable body, and what its materials remember: its part of the state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// Displacement from the placed reference mesh, world axes [m].
    pub displacement: Vec<f64>,
    /// Velocity, world axes [m/s].
    pub velocity: Vec<f64>,
    /// What its materials keep at the points of integration, in the layout of its continuum; empty if they are elastic.
    pub history: Vec<f64>,
}

impl<const D: usize> Flexible<D>
where
    Space<D>: Ambient<D>,
{
    /// At the start.
    pub fn start(&self) -> Field {
        Field {
            displacement: vec![0.0; self.model.dofs()],
            velocity: self.velocity.clone(),
            history: self.history.clone(),
        }
    }

    /// Diagonal of the box around the reference mesh [m].
    pub fn extent(&self) -> f64 {
        let nodes = self.model.nodes();
        let first = nodes.first().copied().unwrap_or_else(Vect::zeros);
        let (low, high) = nodes.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
        (high - low).norm()
    }

    /// Where node `n` is in the placed reference mesh.
    pub fn reference(&self, node: usize) -> Vect<D> {
        self.place.point(&self.model.nodes()[node])
    }

    /// Half its width along its thinnest axis in the reference configuration, as of a box with its second moments of mass [m].
    pub fn half_width(&self) -> f64 {
        let nodes = self.positions(&vec![0.0; D * self.model.shares.len()]);
        let mass: f64 = self.model.shares.iter().sum();
        let weighted = nodes.iter().zip(&self.model.shares);
        let centre = weighted.clone().fold(Vect::<D>::zeros(), |sum, (x, m)| sum + x * (m / mass));
        let mut moments = nalgebra::Matrix3::zeros();
        for (x, m) in weighted {
            let arm = nalgebra::Vector3::from(Space::<D>::lift(&(x - centre)));
            moments += arm * arm.transpose() * (m / mass);
        }
        if D == 2 {
            moments[(2, 2)] = moments.trace();
        }
        (3.0 * moments.symmetric_eigenvalues().min()).sqrt()
    }

    /// Where the nodes are, displaced by `displacement`.
    pub fn positions(&self, displacement: &[f64]) -> Vec<Vect<D>> {
        displacement.chunks_exact(D).enumerate().map(|(n, u)| self.reference(n) + Vect::from_column_slice(u)).collect()
    }

    /// Contact pressure at the nodes, from the normal forces on the body [Pa].
    pub fn contact_pressures(&self, displacement: &[f64], forces: &[PointForce<D>]) -> Vec<f64> {
        let nodes = self.positions(displacement);
        let mut pose = Pose::default();
        pose.update(&self.skin, &nodes);
        PlacedSkin { skin: &self.skin, nodes: &nodes, pose: &pose }.nodal_pressures(forces)
    }

    /// Which degrees of freedom are held or driven.
    pub fn held(&self) -> Vec<bool> {
        let mut held = vec![false; self.model.dofs()];
        for drive in &self.drives {
            drive.nodes.iter().for_each(|&n| held[D * n as usize + drive.component] = true);
        }
        held
    }

    /// Is one iteration exact, and its matrix always the same?
    pub fn is_linear(&self) -> bool {
        self.kinematics == Kinematics::Small && !self.has_memory()
    }

    /// Are its strains linear in the displacement, so that it may not turn?
    pub fn has_small_strains(&self) -> bool {
        self.kinematics == Kinematics::Small
    }

    /// Angle of the rotation nearest to the deformation [rad].
    pub fn rotation(&self, displacement: &[f64]) -> f64 {
        let mut local = displacement.to_vec();
        turn_all(&Space::<D>::matrix(&self.place.turn).transpose(), &mut local);
        // The trace is 2 cos α in the plane, 1 + 2 cos α in space.
        let cosine = 0.5 * (self.mean_rotation(&local).trace() - (D as f64 - 2.0));
        cosine.clamp(-1.0, 1.0).acos()
    }

    /// Do its materials remember anything?
    pub fn has_memory(&self) -> bool {
        self.model.continuum.has_memory()
    }

    /// Does its stiffness change, in the axes of the body?
    pub fn stiffness_changes(&self) -> bool {
        self.kinematics == Kinematics::Finite || self.has_memory()
    }

    /// The matrix Q that turns the axes of the reference mesh to where the body is: that of its placement, and for
    /// co-rotational bodies the mean rotation of the deformation after it.
    pub fn axes(&self, displacement: &[f64]) -> Mat<D> {
        let placed = Space::<D>::matrix(&self.place.turn);
        if self.kinematics != Kinematics::Corotational {
            return placed;
        }
        let mut local = displacement.to_vec();
        turn_all(&placed.transpose(), &mut local);
        placed * self.mean_rotation(&local)
    }

    /// The rotation nearest to the deformation, by masses: polar decomposition of Σ m (x − c)(X − C)ᵀ.
    fn mean_rotation(&self, local: &[f64]) -> Mat<D> {
        let (nodes, lumped) = (self.model.nodes(), &self.model.lumped);
        let moved = |n: usize| nodes[n] + Vect::<D>::from_column_slice(&local[D * n..D * (n + 1)]);
        let mass: f64 = lumped.iter().sum();
        let (mut before, mut after) = (Vect::<D>::zeros(), Vect::<D>::zeros());
        for (n, m) in lumped.iter().enumerate() {
            before += nodes[n] * (m / mass);
            after += moved(n) * (m / mass);
        }
        let mut spread = nalgebra::Matrix3::<f64>::zeros();
        for (n, m) in lumped.iter().enumerate() {
            let x = nalgebra::Vector3::from(Space::<D>::lift(&(moved(n) - after)));
            let y = nalgebra::Vector3::from(Space::<D>::lift(&(nodes[n] - before)));
            spread += x * y.transpose() * *m;
        }
        if D == 2 {
            let (sine, cosine) = (spread[(1, 0)] - spread[(0, 1)], spread[(0, 0)] + spread[(1, 1)]);
            let size = sine.hypot(cosine);
            let (s, c) = if size > 0.0 { (sine / size, cosine / size) } else { (0.0, 1.0) };
            return Mat::from_fn(|i, j| {
                if i == j {
                    c
                } else if i == 1 {
                    s
                } else {
                    -s
                }
            });
        }
        let svd = spread.svd(true, true);
        let (Some(u), Some(v)) = (svd.u, svd.v_t) else { return Mat::identity() };
        let mut flip = nalgebra::Matrix3::identity();
        // Without it a body seen in a mirror would be a rotation.
        let least = svd.singular_values.imin();
        flip[(least, least)] = (u * v).determinant().signum();
        let turn = u * flip * v;
        Mat::from_fn(|i, j| turn[(i, j)])
    }

    /// Displacement in the body's axes `q`, from the unstrained mesh: Qᵀx − X up to a translation. As (Q₀ᵀQ − I)ᵀ X + Qᵀ u, Q₀ the
    /// placement's: in the difference of positions the strains of stone would be lost, round-off of 10⁻¹⁶ being a stress of 6 µPa.
    pub fn local_displacement(&self, q: &Mat<D>, displacement: &[f64]) -> Vec<f64> {
        let mut local = displacement.to_vec();
        turn_all(&q.transpose(), &mut local);
        if self.kinematics == Kinematics::Corotational {
            let turned = less_identity(&(Space::<D>::matrix(&self.place.turn).transpose() * q));
            for (x, u) in self.model.nodes().iter().zip(local.chunks_exact_mut(D)) {
                u.iter_mut().zip(turned.tr_mul(x).iter()).for_each(|(u, dx)| *u += dx);
            }
        }
        local
    }

    /// F = −∂E/∂q into `force`, in the axes that the body has there; returns the strain energy E [J].
    pub fn own_force(&self, displacement: &[f64], force: &mut [f64]) -> f64 {
        let local = self.local_displacement(&self.axes(displacement), displacement);
        let energy = if self.kinematics == Kinematics::Finite {
            self.model.continuum.internal_force(&local, force)
        } else {
            self.model.stiffness.multiply(&local, force);
            0.5 * dot(&local, force)
        };
        force.iter_mut().for_each(|f| *f = -*f);
        energy
    }

    /// The force over a step of a body with memory into `force`, in the axes of the body, and its tangent and the skew part of it if asked
    /// for; `history` gets what the body keeps at the end. Displacements are taken in the axes that the body has at each end.
    pub fn advance(
        &self,
        step: &Advance<'_>,
        force: &mut [f64],
        tangent: [Option<&mut Symmetric>; 2],
        history: &mut [f64],
    ) -> Work {
        let [before, after] = [step.before, step.after].map(|u| self.local_displacement(&self.axes(u), u));
        let step = Advance { before: &before, after: &after, ..*step };
        let work = self.model.continuum.advance(&step, force, tangent, history);
        force.iter_mut().for_each(|f| *f = -*f);
        work
    }

    /// Energy that the body stores [J].
    pub fn stored_energy(&self, field: &Field) -> f64 {
        let local = || self.local_displacement(&self.axes(&field.displacement), &field.displacement);
        if self.has_memory() {
            return self.model.continuum.stored_energy(&local(), &field.history);
        }
        self.own_force(&field.displacement, &mut vec![0.0; field.displacement.len()])
    }

    /// The mean force between two displacements into `force`, world axes; returns the change of strain energy [J]. Finite deformations
    /// only; without incompatible modes, as the reader of the scene has checked.
    pub fn mean_force(&self, before: &[f64], after: &[f64], force: &mut [f64]) -> f64 {
        let q = self.axes(after);
        let [before, after] = [before, after].map(|u| self.local_displacement(&q, u));
        let change = self.model.continuum.mean_force(&before, &after, force).unwrap_or(f64::NAN);
        force.iter_mut().for_each(|f| *f = -*f);
        turn_all(&q, force);
        change
    }

    /// Takes out the net moment that forces have about the configuration displaced by `displacement`: a body cannot turn itself. (Forces
    /// K u have none about the unstrained one, and here one of the order of the strain squared.) What is taken out is spread like the
    /// inertia of a rotation.
    pub fn balance_moment(&self, displacement: &[f64], force: &mut [f64]) {
        let positions = self.positions(displacement);
        let lumped = &self.model.lumped;
        let mass: f64 = lumped.iter().sum();
        let centre = positions.iter().zip(lumped).fold(Vect::zeros(), |c, (x, m)| c + x * (m / mass));
        let arms: Vec<Vect<D>> = positions.iter().map(|x| x - centre).collect();
        let mut moment = Spin::<D>::default();
        let mut inertia = nalgebra::Matrix3::zeros();
        for ((arm, f), &m) in arms.iter().zip(force.chunks_exact(D)).zip(lumped) {
            moment += Space::<D>::moment(arm, &Vect::from_column_slice(f));
            let a = nalgebra::Vector3::from(Space::<D>::lift(arm));
            inertia += (nalgebra::Matrix3::identity() * a.norm_squared() - a * a.transpose()) * m;
        }
        let Some(inverse) = inertia.try_inverse() else { return };
        let turn = inverse * nalgebra::Vector3::from(Space::<D>::lift_spin(&moment));
        let turn = Space::<D>::lower_spin(turn.as_ref());
        for ((arm, f), &m) in arms.iter().zip(force.chunks_exact_mut(D)).zip(lumped) {
            let swing = Space::<D>::swing(&turn, arm) * m;
            f.iter_mut().zip(swing.iter()).for_each(|(f, s)| *f -= s);
        }
    }
}

/// T − I of a rotation, with S = (T − Tᵀ)/2 and the cosine c: S + S²/(1 + c), exact in the symmetric part where it is small.
fn less_identity<const D: usize>(turn: &Mat<D>) -> Mat<D> {
    let skew = (turn - turn.transpose()) * 0.5;
    let cosine = if D == 2 { 0.5 * turn.trace() } else { 0.5 * (turn.trace() - 1.0) };
    if cosine < 0.5 {
        return turn - Mat::identity();
    }
    let sine_squared = 0.5 * skew.norm_squared();
    skew + skew * skew / (1.0 + (1.0 - sine_squared).sqrt())
}

/// Turns a nodal vector, node by node.
pub fn turn_all<const D: usize>(q: &Mat<D>, nodal: &mut [f64]) {
    if *q == Mat::<D>::identity() {
        return;
    }
    for x in nodal.chunks_exact_mut(D) {
        let turned = q * Vect::<D>::from_column_slice(x);
        x.copy_from_slice(turned.as_slice());
    }
}

/// Scalar product, in order.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
