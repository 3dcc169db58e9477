//! Blocks: every body, rigid or deformable, belongs to one, and the block declares what its numbers are.
//!
//! ```text
//! block        nodes               coordinates q        velocities v         history
//! rigid        centres of mass     position, rotation   velocity, spin       none
//! continuum    those of its mesh   displacement         velocity             what its materials keep at points of integration
//! ```
//!
//! The rigid bodies of a scene are one block, each deformable body is one. A block's numbers are flat arrays, row after row as a [`Table`]
//! says: names, units, how many. The step works on the same numbers by name ([`Motion`], [`Field`]); this file is where the two meet.
//! Checkpoints, stored states, `bodies.vtkhdf` and programs that use the library read the declarations, and know no kind of body. A new kind
//! is a variant of [`Kind`], a function that declares it, and a line each in [`State::numbers`] and [`Parts::take`].

use super::State;
use crate::body::Motion;
use crate::flexible::{Field, Flexible};
use crate::scene::Scene;
use crate::space::{Ambient, Placement, Space, Vect};
use std::borrow::Cow;
use std::sync::Arc;

/// What a block consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rigid bodies, one node each.
    Rigid,
    /// A deformable body.
    Continuum,
}

impl Kind {
    /// All of them, in the order of their numbers.
    pub const ALL: [Kind; 2] = [Kind::Rigid, Kind::Continuum];
}

/// One or several numbers under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Name.
    pub name: Cow<'static, str>,
    /// Unit; `-` for none.
    pub unit: Cow<'static, str>,
    /// How many numbers.
    pub width: usize,
}

impl Quantity {
    fn new(name: &'static str, unit: &'static str, width: usize) -> Self {
        Self { name: name.into(), unit: unit.into(), width }
    }
}

/// A flat array, row by row: in each row some points with the same quantities, and further numbers without a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Nodes, or cells of a mesh.
    pub rows: usize,
    /// Points of a row: 1 for nodes.
    pub points: usize,
    /// What each point has.
    pub quantities: Vec<Quantity>,
    /// Numbers of the row itself behind those of its points, such as the incompatible modes of a cell.
    pub rest: usize,
}

impl Table {
    fn of_nodes(rows: usize, quantities: Vec<Quantity>) -> Self {
        Self { rows, points: 1, quantities, rest: 0 }
    }

    /// Numbers of a point.
    fn width(&self) -> Option<usize> {
        self.quantities.iter().try_fold(0_usize, |sum, q| sum.checked_add(q.width))
    }

    /// Numbers of the whole array; `None` if there is no such array.
    pub fn numbers(&self) -> Option<usize> {
        let row = self.width()?.checked_mul(self.points)?.checked_add(self.rest)?;
        row.checked_mul(self.rows)
    }

    /// One quantity of all points of `numbers`, which are those of this table; `None` if it has none of this name.
    pub fn column(&self, numbers: &[f64], name: &str) -> Option<Vec<f64>> {
        let place = self.quantities.iter().position(|q| q.name == name)?;
        let first: usize = self.quantities[..place].iter().map(|q| q.width).sum();
        let (width, of_point) = (self.quantities[place].width, self.width()?);
        let mut column = Vec::with_capacity(self.rows * self.points * width);
        for row in numbers.chunks_exact((self.points * of_point + self.rest).max(1)) {
            for point in row[..self.points * of_point].chunks_exact(of_point) {
                column.extend_from_slice(&point[first..first + width]);
            }
        }
        Some(column)
    }

    /// In words, for errors.
    fn describe(&self) -> String {
        let quantities: Vec<_> =
            self.quantities.iter().map(|q| format!("{} [{}] × {}", q.name, q.unit, q.width)).collect();
        let points = if self.points == 1 { String::new() } else { format!(" × {} points", self.points) };
        let rest = if self.rest == 0 { String::new() } else { format!(" and {} numbers more each", self.rest) };
        let quantities = if quantities.is_empty() { "nothing".to_string() } else { quantities.join(", ") };
        format!("{} rows{points} of {quantities}{rest}", self.rows)
    }
}

/// What a block declares of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Name of the body, or what the bodies are together.
    pub name: String,
    /// What it consists of.
    pub kind: Kind,
    /// Where its nodes are.
    pub coordinates: Table,
    /// How they move.
    pub velocities: Table,
    /// What materials keep, region by region of the mesh: a row is a cell.
    pub history: Vec<Table>,
}

impl Layout {
    /// The rigid bodies of a scene.
    pub(crate) fn rigid<const D: usize>(bodies: usize) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let turn = Quantity::new("rotation", "-", turn_width(D));
        let spin = Quantity::new("spin", "rad/s", Space::<D>::SPINS);
        Self {
            name: "rigid bodies".into(),
            kind: Kind::Rigid,
            coordinates: Table::of_nodes(bodies, vec![Quantity::new("position", "m", D), turn]),
            velocities: Table::of_nodes(bodies, vec![Quantity::new("velocity", "m/s", D), spin]),
            history: Vec::new(),
        }
    }

    /// A deformable body.
    fn continuum<const D: usize>(name: String, body: &Flexible<D>) -> Self
    where
        Space<D>: Ambient<D>,
    {
        let kept = body.model.continuum.history_tables().map(|kept| Table {
            rows: kept.cells,
            points: kept.points,
            quantities: kept.quantities.iter().map(|q| Quantity::new(q.name, q.unit, 1)).collect(),
            rest: kept.modes,
        });
        Self { history: kept.collect(), ..Self::nodal::<D>(name, body.model.nodes().len()) }
    }

    /// A deformable body whose materials keep nothing.
    pub(crate) fn nodal<const D: usize>(name: String, nodes: usize) -> Self {
        Self {
            name,
            kind: Kind::Continuum,
            coordinates: Table::of_nodes(nodes, vec![Quantity::new("displacement", "m", D)]),
            velocities: Table::of_nodes(nodes, vec![Quantity::new("velocity", "m/s", D)]),
            history: Vec::new(),
        }
    }

    /// All tables in the order in which their numbers are stored.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        [&self.coordinates, &self.velocities].into_iter().chain(&self.history)
    }

    /// Is it one that this program would declare in `D` dimensions for its kind?
    pub fn is_sound<const D: usize>(&self) -> bool
    where
        Space<D>: Ambient<D>,
    {
        let nodes = self.coordinates.rows;
        let of = |kind: Kind| match kind {
            Kind::Rigid => Self::rigid::<D>(nodes),
            Kind::Continuum => Self { history: self.history.clone(), ..Self::nodal::<D>(String::new(), nodes) },
        };
        Self { name: self.name.clone(), ..of(self.kind) } == *self
    }

    /// How it differs from what a scene declares, in words; the name of a body does not matter.
    fn difference(&self, expected: &Self) -> Option<String> {
        let kinds =
            (self.kind != expected.kind).then(|| format!("is {:?} there, {:?} in the scene", self.kind, expected.kind));
        let regions = || {
            let (found, known) = (self.history.len(), expected.history.len());
            (found != known).then(|| format!("keeps a history in {found} regions there, in {known} in the scene"))
        };
        let tables = || {
            let (found, known) = self.tables().zip(expected.tables()).find(|(found, known)| found != known)?;
            Some(format!("has {} there, {} in the scene", found.describe(), known.describe()))
        };
        kinds.or_else(regions).or_else(tables)
    }
}

/// Numbers that a turn is stored with: cosine and sine, or a quaternion (w, x, y, z).
const fn turn_width(dimension: usize) -> usize {
    if dimension == 2 { 2 } else { 4 }
}

/// What the blocks of a scene declare: its rigid bodies, then each deformable one.
pub fn layouts<const D: usize>(scene: &Scene<D>) -> Arc<[Layout]>
where
    Space<D>: Ambient<D>,
{
    let rigid = (!scene.bodies.is_empty()).then(|| Layout::rigid::<D>(scene.bodies.len()));
    let continuum =
        |(k, body): (usize, &Flexible<D>)| Layout::continuum(scene.body_name(scene.number_of_deformable(k)), body);
    rigid.into_iter().chain(scene.flexibles.iter().enumerate().map(continuum)).collect()
}

/// How the blocks of a saved state differ from those of a scene, in words; `None` if they do not.
pub fn difference(found: &[Layout], expected: &[Layout]) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!("there are {} blocks of bodies there, {} in the scene", found.len(), expected.len()));
    }
    let differs = |(found, expected): (&Layout, &Layout)| Some((expected.name.clone(), found.difference(expected)?));
    let (name, how) = found.iter().zip(expected).find_map(differs)?;
    Some(format!("`{name}` {how}"))
}

/// The numbers of a block as flat arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers<'a> {
    /// Coordinates q.
    pub coordinates: Cow<'a, [f64]>,
    /// Velocities v.
    pub velocities: Cow<'a, [f64]>,
    /// History, region after region.
    pub history: Cow<'a, [f64]>,
}

impl<const D: usize> State<D>
where
    Space<D>: Ambient<D>,
{
    /// As a scene places its bodies, before anything has happened.
    pub fn start(scene: &Scene<D>) -> Self {
        Self {
            step: 0,
            time: 0.0,
            last_step: 0.0,
            blocks: layouts(scene),
            motions: scene.start.clone(),
            fields: scene.flexibles.iter().map(|body| body.start()).collect(),
            reactions: Vec::new(),
            stages: Vec::new(),
            controls: Vec::new(),
            ledger: Default::default(),
        }
    }

    /// The numbers of the blocks, in their order.
    pub fn numbers(&self) -> impl Iterator<Item = (&Layout, Numbers<'_>)> {
        let mut fields = self.fields.iter();
        self.blocks.iter().map(move |layout| {
            let numbers = match layout.kind {
                Kind::Rigid => Numbers {
                    coordinates: Cow::Owned(self.motions.iter().flat_map(coordinates).collect()),
                    velocities: Cow::Owned(self.motions.iter().flat_map(velocities).collect()),
                    history: Cow::Borrowed(&[]),
                },
                Kind::Continuum => fields.next().map_or_else(Numbers::default, |field| Numbers {
                    coordinates: Cow::Borrowed(&field.displacement),
                    velocities: Cow::Borrowed(&field.velocity),
                    history: Cow::Borrowed(&field.history),
                }),
            };
            (layout, numbers)
        })
    }

    /// A quantity of a block under its declared name, node by node or point by point; `None` if it has none of this name.
    pub fn quantity(&self, block: usize, name: &str) -> Option<(Quantity, Vec<f64>)> {
        let (layout, numbers) = self.numbers().nth(block)?;
        let declared = layout.tables().flat_map(|table| &table.quantities).find(|q| q.name == name)?.clone();
        let nodal = [(&layout.coordinates, &numbers.coordinates), (&layout.velocities, &numbers.velocities)];
        let found = nodal.into_iter().find_map(|(table, numbers)| table.column(numbers, name));
        let kept = || {
            let mut rest = &numbers.history[..];
            let mut all = Vec::new();
            for table in &layout.history {
                let (region, behind) = rest.split_at(table.numbers().unwrap_or(0).min(rest.len()));
                all.extend(table.column(region, name).into_iter().flatten());
                rest = behind;
            }
            all
        };
        Some((declared, found.unwrap_or_else(kept)))
    }
}

impl Default for Numbers<'_> {
    fn default() -> Self {
        let none = || Cow::Borrowed(&[][..]);
        Self { coordinates: none(), velocities: none(), history: none() }
    }
}

/// The numbers of a body in the order of [`Layout::rigid`].
fn coordinates<const D: usize>(motion: &Motion<D>) -> impl Iterator<Item = f64>
where
    Space<D>: Ambient<D>,
{
    let turn = Space::<D>::turn_numbers(&motion.place.turn).into_iter().take(turn_width(D));
    motion.place.centre.data.0[0].into_iter().chain(turn)
}

fn velocities<const D: usize>(motion: &Motion<D>) -> impl Iterator<Item = f64>
where
    Space<D>: Ambient<D>,
{
    let spin = Space::<D>::spin_slice(&motion.spin).iter().copied();
    motion.velocity.data.0[0].into_iter().chain(spin)
}

/// Bodies of a state, taken from the numbers of blocks.
#[derive(Debug)]
pub struct Parts<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// Of rigid bodies.
    pub motions: Vec<Motion<D>>,
    /// Of deformable bodies.
    pub fields: Vec<Field>,
}

impl<const D: usize> Default for Parts<D>
where
    Space<D>: Ambient<D>,
{
    fn default() -> Self {
        Self { motions: Vec::new(), fields: Vec::new() }
    }
}

impl<const D: usize> Parts<D>
where
    Space<D>: Ambient<D>,
{
    /// Takes the next block.
    pub fn take(&mut self, kind: Kind, numbers: Numbers<'_>) {
        let Numbers { coordinates, velocities, history } = numbers;
        match kind {
            Kind::Rigid => {
                let places = coordinates.chunks_exact(D + turn_width(D));
                let rates = velocities.chunks_exact(D + Space::<D>::SPINS);
                self.motions.extend(places.zip(rates).map(|(place, rate)| motion(place, rate)));
            }
            Kind::Continuum => self.fields.push(Field {
                displacement: coordinates.into_owned(),
                velocity: velocities.into_owned(),
                history: history.into_owned(),
            }),
        }
    }
}

/// The inverse of [`coordinates`] and [`velocities`].
fn motion<const D: usize>(place: &[f64], rate: &[f64]) -> Motion<D>
where
    Space<D>: Ambient<D>,
{
    let mut turn = [0.0; 4];
    turn[..turn_width(D)].copy_from_slice(&place[D..]);
    let place = Placement { centre: Vect::from_column_slice(&place[..D]), turn: Space::<D>::turn_from_numbers(turn) };
    let mut motion = Motion { place, velocity: Vect::from_column_slice(&rate[..D]), spin: Default::default() };
    Space::<D>::spin_slice_mut(&mut motion.spin).copy_from_slice(&rate[D..]);
    motion
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_leave_out_the_numbers_of_cells() {
        let quantities = vec![Quantity::new("a", "m", 1), Quantity::new("b", "-", 2)];
        let table = Table { rows: 2, points: 2, quantities, rest: 1 };
        let numbers: Vec<f64> = (0..14).map(f64::from).collect();
        assert_eq!(table.numbers(), Some(14));
        assert_eq!(table.column(&numbers, "a").unwrap(), [0.0, 3.0, 7.0, 10.0]);
        assert_eq!(table.column(&numbers, "b").unwrap(), [1.0, 2.0, 4.0, 5.0, 8.0, 9.0, 11.0, 12.0]);
        assert_eq!(table.column(&numbers, "c"), None);
        assert_eq!(Table { rows: usize::MAX, ..table }.numbers(), None);
    }

    #[test]
    fn blocks_that_differ_are_told_by_name() {
        let beam = |unit| Layout {
            name: "beam".into(),
            kind: Kind::Continuum,
            history: vec![Table::of_nodes(4, vec![Quantity::new("damage", unit, 1)])],
            ..Layout::rigid::<2>(3)
        };
        assert_eq!(difference(&[beam("-")], &[beam("-")]), None);
        let told = difference(&[beam("Pa")], &[beam("-")]).unwrap();
        assert_eq!(told, "`beam` has 4 rows of damage [Pa] × 1 there, 4 rows of damage [-] × 1 in the scene");
        let renamed = Layout { name: "girder".into(), ..beam("-") };
        assert_eq!(difference(&[renamed], &[beam("-")]), None);
        assert!(difference(&[], &[beam("-")]).unwrap().contains("0 blocks"));
    }
}
