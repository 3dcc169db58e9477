//! Who waits for a solver can stop it: every method looks at the watch in every iteration, and tells how far it is.

use crate::common::{Dice, crowd};
use cairn_solvers::delassus::Stored;
use cairn_solvers::joint::Joint;
use cairn_solvers::nlgs;
use cairn_solvers::problem::{Link, Mass, Vect};
use cairn_solvers::report::{Method, Report, Settings};
use cairn_solvers::rolling::Roll;
use cairn_solvers::solver::Solver;
use cairn_solvers::strategy::rigid::RigidStrategy;
use cairn_solvers::strategy::stored;
use cairn_solvers::watch::{Watch, Watched};

/// A tolerance that nothing reaches, and more sweeps than anybody waits for.
const ENDLESS: Settings = Settings {
    tolerance: 0.0,
    measure: cairn_solvers::solver::Measure::Strict,
    max_sweeps: usize::MAX / 4,
    method: Method::Auto,
    order: cairn_solvers::report::Order::Coloured,
    momentum: true,
    passes: 2,
    measure_change: false,
    portable: false,
    outliers: 1.0,
    most_error: f64::INFINITY,
    watch: Watched::NONE,
};

fn methods() -> impl Iterator<Item = Method> {
    let stored = Solver::NAMES.iter().map(|name| Method::Stored(Solver::named(name).unwrap()));
    [Method::Auto, Method::Nlgs].into_iter().chain(stored)
}

/// All that can be asked to solve a crowd: as it is, with joints, with moments, on a stored W.
fn solve_all<const D: usize>(settings: &Settings, mut check: impl FnMut(&str, Report)) {
    let (masses, links): (Vec<Mass<D>>, Vec<Link<D>>) = crowd(3, 40, 90, false);
    let mut dice = Dice(7);
    let mut glued = links.clone();
    for link in glued.iter_mut().step_by(2) {
        link.form.joint = Joint { stiffness: [2.0 * dice.roll(), dice.roll()], ..Joint::none() };
    }
    let rolls: Vec<Roll> = (0..links.len())
        .map(|link| Roll { link, arms: [0.1, 0.0], bias: Vect::zeros(), moment: Vect::zeros() })
        .collect();
    for method in methods() {
        let settings = Settings { method, ..*settings };
        for (kind, links, rolls) in [("plain", &links, &[][..]), ("joints", &glued, &[]), ("rolling", &links, &rolls)] {
            let (mut masses, mut links, mut rolls) = (masses.clone(), links.clone(), rolls.to_vec());
            let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut rolls, &settings);
            check(&format!("{method:?}, {kind}"), report);
        }
    }
    check("on a stored W", stored::solve_masses(&mut masses.clone(), &mut glued.clone(), settings));
    check("stored", nlgs::solve(&Stored::new(&masses, &links), &mut links.clone(), settings));
}

#[test]
fn every_method_stops_when_it_is_asked_to() {
    let watch = Watch::new();
    watch.stop();
    let settings = Settings { watch: Watched::by(Some(&watch)), ..ENDLESS };
    // At most one iteration of each of the two methods that some begin with.
    let check = |what: &str, report: Report| assert!(report.sweeps <= 2, "{what} made {} iterations", report.sweeps);
    solve_all::<2>(&settings, check);
    solve_all::<3>(&settings, check);
}

#[test]
fn a_solver_tells_how_far_it_is() {
    let watch = Watch::new();
    let (mut masses, mut links) = crowd::<3>(3, 40, 90, false);
    let watched = Watched::by(Some(&watch));
    let settings = Settings { method: Method::Nlgs, max_sweeps: 30, watch: watched, ..ENDLESS };
    let report = RigidStrategy::default().solve(&mut masses, &mut links, &mut [], &settings);
    assert_eq!((watch.iterations(), watch.residual()), (30, Some(report.residual)));
    watch.stop();
    watch.begin();
    assert_eq!((watch.iterations(), watch.residual(), watch.is_stopped()), (0, None, true));
    watch.go_on();
    assert!(!watch.is_stopped());
}

#[test]
fn a_watch_changes_no_bit() {
    let watch = Watch::new();
    let some = Settings { tolerance: 1e-9, max_sweeps: 500, ..ENDLESS };
    let mut reports = [vec![], vec![]];
    solve_all::<2>(&some, |_, report| reports[0].push((report.sweeps, report.residual.to_bits())));
    let watched = Settings { watch: Watched::by(Some(&watch)), ..some };
    solve_all::<2>(&watched, |_, report| reports[1].push((report.sweeps, report.residual.to_bits())));
    assert_eq!(reports[0], reports[1]);
}
