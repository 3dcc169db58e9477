//! Housner's rigid block (1963), the reference of the rocking cases.
//!
//! Half width b, half height h, R² = b² + h², tan α = b/h; θ the tilt about the corner that it stands on. With a ground
//! acceleration a and enough friction
//!
//!   (4/3) R θ̈ = −g sin(α s − θ) + a cos(α s − θ),     s = sign θ,
//!
//! and at each passage through θ = 0 angular momentum about the new corner gives θ̇⁺ = (1 − (3/2) sin² α) θ̇⁻.
//! Counter-clockwise positive: θ > 0 stands on the left corner. A block at rest lifts off iff |a| > g tan α.

/// A block.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// α [rad].
    pub slenderness: f64,
    /// R [m].
    pub radius: f64,
}

/// g [m/s²].
pub const GRAVITY: f64 = 9.81;

impl Block {
    /// From width and height [m].
    pub fn new(width: f64, height: f64) -> Self {
        Self { slenderness: width.atan2(height), radius: 0.5 * width.hypot(height) }
    }

    /// p = √(3g/4R), the rate of the linearized motion.
    pub fn rate(&self) -> f64 {
        (0.75 * GRAVITY / self.radius).sqrt()
    }

    /// Share of the angular velocity that an impact leaves.
    pub fn restitution(&self) -> f64 {
        1.0 - 1.5 * self.slenderness.sin().powi(2)
    }

    /// θ̇² at impact for a block let go at the tilt θ₀: (3g/2R)(cos(α − θ₀) − cos α).
    pub fn impact_speed_squared(&self, tilt: f64) -> f64 {
        1.5 * GRAVITY / self.radius * ((self.slenderness - tilt).cos() - self.slenderness.cos())
    }

    /// Time from rest at the tilt θ₀ to the impact: ∫ dθ/|θ̇|, Simpson's rule after θ = θ₀ (1 − s²), which takes the
    /// singularity away.
    pub fn quarter_period(&self, tilt: f64) -> f64 {
        let energy = |theta: f64| (self.slenderness - tilt).cos() - (self.slenderness - theta).cos();
        let integrand = |s: f64| {
            if s == 0.0 {
                // cos(α − θ₀) − cos(α − θ) → θ₀ s² sin(α − θ₀)
                return 2.0 * tilt / (tilt * (self.slenderness - tilt).sin()).sqrt();
            }
            2.0 * tilt * s / energy(tilt * (1.0 - s * s)).sqrt()
        };
        let n = 1000;
        let weight = |i: usize| if i == 0 || i == n { 1.0 } else { [2.0, 4.0][i % 2] };
        let sum: f64 = (0..=n).map(|i| weight(i) * integrand(i as f64 / n as f64)).sum();
        sum / (3.0 * n as f64) / (1.5 * GRAVITY / self.radius).sqrt()
    }

    /// The same, linearized (small α): acosh(1/(1 − θ₀/α))/p.
    pub fn linear_quarter_period(&self, tilt: f64) -> f64 {
        (1.0 / (1.0 - tilt / self.slenderness)).acosh() / self.rate()
    }

    /// θ at the times i·`dt`, i = 0 … `count`, from rest under the ground acceleration `ground`, by the Runge–Kutta method
    /// with `fine` steps per interval; impacts are found to round-off by bisection of the step.
    pub fn history(&self, ground: impl Fn(f64) -> f64, dt: f64, count: usize, fine: usize) -> Vec<f64> {
        let mut tilts = vec![0.0];
        let mut rocking = Rocking { block: *self, ground, side: 0.0, tilt: 0.0, speed: 0.0 };
        let h = dt / fine as f64;
        for i in 0..count * fine {
            rocking.advance(i as f64 * h, h);
            if (i + 1) % fine == 0 {
                tilts.push(rocking.tilt);
            }
        }
        tilts
    }
}

/// A block in motion; `side` is the corner it stands on: +1 left, −1 right, 0 both.
struct Rocking<G: Fn(f64) -> f64> {
    block: Block,
    ground: G,
    side: f64,
    tilt: f64,
    speed: f64,
}

impl<G: Fn(f64) -> f64> Rocking<G> {
    fn acceleration(&self, time: f64, tilt: f64) -> f64 {
        let angle = self.block.slenderness * self.side - tilt;
        0.75 / self.block.radius * ((self.ground)(time) * angle.cos() - GRAVITY * angle.sin())
    }

    /// One Runge–Kutta step of tilt and speed.
    fn stepped(&self, time: f64, h: f64) -> (f64, f64) {
        let slope = |t: f64, x: f64, v: f64| (v, self.acceleration(t, x));
        let (x, v) = (self.tilt, self.speed);
        let k1 = slope(time, x, v);
        let k2 = slope(time + 0.5 * h, x + 0.5 * h * k1.0, v + 0.5 * h * k1.1);
        let k3 = slope(time + 0.5 * h, x + 0.5 * h * k2.0, v + 0.5 * h * k2.1);
        let k4 = slope(time + h, x + h * k3.0, v + h * k3.1);
        (x + h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0), v + h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1))
    }

    fn advance(&mut self, time: f64, h: f64) {
        if self.side == 0.0 {
            let push = (self.ground)(time + 0.5 * h);
            if push.abs() <= GRAVITY * self.block.slenderness.tan() {
                return;
            }
            // Ground to the right (a > 0) leaves the top behind: counter-clockwise is to the left.
            self.side = push.signum();
        }
        let (tilt, speed) = self.stepped(time, h);
        if tilt * self.side > 0.0 {
            (self.tilt, self.speed) = (tilt, speed);
            return;
        }
        let (mut before, mut after) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (before + after);
            if self.stepped(time, middle).0 * self.side > 0.0 { before = middle } else { after = middle }
        }
        self.speed = self.stepped(time, before).1 * self.block.restitution();
        self.tilt = 0.0;
        self.side = self.speed.signum();
        (self.tilt, self.speed) = self.stepped(time + before, h - before);
    }
}
