//! Problems that the tests share.
#![allow(dead_code)]

use cairn_solvers::problem::{GROUND, Link, LocalForm, Mass, Mat, Vect};

/// A small generator of repeatable numbers (xorshift).
pub struct Dice(pub u64);

impl Dice {
    /// Between 0 and 1.
    pub fn roll(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between −1 and 1.
    pub fn both(&mut self) -> f64 {
        2.0 * self.roll() - 1.0
    }
}

/// A right-handed frame with the given normal.
pub fn frame<const D: usize>(normal: Vect<D>) -> Mat<D> {
    let n = normal.normalize();
    if D == 2 {
        return Mat::from_fn(|i, j| if j == 0 { n[i] } else { [-n[1], n[0]][i] });
    }
    let n3 = Vect::<3>::new(n[0], n[1], n[2]);
    let other = if n3[0].abs() < 0.6 { Vect::<3>::x() } else { Vect::<3>::y() };
    let t = n3.cross(&other).normalize();
    let s = n3.cross(&t);
    Mat::from_fn(|i, j| [n3, t, s][j][i])
}

/// A mass without motion: `inertia` is the mean moment of inertia.
pub fn mass<const D: usize>(mass: f64, inertia: f64) -> Mass<D> {
    Mass {
        velocity: Vect::zeros(),
        spin: Vect::zeros(),
        inverse_mass: Vect::repeat(1.0 / mass),
        spin_mobility: Mat::<3>::identity() / inertia,
    }
}

/// A contact at rest.
pub fn link<const D: usize>(masses: [u32; 2], normal: Vect<D>, arms: [Vect<D>; 2], friction: f64) -> Link<D> {
    Link {
        masses,
        frame: frame(normal),
        arms,
        form: LocalForm::plain(friction, Vect::zeros()),
        impulse: Vect::zeros(),
        velocity: Vect::zeros(),
    }
}

/// Random masses thrown at each other: a contact graph with a few contacts per mass, some with the ground.
pub fn crowd<const D: usize>(seed: u64, masses: usize, links: usize, round: bool) -> (Vec<Mass<D>>, Vec<Link<D>>) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let bodies: Vec<Mass<D>> = (0..masses)
        .map(|_| {
            let m = 0.5 + dice.roll();
            let mut body = mass(m, 0.4 * m);
            body.velocity = Vect::from_fn(|i, _| dice.both() - if i + 1 == D { 0.5 } else { 0.0 });
            if D == 3 {
                body.spin = Vect::from_fn(|_, _| dice.both());
                if !round {
                    let a = Mat::<3>::from_fn(|_, _| 0.4 * dice.both());
                    body.spin_mobility += a * a.transpose() / m;
                }
            } else {
                body.spin[2] = dice.both();
            }
            body
        })
        .collect();
    let mut contacts: Vec<Link<D>> = (0..links)
        .map(|_| {
            let a = (dice.roll() * masses as f64) as u32;
            let b = (a + 1 + (dice.roll() * 6.0) as u32).min(masses as u32);
            let b = if b as usize == masses { GROUND } else { b };
            let normal = Vect::<D>::from_fn(|i, _| dice.both() + if i + 1 == D { -1.0 } else { 0.0 }).normalize();
            let arms = [-normal, normal].map(|n| {
                let reach = 0.8 + 0.4 * dice.roll();
                if round { n * reach } else { n * reach + Vect::<D>::from_fn(|_, _| 0.3 * dice.both()) }
            });
            let mut link = link([a, b], normal, arms, 0.6 * dice.roll());
            link.form.bias[0] = 0.1 * dice.roll();
            link
        })
        .collect();
    contacts.sort_by_key(|l| l.masses);
    (bodies, contacts)
}

/// Total momentum and angular momentum gain of the impulses: zero when only action and reaction are at work.
pub fn momentum<const D: usize>(masses: &[Mass<D>]) -> Vect<D> {
    masses.iter().fold(Vect::zeros(), |p, m| p + m.velocity.component_div(&m.inverse_mass))
}
