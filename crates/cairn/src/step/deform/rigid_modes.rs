//! Contacts solved on the rigid modes first.
//!
//! Let Φ be the rigid motions of a body. K Φ = 0 (and C Φ = α M Φ), so that M̂ Φ = (1 + hξα) M Φ: M-orthogonal to all else, they make up a
//! part of W of their own,
//!
//!   W = Hᵀ Φ (Φᵀ M̂ Φ)⁻¹ Φᵀ H + W_strain,
//!
//! and where the step is long against the periods of the blocks (h²K ≫ M) the second part is small against the first. The contact problem
//! with the first part alone is that of rigid blocks: solved over the blocks' velocities, which is cheap, it gives impulses that balance
//! all blocks as wholes. The problem of the elastic blocks starts from them (Acary, Jean: projection on rigid modes).

use super::Deform;
use crate::flexible::{Flexible, dot};
use crate::scene::{Scene, Start};
use crate::space::{Ambient, Space, Vect};
use crate::step::{Workspace, settings};
use cairn_solvers::problem::{Link, Mass};
use nalgebra::{Matrix3, Vector3};

/// Puts the impulses of the rigid problem into the links, as a start for the elastic one, where the scene says so. Bodies that are held somewhere do not respond
/// here.
pub(in crate::step) fn start<const D: usize>(scene: &Scene<D>, work: &mut Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    if scene.solver.start != Start::RigidModes || scene.flexibles.is_empty() {
        return;
    }
    let Deform { bodies, .. } = &work.deform;
    let (mut masses, mut centres) = (work.masses.clone(), Vec::new());
    for (body, iterate) in scene.flexibles.iter().zip(bodies) {
        let (mass, centre) = rigid_mass(body, &iterate.displacement, &iterate.free);
        masses.push(mass);
        centres.push(centre);
    }
    let of_rigid = |(link, contact): (&Link<D>, &crate::contact::Contact<D>)| {
        let mut link = *link;
        for side in 0..2 {
            if let Some(k) = scene.deformable_of(contact.bodies[side]) {
                link.masses[side] = (work.masses.len() + k) as u32;
                link.arms[side] = contact.touch.point - centres[k];
            }
        }
        link
    };
    let mut links: Vec<Link<D>> = work.links.iter().zip(&work.contacts).map(of_rigid).collect();
    work.strategy.solve(&mut masses, &mut links, &mut [], &settings(scene));
    work.links.iter_mut().zip(links).for_each(|(link, of_rigid)| link.impulse = of_rigid.impulse);
}

/// The body as a rigid one with the momentum of `velocity`, and its centre.
fn rigid_mass<const D: usize>(body: &Flexible<D>, displacement: &[f64], velocity: &[f64]) -> (Mass<D>, Vect<D>)
where
    Space<D>: Ambient<D>,
{
    let (lumped, positions) = (&body.model.lumped, body.positions(displacement));
    let mass: f64 = lumped.iter().sum();
    let centre = positions.iter().zip(lumped).fold(Vect::<D>::zeros(), |c, (x, m)| c + x * (m / mass));
    let nodes = || positions.iter().zip(velocity.chunks_exact(D).map(Vect::<D>::from_column_slice)).zip(lumped);
    let mean = nodes().fold(Vect::<D>::zeros(), |v, ((_, u), m)| v + u * (m / mass));
    let (mut inertia, mut momentum) = (Matrix3::<f64>::zeros(), Vector3::<f64>::zeros());
    for ((x, u), &m) in nodes() {
        let arm = Vector3::from(Space::<D>::lift(&(x - centre)));
        inertia += (Matrix3::identity() * dot(arm.as_slice(), arm.as_slice()) - arm * arm.transpose()) * m;
        momentum += arm.cross(&Vector3::from(Space::<D>::lift(&(u - mean)))) * m;
    }
    let is_held = !body.drives.is_empty();
    let inverse = inertia.try_inverse().unwrap_or_else(Matrix3::zeros);
    // In the plane bodies turn about z alone.
    let mobility = if D == 2 { Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, inverse[(2, 2)])) } else { inverse };
    let responds = if is_held { 0.0 } else { 1.0 };
    let made = Mass {
        velocity: mean,
        spin: mobility * momentum,
        inverse_mass: Vect::repeat(responds / mass),
        spin_mobility: mobility * responds,
    };
    (made, centre)
}
