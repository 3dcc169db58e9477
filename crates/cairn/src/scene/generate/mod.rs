//! Reading `[[generate]]`: the usual assemblies, one file each.
//!
//! In all of them the last axis (y in 2D, z in 3D) is upwards. `position` and `angle`/`rotation` place the whole.

mod annulus;
mod arch;
mod blocks;
mod buttress;
mod cells;
mod column;
mod container;
mod dome;
mod drum;
mod grains;
mod lattice;
mod openings;
mod pointed_arch;
mod random;
mod ring;
mod segmental_arch;
mod sizes;
mod vault;
mod voussoirs;
mod wall;

use super::bodies::common;
use super::deformable::of_blocks;
use super::document::{Table, Variant};
use super::shapes::pose;
use super::spec::{Batch, MOST_BODIES, PartSpec, Piece, Pose};
use std::rc::Rc;

/// What a generator made: the pieces, and the names of their groups (`""` is the assembly itself).
pub struct Made {
    groups: Vec<&'static str>,
    pieces: Vec<Piece>,
}

impl Made {
    /// All in the assembly's own group.
    fn one_group(pieces: Vec<Piece>) -> Self {
        Self { groups: vec![""], pieces }
    }
}

/// Reads one `[[generate]]` entry.
pub fn generate(t: &Table) -> Option<Batch> {
    let mut batch = common(t);
    batch.pose = pose(t);
    let v = |name, doc, read| Variant { name, doc, only: None, read };
    let plane = |name, doc, read| Variant { name, doc, only: Some(2), read };
    let solid = |name, doc, read| Variant { name, doc, only: Some(3), read };
    let kinds = [
        v("wall", "blocks in courses; origin: lower left corner, in the middle of the thickness", wall::wall),
        v("arch", "circular arch of voussoirs; origin: centre of the circle", arch::arch),
        v(
            "segmental_arch",
            "arc of a circle by span and rise; origin: middle of the springing line",
            segmental_arch::segmental_arch,
        ),
        v(
            "pointed_arch",
            "two arcs by span and rise; origin: middle of the springing line",
            pointed_arch::pointed_arch,
        ),
        solid("vault", "barrel vault along y; origin: centre of the circle at one end", vault::vault),
        solid("dome", "rings of blocks between two spheres; origin: their centre", dome::dome),
        v(
            "buttress",
            "courses with one upright and one battered face; origin: foot of the upright face",
            buttress::buttress,
        ),
        v("blocks", "blocks from an OBJ, STL or CSV file, one to a group", blocks::blocks),
        v("column", "drums on top of each other; origin: centre of the base", column::column),
        v("grains", "grains in a region, placed without touching each other", grains::grains),
        v("lattice", "equal disks or spheres in a regular pattern; origin: centre of the first", lattice::lattice),
        v(
            "box",
            "fixed walls round a region, groups NAME.left, .right, .bottom, .top, .front, .back",
            container::container,
        ),
        v(
            "drum",
            "fixed hollow drum, bodies go inside, groups NAME (and NAME.front, NAME.back); origin: centre, axis along y in 3D",
            drum::drum,
        ),
        plane("ring", "equal disks in a ring, in the order of the angle; origin: centre", ring::ring),
        plane(
            "annulus",
            "disks between two circles, placed without touching each other; origin: centre",
            annulus::annulus,
        ),
    ];
    let doc = "mesh the blocks of this assembly (those with 4 corners in 2D, 8 in 3D; in files a ring and the same ring above): they deform; supports do not";
    let deformable = t.table("deformable", doc, of_blocks).optional();
    let made = t.variants("kind", "which assembly", &kinds)?;
    let name = batch.groups[0].clone();
    let full = |group: &&str| if group.is_empty() { name.clone() } else { format!("{name}.{group}") };
    batch.groups = made.groups.iter().map(full).collect();
    batch.pieces = made.pieces;
    batch.deformable = deformable.map(Rc::new);
    Some(batch)
}

fn piece(parts: Vec<PartSpec>, position: [f64; 3]) -> Piece {
    Piece { group: 0, parts, pose: Pose::at(position), fixed: false }
}

/// Complains if a product of counts is more than a scene may hold.
fn within_limit(t: &Table, key: &str, counts: &[i64]) -> Option<()> {
    let total: f64 = counts.iter().map(|n| *n as f64).product();
    if total <= MOST_BODIES as f64 {
        return Some(());
    }
    t.wrong(key, format!("`{}` makes {total:.0} bodies, at most {MOST_BODIES} are possible", t.path), "too many");
    None
}
