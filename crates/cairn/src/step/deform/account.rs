//! The energy account of deformable bodies. With v̄ = ½(v(i) + v(i+1)) the discrete balance of momentum gives
//!
//!   ΔE_k = h F_ξ·v̄ − h C v_ξ·v̄ + h P_ξ·v̄ + r·v̄ + (reactions of what is held)·v̄
//!
//! Contacts are accounted with the rigid ones. What the material says that it stores and loses is accounted as strain energy and as
//! dissipation of materials: the difference between both and −h F_ξ·v̄ is what the scheme dissipates, 0 for linear elasticity and
//! linear viscosity with θ = ξ = ½. With velocity cancelling v̄ is Δq/h, as for rigid bodies.

use super::super::Workspace;
use super::super::account::mean_weight;
use super::fictitious::taken;
use crate::flexible::{Correction, dot};
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
    let weight = mean_weight(scene);
    let ledger = &mut state.ledger;
    for ((body, iterate), field) in scene.flexibles.iter().zip(&work.deform.bodies).zip(&state.fields) {
        let mean = iterate.before.iter().zip(&iterate.velocity).map(|(a, b)| (1.0 - weight) * a + weight * b);
        let mean: Vec<f64> = mean.collect();
        if weight > 0.5 {
            let change: Vec<f64> = iterate.velocity.iter().zip(&iterate.before).map(|(b, a)| b - a).collect();
            ledger.cancelled += (2.0 * weight - 1.0) * measure::flexible::kinetic_energy(body, &change);
        }
        if body.fictitious.is_some() {
            let change: Vec<f64> = iterate.velocity.iter().zip(&iterate.before).map(|(b, a)| b - a).collect();
            ledger.scheme += taken(body, &iterate.fictitious, &change, &mean);
        }
        ledger.scheme -= dot(&iterate.internal, &mean) + iterate.energy[1] - iterate.energy[0] + iterate.lost.total();
        ledger.materials.add(1.0, &iterate.lost);
        ledger.damping += dot(&iterate.damping, &mean);
        let by_gravity = dot(&iterate.weight, &mean);
        ledger.work_loads += dot(&iterate.external, &mean) - by_gravity;
        let sunk = measure::flexible::moment_of_mass(body, &iterate.displacement)
            - measure::flexible::moment_of_mass(body, &field.displacement);
        ledger.scheme += gravity.dot(&sunk) - by_gravity;
        // What holds or drives a node gives what its balance lacks.
        let held = iterate.held.iter().enumerate().filter(|(_, held)| **held);
        ledger.work_drives -=
            held.map(|(i, _)| (iterate.balance[i] / iterate.shares[i] + iterate.contact[i]) * mean[i]).sum::<f64>();
        // An explicit step is driven by the forces where it was sent, not by those where it ends. What Newton leaves out of balance is no
        // part of a scheme: the account shows it.
        if body.correction == Correction::Mass {
            let free = iterate.held.iter().enumerate().filter(|(_, held)| !**held);
            ledger.scheme +=
                free.map(|(i, _)| (iterate.balance[i] / iterate.shares[i] + iterate.contact[i]) * mean[i]).sum::<f64>();
        }
        let given: f64 = body.model.shares.iter().map(|m| 0.5 * m * (gravity * h).norm_squared()).sum();
        ledger.throughput += given;
    }
}
