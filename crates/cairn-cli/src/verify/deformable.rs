//! What the cases with deformable bodies read off a state.

use cairn::measure;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};
use cairn_fem::tensor::von_mises;
use miette::miette;

/// The node of a set of one node, e.g. "B", in the mesh of deformable body `k`.
pub fn node<const D: usize>(simulation: &Simulation<D>, k: usize, set: &str) -> miette::Result<u32>
where
    Space<D>: Ambient<D>,
{
    let sets = &simulation.scene.flexibles[k].model.continuum.mesh().node_sets;
    let found = sets.iter().find(|(name, _)| name == set).and_then(|(_, nodes)| nodes.first());
    found.copied().ok_or_else(|| miette!("the mesh has no node {set:?}"))
}

/// Centre of mass of deformable body `k` [m].
pub fn centre_of_mass<const D: usize>(simulation: &Simulation<D>, k: usize) -> Vect<D>
where
    Space<D>: Ambient<D>,
{
    let (body, field) = (&simulation.scene.flexibles[k], &simulation.state.fields[k]);
    let moved = measure::flexible::moment_of_mass(body, &field.displacement);
    let start = body.model.shares.iter().enumerate().map(|(n, mass)| body.reference(n) * *mass).sum::<Vect<D>>();
    (start + moved) / body.model.total_mass()
}

/// A candidate point with its force in the last step.
#[derive(Clone, Copy, Debug)]
pub struct Pressed<const D: usize> {
    /// Its node, for candidates that are nodes.
    pub node: u32,
    /// Force on it, mean over the step [N].
    pub force: Vect<D>,
    /// Mean pressure over its share of the boundary [Pa].
    pub pressure: f64,
    /// Velocity relative to what it touches [m/s].
    pub velocity: Vect<D>,
}

/// The candidate nodes of deformable body `k` that are pressed.
pub fn pressed<const D: usize>(simulation: &Simulation<D>, k: usize) -> Vec<Pressed<D>>
where
    Space<D>: Ambient<D>,
{
    let (scene, state) = (&simulation.scene, &simulation.state);
    let part = scene.part_of_deformable(k);
    let own = state.reactions.iter().filter(|r| r.contact.key.candidate == part && r.impulse != Vect::<D>::zeros());
    own.map(|r| {
        let candidate = &scene.flexibles[k].skin.candidates()[r.contact.touch.feature as usize];
        let force = r.impulse / state.last_step;
        let pressure = force.dot(&r.contact.touch.normal) / candidate.area;
        Pressed { node: candidate.hold.nodes[0], force, pressure, velocity: r.velocity }
    })
    .collect()
}

/// Largest Von Mises stress of deformable body `k`: at the points of quadrature, and at the nodes (extrapolated in each cell,
/// averaged over the cells around a node) [Pa].
pub fn largest_von_mises<const D: usize>(simulation: &Simulation<D>, k: usize) -> [f64; 2]
where
    Space<D>: Ambient<D>,
{
    let continuum = &simulation.scene.flexibles[k].model.continuum;
    let samples = continuum.samples(&simulation.state.fields[k].displacement, &simulation.state.fields[k].history);
    let at_points = samples.iter().map(|s| von_mises(&s.stress)).fold(0.0, f64::max);
    let at_nodes = continuum.nodal_stresses(&samples).iter().map(von_mises).fold(0.0, f64::max);
    [at_points, at_nodes]
}

/// Velocity of the centre of mass of deformable body `k` [m/s].
pub fn centre_velocity<const D: usize>(simulation: &Simulation<D>, k: usize) -> Vect<D>
where
    Space<D>: Ambient<D>,
{
    let body = &simulation.scene.flexibles[k];
    measure::flexible::moment_of_mass(body, &simulation.state.fields[k].velocity) / body.model.total_mass()
}

/// Kinetic and strain energy of all bodies [J].
pub fn energy<const D: usize>(simulation: &Simulation<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    let (scene, state) = (&simulation.scene, &simulation.state);
    measure::kinetic_energy(scene, &state.motions, &state.fields) + measure::strain_energy(scene, &state.fields)
}
