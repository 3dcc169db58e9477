//! Problems that come as matrices, not as masses and contacts: from a file, or from any other code.
//!
//! Contact by contact, components in the order n, t(, s), r the impulse and u the relative velocity:
//!
//!   local     u = W r + q
//!   global    M v = H r + f,   u = Hᵀ v + w          (condensed: W = Hᵀ M⁻¹ H,  q = Hᵀ M⁻¹ f + w)
//!
//! with Signorini's condition and Coulomb's law between u and r (see [`crate::problem`]; the bias is in q or w).
//! The rolling kind has two more components per contact, a moment that resists rolling.

use crate::cone::Cone;
use crate::csc::Csc;
use crate::delassus::{Delassus, Stored};
use crate::moments;
use crate::problem::{Link, LocalForm, Mass, Mat, Vect};
use crate::rolling::Roll;

/// A local problem: u = W r + q.
#[derive(Clone, Debug, Default)]
pub struct Problem<const D: usize> {
    /// W, as unsymmetric as it came, with q as U_free [1/kg, m/s].
    pub w: Stored<D>,
    /// μ per contact.
    pub friction: Vec<f64>,
    /// Arms ℓ_T, ℓ_N of moments per contact (see [`Cone::Rolling`]); empty where none resists rolling.
    pub arms: Vec<[f64; 2]>,
}

/// A global problem: M v = H r + f, u = Hᵀ v + w.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Global<const D: usize> {
    /// M, n × n [kg, kg·m²].
    pub m: Csc,
    /// H, n × D·contacts.
    pub h: Csc,
    /// f, n components [N·s, N·m·s].
    pub f: Vec<f64>,
    /// w, D components per contact [m/s].
    pub w: Vec<f64>,
    /// μ per contact.
    pub friction: Vec<f64>,
}

/// A problem with rolling friction, five components per contact: n, t, s, and two of the rolling moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rolling {
    /// W of a local problem, M of a global one.
    pub matrix: Csc,
    /// H of a global problem.
    pub h: Option<Csc>,
    /// q of a local problem, f of a global one.
    pub free: Vec<f64>,
    /// w of a global problem, else empty.
    pub w: Vec<f64>,
    /// μ per contact.
    pub friction: Vec<f64>,
    /// μ_r per contact [m].
    pub rolling_friction: Vec<f64>,
}

/// A problem of any kind.
#[derive(Clone, Debug)]
pub enum AnyProblem {
    /// u = W r + q in the plane.
    Plane(Problem<2>),
    /// u = W r + q in space.
    Solid(Problem<3>),
    /// M v = H r + f in the plane.
    PlaneGlobal(Global<2>),
    /// M v = H r + f in space.
    SolidGlobal(Global<3>),
    /// With rolling friction.
    Rolling(Rolling),
}

impl AnyProblem {
    /// A word for people.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Plane(_) => "local 2D",
            Self::Solid(_) => "local 3D",
            Self::PlaneGlobal(_) => "global 2D",
            Self::SolidGlobal(_) => "global 3D",
            Self::Rolling(Rolling { h: None, .. }) => "local rolling",
            Self::Rolling(_) => "global rolling",
        }
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        match self {
            Self::Plane(p) => p.friction.len(),
            Self::Solid(p) => p.friction.len(),
            Self::PlaneGlobal(p) => p.friction.len(),
            Self::SolidGlobal(p) => p.friction.len(),
            Self::Rolling(p) => p.friction.len(),
        }
    }
}

impl<const D: usize> Problem<D> {
    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// What bounds a contact's reaction.
    #[inline]
    pub fn cone(&self, contact: usize) -> Cone {
        let friction = self.friction[contact];
        self.arms.get(contact).map_or(Cone::Coulomb(friction), |&arms| Cone::Rolling(friction, arms))
    }

    /// W, q and μ as a problem; `None` if their sizes do not fit together.
    pub fn new(w: &Csc, q: &[f64], friction: Vec<f64>) -> Option<Self> {
        let w = Stored::from_csc(w, q)?;
        (w.contacts() == friction.len()).then_some(Self { w, friction, arms: vec![] })
    }

    /// The problem that masses and contacts were solved for, from what the solution left: the impulses are taken back
    /// from the masses. Also the impulses and the velocities Ũ, bias included, as they were found.
    pub fn of_solved(masses: &[Mass<D>], links: &[Link<D>]) -> (Self, Vec<Vect<D>>, Vec<Vect<D>>) {
        let mut free = masses.to_vec();
        links.iter().for_each(|link| link.push(&mut free, &-link.impulse));
        Self::of_stored(Stored::new(&free, links), links)
    }

    /// The same with two components more for moments that resist rolling, about t and s: that of contacts in space, whose twisting nothing
    /// resists.
    pub fn of_solved_rolling(
        masses: &[Mass<D>],
        links: &[Link<D>],
        rolls: &[Roll],
    ) -> (Problem<5>, Vec<Vect<5>>, Vec<Vect<5>>) {
        let mut free = masses.to_vec();
        links.iter().for_each(|link| link.push(&mut free, &-link.impulse));
        rolls.iter().for_each(|roll| Roll { moment: -roll.moment, ..*roll }.turn(&links[roll.link], &mut free));
        let (problem, axes) = moments::problem::<D, 5>(&free, links, rolls, |_| 1.0);
        let five = |v: Vect<D>| Vect::<5>::from_fn(|i, _| if i < D { v[i] } else { 0.0 });
        let mut r: Vec<Vect<5>> = links.iter().map(|link| five(link.impulse)).collect();
        let mut u: Vec<Vect<5>> = links.iter().map(|link| five(link.velocity + link.form.bias)).collect();
        for roll in rolls {
            let spin = roll.spin(&links[roll.link], masses);
            for (i, axis) in axes[roll.link].iter().enumerate().skip(D) {
                (r[roll.link][i], u[roll.link][i]) = (axis.dot(&roll.moment), axis.dot(&spin));
            }
        }
        (problem, r, u)
    }

    /// The same from a W with U_free that was formed for it.
    pub fn of_stored(mut w: Stored<D>, links: &[Link<D>]) -> (Self, Vec<Vect<D>>, Vec<Vect<D>>) {
        w.free_mut().iter_mut().zip(links).for_each(|(q, link)| *q += link.form.bias);
        let friction = links.iter().map(|l| l.form.friction).collect();
        let (r, u) = links.iter().map(|l| (l.impulse, l.velocity + l.form.bias)).unzip();
        (Self { w, friction, arms: vec![] }, r, u)
    }

    /// u = W r + q.
    pub fn velocities(&self, r: &[Vect<D>]) -> Vec<Vect<D>> {
        (0..self.contacts()).map(|a| self.w.velocity(a, r)).collect()
    }

    /// The contacts for solvers that work in place on them: law and impulse zero, and no masses.
    pub fn links(&self) -> Vec<Link<D>> {
        let link = |&friction: &f64| Link {
            masses: [crate::problem::GROUND; 2],
            frame: Mat::identity(),
            arms: [Vect::zeros(); 2],
            form: LocalForm::plain(friction, Vect::zeros()),
            impulse: Vect::zeros(),
            velocity: Vect::zeros(),
        };
        self.friction.iter().map(link).collect()
    }
}

/// What matrices do not say of contacts, neither here nor in a file, with the number of contacts that have it.
pub fn misfits<const D: usize>(links: &[Link<D>], rolls: &[Roll]) -> Vec<String> {
    let gives_way = |link: &&Link<D>| link.form.joint.gives_way();
    let compliant = links.iter().filter(gives_way).count();
    let joints = links.iter().filter(|link| link.form.joint.is_some() && !gives_way(link)).count();
    let rolling = rolls.iter().filter(|roll| D == 2 && roll.arms[0] > 0.0).count();
    let twisting = rolls.iter().filter(|roll| roll.arms[1] > 0.0).count();
    let kinds = [
        (joints, "joints"),
        (compliant, "compliance"),
        (rolling, "rolling resistance in 2D"),
        (twisting, "twisting resistance"),
    ];
    let told = |(count, what): (usize, &str)| format!("{what} of {count} contacts");
    kinds.into_iter().filter(|(count, _)| *count > 0).map(told).collect()
}

/// Vectors of contacts as one list of numbers.
pub fn flat<const D: usize>(vectors: &[Vect<D>]) -> Vec<f64> {
    vectors.iter().flat_map(|v| v.iter().copied()).collect()
}
