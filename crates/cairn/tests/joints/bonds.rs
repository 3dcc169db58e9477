//! Which contacts are bonded: in a box only, and not without a word none at all.

use crate::support::{go, plane};
use cairn::contact::Bond;
use cairn::step::{bonded_at_start, contacts_at_start, unbonded};

/// Two blocks 0.4 m wide hang side by side below a held one; bonds are made where `within` says.
fn hanging(within: &str) -> String {
    format!(
        "dimension = 2\ntime = {{ step = 1e-3, end = 1 }}\nmaterials.m = {{ density = 1000 }}\n\
         gravity = {{ acceleration = [0, -10] }}\nignore = [{{ between = \"b\" }}]\n\
         contact = [{{ between = \"any\", friction = 0.5, joint = {{ law = \"brittle\", tensile_strength = 1e5 }} }}]\n\
         [[bond]]\nbetween = [\"held\", \"b\"]\n{within}\n\
         [[bodies]]\nname = \"held\"\nmaterial = \"m\"\nfixed = true\nshape = {{ kind = \"rectangle\", size = [1, 1] }}\n\
         [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nposition = [-0.25, -1]\n\
         shape = {{ kind = \"rectangle\", size = [0.4, 1] }}\ncopies = {{ count = 2, step = [0.5, 0] }}\n"
    )
}

#[test]
fn bonds_are_made_within_the_box_and_nowhere_else() {
    let mut both = plane(&hanging(""));
    go(&mut both, 100);
    assert!((1..=2).all(|k| (both.state.motions[k].place.centre.y + 1.0).abs() < 1e-9));
    // The left half only: after 0.1 s of free fall the right block is 5 cm lower (and half a step of the scheme).
    let mut left = plane(&hanging("within = { low = [-1, -1], high = [-1e-3, 1] }"));
    go(&mut left, 1);
    let whole: Vec<f64> = left
        .state
        .reactions
        .iter()
        .filter(|r| r.memory().bond == Bond::Whole)
        .map(|r| r.contact.touch.point.x)
        .collect();
    assert!(!whole.is_empty() && whole.iter().all(|&x| x < 0.0), "{whole:?}");
    go(&mut left, 99);
    let [_, held, fallen] = [0, 1, 2].map(|k| left.state.motions[k].place.centre.y);
    assert!((held + 1.0).abs() < 1e-9, "{held}");
    assert!((fallen + 1.05).abs() < 1e-3, "{fallen}");
}

#[test]
fn a_bond_that_means_no_contact_is_told() {
    let told = |within: &str| {
        let s = plane(&hanging(within));
        let start = contacts_at_start(&s.scene);
        (unbonded(&s.scene, &start), bonded_at_start(&s.scene, &start).count())
    };
    assert_eq!(told(""), (vec![], 4));
    assert_eq!(told("within = { low = [-1, -1], high = [-1e-3, 1] }"), (vec![], 2));
    // The two that hang do not touch each other; the first of the rules still bonds.
    let (warnings, bonded) = told("[[bond]]\nbetween = \"b\"");
    assert!(warnings.len() == 1 && warnings[0].contains("`bond[1]`"), "{warnings:?}");
    assert_eq!(bonded, 4);
    // What is bonded later cannot be judged yet.
    assert_eq!(told("from = 0.5"), (vec![], 0));
}

fn balls(joint: &str) -> Vec<String> {
    let s = plane(&format!(
        "dimension = 2\ntime = {{ step = 1e-3, end = 1 }}\nmaterials.m = {{ density = 1000 }}\n\
         contact = [{{ between = \"any\", friction = 0.5, joint = {{ {joint} }} }}]\n\
         [[bodies]]\nname = \"grain\"\nmaterial = \"m\"\nshape = {{ kind = \"disk\", radius = 0.5 }}\n\
         copies = {{ count = 3, step = [1, 0] }}\n"
    ));
    unbonded(&s.scene, &contacts_at_start(&s.scene))
}

#[test]
fn a_joint_per_area_between_balls_is_told() {
    for joint in [
        "law = \"brittle\", tensile_strength = 1e5",
        "law = \"elastic\", normal_stiffness = 1e9",
        "law = \"mohr_coulomb\", cohesion = 1e5",
    ] {
        let told = balls(joint);
        assert_eq!(told.len(), 1, "{joint}");
        assert!(told[0].contains("none of the 2 contacts") && told[0].contains("tensile_force"), "{}", told[0]);
    }
    assert!(balls("law = \"brittle\", tensile_force = 10").is_empty());
    assert!(balls("law = \"capillary\", force = 1, range = 0.1").is_empty());
    // Blocks have areas, and corners that meet beside them do no harm.
    let blocks = plane(&hanging(""));
    assert!(unbonded(&blocks.scene, &contacts_at_start(&blocks.scene)).is_empty());
}
