//! A collection seen as one body (Love, Weber; Rothenburg and Selvadurai 1981): the box around all that can move, and the
//! mean stress in it,
//!
//!   σ = (1/V) Σ M,     M_ij = Σ (x − x_b)_i r_j     [Pa]
//!
//! over the bodies b with the contact forces r at x on them; a deformable body gives its volume times its mean stress. It holds in
//! equilibrium. Tension is positive. In 2D the volume is that of a slice 1 m thick,
//! and a plane body counts as if it had that thickness, too.

use super::stress::stress_integral;
use crate::body::Motion;
use crate::contact::Reaction;
use crate::flexible::Field;
use crate::scene::Scene;
use crate::space::{Ambient, Mat, Space, Vect};
use cairn_fem::section::Section;

/// Size and mean stress of a collection.
pub struct Assembly<const D: usize> {
    /// Sides of the box around the bounding balls of the parts, and around the nodes, of what can move [m].
    pub size: Vect<D>,
    /// Mean stress in that box [Pa].
    pub stress: Mat<D>,
}

/// The collection at a time, with the impulses of a step of length `step` [s]; `None` if nothing can move.
pub fn assembly<const D: usize>(
    scene: &Scene<D>,
    motions: &[Motion<D>],
    fields: &[Field],
    reactions: &[Reaction<D>],
    step: f64,
) -> Option<Assembly<D>>
where
    Space<D>: Ambient<D>,
{
    let (mut low, mut high) = (Vect::<D>::repeat(f64::INFINITY), Vect::<D>::repeat(f64::NEG_INFINITY));
    let mut hold = |x: &Vect<D>, radius: f64| {
        low = low.inf(&x.add_scalar(-radius));
        high = high.sup(&x.add_scalar(radius));
    };
    for part in scene.parts.iter().filter(|p| p.radius.is_finite()) {
        let (body, motion) = (scene.bodies.get(part.body as usize)?, motions.get(part.body as usize)?);
        let centre = motion.place.point(&part.local.centre);
        if !body.is_obstacle() && centre.iter().all(|c| c.is_finite()) {
            hold(&centre, part.radius);
        }
    }
    let mut moments = Mat::<D>::zeros();
    for (body, field) in scene.flexibles.iter().zip(fields) {
        let nodes = body.positions(&field.displacement);
        nodes.iter().filter(|x| x.iter().all(|c| c.is_finite())).for_each(|x| hold(x, 0.0));
        let (integral, _) = stress_integral(body, field);
        let depth = match body.model.continuum.section() {
            Section::PlaneStress { thickness } | Section::PlaneStrain { thickness } => thickness,
            Section::Axisymmetric | Section::Solid => 1.0,
        };
        moments += Mat::<D>::from_fn(|i, j| integral[(i, j)] / depth);
    }
    for reaction in reactions {
        let force = reaction.impulse / step;
        for (&body, sign) in reaction.contact.bodies.iter().zip([1.0, -1.0]) {
            // Deformable bodies have given their stress; obstacles are outside.
            let rigid = scene.bodies.get(body as usize).zip(motions.get(body as usize));
            if let Some((_, motion)) = rigid.filter(|(b, _)| !b.is_obstacle()) {
                moments += (reaction.contact.touch.point - motion.place.centre) * (force * sign).transpose();
            }
        }
    }
    let size = high - low;
    let volume: f64 = size.iter().product();
    (volume.is_finite() && volume > 0.0).then(|| Assembly { size, stress: moments / volume })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{AnyScene, read};
    use crate::simulation::Simulation;

    /// A disk of 1 kg and radius ½ m on the ground: the ground's push at its lowest point, ½ m below the centre, gives
    /// M_yy = −½ m g; the box is 1 × 1 m.
    #[test]
    fn a_disk_at_rest_carries_half_its_weight_on_average() {
        let text = r#"
            dimension = 2
            gravity = { acceleration = [0, -10] }
            time = { step = 1e-3, end = 0.1 }
            materials.stone = { density = 1.2732395447351628 }
            [[contact]]
            between = "stone"
            friction = 0.5
            [[bodies]]
            name = "ground"
            material = "stone"
            fixed = true
            shape = { kind = "half_plane", normal = [0, 1] }
            [[bodies]]
            name = "disk"
            material = "stone"
            shape = { kind = "disk", radius = 0.5 }
            position = [0, 0.5]
        "#;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("disk.toml");
        std::fs::write(&file, text).unwrap();
        let AnyScene::Plane(scene) = read(&file, &[]).unwrap().scene else { panic!("a plane scene") };
        let mut simulation = Simulation::new(scene);
        for _ in 0..5 {
            simulation.step().unwrap();
        }
        let state = &simulation.state;
        let found =
            assembly(&simulation.scene, &state.motions, &state.fields, &state.reactions, state.last_step).unwrap();
        assert!((found.size - Vect::<2>::new(1.0, 1.0)).norm() < 1e-12, "{:?}", found.size);
        assert!((found.stress[(1, 1)] + 5.0).abs() < 1e-6, "{:?}", found.stress);
        assert!(found.stress[(0, 0)].abs() < 1e-9);
    }
}
