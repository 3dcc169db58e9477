//! The energy account of deformable bodies. With v̄ = ½(v(i) + v(i+1)) the discrete balance of momentum gives
//!
//!   ΔE_k = h F_ξ·v̄ − h C v_ξ·v̄ + h P_ξ·v̄ + r·v̄ + (reactions of what is held)·v̄
//!
//! Contacts are accounted with the rigid ones. What the material says that it stores and loses is accounted as strain energy and as
//! dissipation of materials: the difference between both and −h F_ξ·v̄ is what the scheme dissipates, 0 for linear elasticity and
//! linear viscosity with θ = ξ = ½.

use super::super::Workspace;
use crate::flexible::dot;
use crate::measure;
use crate::scene::Scene;
use crate::space::{Ambient, Space};
use crate::state::State;

/// Posts the step of the deformable bodies; to be called when all is solved and the state is still old.
pub(in crate::step) fn post<const D: usize>(scene: &Scene<D>, state: &mut State<D>, h: f64, work: &Workspace<D>)
where
    Space<D>: Ambient<D>,
{
    let gravity = scene.steady_gravity();
    let ledger = &mut state.ledger;
    for ((body, tissue), field) in scene.flexibles.iter().zip(&work.deform.bodies).zip(&state.fields) {
        let mean: Vec<f64> = tissue.before.iter().zip(&tissue.velocity).map(|(a, b)| 0.5 * (a + b)).collect();
        ledger.scheme -= dot(&tissue.internal, &mean) + tissue.energy[1] - tissue.energy[0] + tissue.dissipated;
        ledger.materials += tissue.dissipated;
        ledger.damping += dot(&tissue.damping, &mean);
        let weight = dot(&tissue.weight, &mean);
        ledger.work_loads += dot(&tissue.external, &mean) - weight;
        let sunk = measure::flexible::moment_of_mass(body, &tissue.displacement)
            - measure::flexible::moment_of_mass(body, &field.displacement);
        ledger.scheme += gravity.dot(&sunk) - weight;
        // What holds or drives a node gives what its balance lacks.
        let held = tissue.held.iter().enumerate().filter(|(_, held)| **held);
        ledger.work_drives -=
            held.map(|(i, _)| (tissue.balance[i] / tissue.shares[i] + tissue.contact[i]) * mean[i]).sum::<f64>();
        let given: f64 = body.model.shares.iter().map(|m| 0.5 * m * (gravity * h).norm_squared()).sum();
        ledger.throughput += given;
    }
}
