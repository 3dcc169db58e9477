//! Small stiff assemblies at tight tolerances: Newton over bodies ends what sweeps take long for.

use crate::support::{go, solid};

/// A barrel vault of 157 blocks in every contact to 1e-9: sweeps alone take some 800 a step.
#[test]
fn a_vault_is_exact_within_few_sweeps() {
    let mut vault = solid(
        r#"
dimension = 3
gravity = { acceleration = [0, 0, -9.81] }
time = { step = 2e-3, end = 1 }
materials.stone = { density = 2400 }
solver = { tolerance = 1e-9, max_sweeps = 40_000, outliers = 1 }
[[contact]]
between = "any"
friction = 0.7
[[generate]]
name = "vault"
material = "stone"
kind = "vault"
courses = 15
blocks = 10
radius = 3
thickness = 0.5
length = 6
"#,
    );
    let steps = 20;
    go(&mut vault, steps);
    assert_eq!(vault.state.ledger.unconverged, 0);
    let sweeps = vault.state.ledger.sweeps as usize;
    assert!(sweeps < 300 * steps, "{sweeps} sweeps in {steps} steps");
}
