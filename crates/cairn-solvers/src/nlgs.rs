//! Non-linear block Gauss–Seidel on a stored W: the plain reference.
//!
//! Each contact in turn is solved exactly with the others frozen at their latest values:
//! U_loc = U − W_αα R_α, R_α ← local solution.

use crate::delassus::Delassus;
use crate::local;
use crate::problem::{Link, Vect};
use crate::report::{Order, Report, Settings};
use crate::residual;

/// Solves in place: impulses in `links` are the start, impulses and velocities the solution. The order `Coloured`
/// means as listed here. The residual is evaluated after every sweep.
pub fn solve<const D: usize>(w: &impl Delassus<D>, links: &mut [Link<D>], settings: &Settings) -> Report {
    let contacts = w.contacts();
    let mut impulses: Vec<Vect<D>> = links.iter().map(|l| l.impulse).collect();
    let rho: Vec<f64> = (0..contacts).map(|a| rho(w.block(a).trace(), D)).collect();
    let mut report = Report::default();
    for (a, link) in links.iter().enumerate() {
        if local::is_painleve(w.block(a), link.form.friction) {
            report.painleve += 1;
            report.first_painleve = report.first_painleve.or(Some(a));
        }
    }
    while report.sweeps < settings.max_sweeps.max(1) {
        let backward = match settings.order {
            Order::Coloured | Order::Listed => false,
            Order::Reversed => true,
            Order::Symmetric => report.sweeps % 2 == 1,
        };
        for step in 0..contacts {
            let a = if backward { contacts - 1 - step } else { step };
            let block = w.block(a);
            let form = &links[a].form;
            let u_loc = w.velocity(a, &impulses) - block * impulses[a] + form.bias;
            impulses[a] = local::solve(block, &u_loc, form.friction).impulse;
        }
        report.sweeps += 1;
        for (a, link) in links.iter_mut().enumerate() {
            link.impulse = impulses[a];
            link.velocity = w.velocity(a, &impulses);
        }
        residual::assess(links, &rho, settings.tolerance, &mut report);
        if report.converged || report.broken {
            break;
        }
    }
    report
}

/// ρ = D/tr W, or 0 where nothing responds.
pub(crate) fn rho(trace: f64, dimension: usize) -> f64 {
    if trace > 0.0 { dimension as f64 / trace } else { 0.0 }
}
