//! Joints: openings, slips, resultants with their eccentricity, thrust lines.

use crate::support::{go, plane, solid};
use cairn::measure::{Joint, joints, thrust_line, thrust_pieces};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Placement, Space, Vect};
use cairn::step::contacts_at_start;

fn of<const D: usize>(simulation: &Simulation<D>) -> Vec<Joint<D>>
where
    Space<D>: Ambient<D>,
{
    joints(&simulation.scene, &contacts_at_start(&simulation.scene), &simulation.state)
}

fn two_blocks(more: &str) -> Simulation<2> {
    plane(&format!(
        "dimension = 2\n[time]\nstep = 1e-3\nend = 1\n[materials]\nstone = {{ density = 1000 }}\n\
         [[contact]]\nbetween = \"any\"\nfriction = 0.5\n[gravity]\nacceleration = [0, -10]\n\
         [[bodies]]\nname = \"ground\"\nmaterial = \"stone\"\nfixed = true\n\
         shape = {{ kind = \"half_plane\", normal = [0, 1] }}\n\
         [[bodies]]\nname = \"low\"\nmaterial = \"stone\"\nposition = [0, 0.5]\nshape = {{ kind = \"rectangle\", size = [2, 1] }}\n\
         [[bodies]]\nname = \"top\"\nmaterial = \"stone\"\nposition = [0, 1.5]\nshape = {{ kind = \"rectangle\", size = [2, 1] }}\n\
         [solver]\ntolerance = 1e-10\n{more}"
    ))
}

#[test]
fn the_eccentricity_of_a_joint_is_that_of_its_load() {
    // 20 kN of weight in the middle of the top block and 5 kN·m: the force in the joint is at 0.25 m, at 0.125 m in the foot.
    let mut blocks = two_blocks("[[load]]\nbodies = \"top\"\ntorque = -5000\n");
    go(&mut blocks, 3);
    let found = of(&blocks);
    assert_eq!(found.len(), 2);
    for (joint, (bodies, force, at)) in found.iter().zip([([0, 1], 40e3, 0.125), ([1, 2], 20e3, 0.25)]) {
        assert_eq!(joint.bodies, bodies);
        assert!((joint.force.norm() / force - 1.0).abs() < 1e-6, "{joint:?}");
        assert!((joint.eccentricity().unwrap() - at).abs() < 1e-5, "{joint:?}");
        assert!((joint.relative_eccentricity().unwrap() - at).abs() < 1e-5, "{joint:?}");
        assert!(joint.opening.abs() < 1e-9 && joint.slip < 1e-9);
    }
    let line = thrust_line(&found, &[2, 1, 0]);
    assert!(
        (line[0] - Vect::<2>::new(0.25, 1.0)).norm() < 1e-5 && (line[1] - Vect::<2>::new(0.125, 0.0)).norm() < 1e-5
    );
}

#[test]
fn thrust_goes_through_blocks_and_not_along_the_ground() {
    let mut blocks = two_blocks(
        "[[bodies]]\nname = \"beside\"\nmaterial = \"stone\"\nposition = [5, 0.5]\nshape = { kind = \"rectangle\", size = [2, 1] }\n",
    );
    go(&mut blocks, 3);
    let pieces = thrust_pieces(&blocks.scene, &of(&blocks));
    // The ground is pressed in two joints, the low block in two, the others in one.
    assert_eq!(pieces.len(), 1, "{pieces:?}");
    let ([a, b], force) = pieces[0];
    assert!((a.y - b.y).abs() > 0.99 && a.x.abs().max(b.x.abs()) < 1e-6, "{pieces:?}");
    assert!((force / 40e3 - 1.0).abs() < 1e-6, "{force}");
}

#[test]
fn openings_and_slips_are_those_of_the_motion_however_far_it_goes() {
    let mut blocks = two_blocks("");
    go(&mut blocks, 1);
    // Turned by 0.3 about the lower left corner, then moved by 0.2 along x, together with the lower block by 7 along y.
    let (s, c) = 0.3f64.sin_cos();
    blocks.state.motions[1].place.centre.y += 7.0;
    let top = &mut blocks.state.motions[2].place;
    let arm = Vect::<2>::new(1.0, 0.5);
    *top = Placement {
        centre: Vect::<2>::new(-0.8 + c * arm.x - s * arm.y, 8.0 + s * arm.x + c * arm.y),
        turn: Space::<2>::turn_by(&0.3),
    };
    let found = of(&blocks);
    let joint = found.iter().find(|j| j.bodies == [1, 2]).unwrap();
    // At the right end the lower block is at (1, 8), the upper one at (−0.8 + 2 cos 0.3, 8 + 2 sin 0.3): the jump (1.8 − 2 cos 0.3,
    // −2 sin 0.3) in the axes of the upper block.
    assert!((joint.opening - 1.8 * s).abs() < 1e-9, "{joint:?}");
    assert!((joint.slip - (2.0 - 1.8 * c)).abs() < 1e-9, "{joint:?}");
    let foot = found.iter().find(|j| j.bodies == [0, 1]).unwrap();
    assert!((foot.opening - 7.0).abs() < 1e-9);
}

/// The thrust line of a symmetric arch near its limit touches the outside at the crown, the inside at the haunches.
#[test]
fn the_thrust_line_of_an_arch_stays_within_it_and_balances_the_weight() {
    let text = "dimension = 2\n[time]\nstep = 2e-3\nend = 1\n[materials]\nstone = { density = 1000 }\n\
                [[contact]]\nbetween = \"any\"\nfriction = 0.8\n[gravity]\nacceleration = [0, -10]\n\
                [[generate]]\nname = \"arch\"\nmaterial = \"stone\"\nkind = \"arch\"\nvoussoirs = 12\nradius = 1\nthickness = 0.12\n\
                [solver]\ntolerance = 1e-8\n";
    let mut arch = plane(text);
    go(&mut arch, 5);
    let found = of(&arch);
    assert_eq!(found.len(), 13);
    let chain: Vec<u32> = std::iter::once(12).chain(0..12).chain([13]).collect();
    let line = thrust_line(&found, &chain);
    assert_eq!(line.len(), 13);
    for (i, p) in line.iter().enumerate() {
        assert!((p.norm() - 1.0).abs() < 0.0601, "joint {i}: {p}");
        let mirrored = Vect::<2>::new(-p.x, p.y);
        assert!((line[12 - i] - mirrored).norm() < 0.02, "joint {i} is not symmetric");
    }
    // The springings carry the weight; the crown joint what the right half does not give to its springing.
    let at = |a: u32, b: u32| found.iter().find(|j| j.bodies == [a, b]).unwrap().force;
    let weight: f64 = arch.scene.bodies[..12].iter().map(|b| 10.0 * b.mass).sum();
    let (right, left, crown) = (at(0, 12), at(11, 13), at(5, 6));
    assert!((right + left - Vect::<2>::new(0.0, weight)).norm() < 1e-4 * weight, "{right} and {left} of {weight}");
    assert!(
        (crown + right - Vect::<2>::new(0.0, weight / 2.0)).norm() < 1e-4 * weight,
        "{crown} and {right} of {weight}"
    );
}

#[test]
fn joints_of_meshed_blocks_open_like_those_of_rigid_ones() {
    let wall = |deformable: &str| {
        solid(&format!(
            "dimension = 3\n[time]\nstep = 1e-4\nend = 1\n[materials]\nstone = {{ density = 2000, young = 1e10 }}\n\
             [[contact]]\nbetween = \"any\"\nfriction = 0.5\n[gravity]\nacceleration = [0, 0, -10]\n\
             [[bodies]]\nname = \"ground\"\nmaterial = \"stone\"\nfixed = true\n\
             shape = {{ kind = \"half_space\", normal = [0, 0, 1] }}\n\
             [[generate]]\nname = \"wall\"\nmaterial = \"stone\"\nkind = \"wall\"\ncourses = 2\nblocks = 1\nsize = [0.4, 0.2, 0.2]\n\
             bond = \"stack\"\n{deformable}"
        ))
    };
    let mut meshed = wall("deformable = { cells = [2, 2, 2], candidates = \"mid_points\" }");
    go(&mut meshed, 1);
    let upper = &mut meshed.state.fields[1].displacement;
    upper.chunks_exact_mut(3).for_each(|u| (u[0], u[2]) = (0.03, 0.01));
    let found = of(&meshed);
    let joint = found.iter().find(|j| j.bodies == [1, 2]).unwrap();
    assert!((joint.opening - 0.01).abs() < 1e-5 && (joint.slip - 0.03).abs() < 1e-5, "{joint:?}");
    assert!(joint.outline.len() >= 4);
    let mut rigid = wall("");
    go(&mut rigid, 1);
    assert_eq!(of(&rigid).len(), found.len());
}
