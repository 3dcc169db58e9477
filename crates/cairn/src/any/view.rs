//! What can be read of a simulation, as arrays with names and units. One list declares each quantity: name, unit, meaning, how it is read.

use crate::law::kept;
use crate::measure;
use crate::scene::Scene;
use crate::space::{Ambient, Space, Vect};
use crate::state::State;
use std::borrow::Cow;

/// A snapshot of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Name.
    pub name: Cow<'static, str>,
    /// Unit; `-` for none.
    pub unit: Cow<'static, str>,
    /// Rows, and numbers of each row where these are more than one (3 × 3 for tensors).
    pub shape: Vec<usize>,
    /// The numbers, row by row.
    pub data: Data,
}

/// The numbers of a view.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Real numbers.
    Real(Vec<f64>),
    /// Whole numbers.
    Whole(Vec<u32>),
}

impl View {
    /// The real numbers; none if they are whole.
    pub fn real(&self) -> &[f64] {
        match &self.data {
            Data::Real(numbers) => numbers,
            Data::Whole(_) => &[],
        }
    }

    /// The whole numbers; none if they are real.
    pub fn whole(&self) -> &[u32] {
        match &self.data {
            Data::Whole(numbers) => numbers,
            Data::Real(_) => &[],
        }
    }

    /// Real numbers row by row.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.real().chunks_exact(self.shape[1..].iter().product::<usize>().max(1))
    }
}

/// What a view is asked for by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// Name.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// What it is.
    pub meaning: &'static str,
}

/// A view that there is not.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ViewError {
    /// No quantity of this name.
    #[error("there is no quantity `{name}`: {known}")]
    Quantity {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// No such deformable body.
    #[error("body {body} does not deform, or there is no such body: it has no nodes")]
    Body {
        /// Its number.
        body: u32,
    },
}

/// What all bodies and contacts have: rows in the order of bodies or contacts.
pub fn quantities() -> Vec<Quantity> {
    declared::<2>().into_iter().map(|d| d.quantity).collect()
}

/// What the nodes of a deformable body have: rows in the order of the nodes of its mesh.
pub fn nodal_quantities() -> Vec<Quantity> {
    declared_nodal::<2>().into_iter().map(|d| d.quantity).collect()
}

/// A quantity and how it is read from `S`.
struct Declared<S> {
    quantity: Quantity,
    read: fn(&S) -> (Vec<usize>, Data),
}

fn declare<S>(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: fn(&S) -> (Vec<usize>, Data),
) -> Declared<S> {
    Declared { quantity: Quantity { name, unit, meaning }, read }
}

/// Rows of real numbers.
fn rows<'a, T: 'a>(of: &'a [T], width: usize, numbers: impl Fn(&'a T, &mut Vec<f64>)) -> (Vec<usize>, Data) {
    let mut data = Vec::with_capacity(width * of.len());
    of.iter().for_each(|item| numbers(item, &mut data));
    (vec![of.len(), width], Data::Real(data))
}

fn column<T>(of: &[T], number: impl Fn(&T) -> f64) -> (Vec<usize>, Data) {
    (vec![of.len()], Data::Real(of.iter().map(number).collect()))
}

fn declared<const D: usize>() -> Vec<Declared<State<D>>>
where
    Space<D>: Ambient<D>,
{
    vec![
        declare("positions", "m", "centres of mass of rigid bodies", |s: &State<D>| {
            rows(&s.motions, D, |m, out| out.extend(m.place.centre.iter()))
        }),
        declare("rotations", "-", "orientations of rigid bodies, body to world axes: quaternions (w, x, y, z)", |s| {
            rows(&s.motions, 4, |m, out| out.extend(Space::<D>::quaternion(&m.place.turn)))
        }),
        declare("velocities", "m/s", "velocities of the centres of mass of rigid bodies", |s| {
            rows(&s.motions, D, |m, out| out.extend(m.velocity.iter()))
        }),
        declare("spins", "rad/s", "angular velocities of rigid bodies, world axes; one number in 2D", |s| {
            rows(&s.motions, Space::<D>::SPINS, |m, out| out.extend(Space::<D>::spin_slice(&m.spin)))
        }),
        declare(
            "contact bodies",
            "-",
            "numbers of candidate and antagonist; deformable bodies after rigid ones",
            |s| {
                let bodies = s.reactions.iter().flat_map(|r| r.contact.bodies).collect();
                (vec![s.reactions.len(), 2], Data::Whole(bodies))
            },
        ),
        declare("contact points", "m", "points of contact", |s| {
            rows(&s.reactions, D, |r, out| out.extend(r.contact.touch.point.iter()))
        }),
        declare("contact normals", "-", "unit normals, from the antagonist to the candidate", |s| {
            rows(&s.reactions, D, |r, out| out.extend(r.contact.touch.normal.iter()))
        }),
        declare("contact gaps", "m", "distances along the normals, negative where bodies overlap", |s| {
            column(&s.reactions, |r| r.contact.touch.gap)
        }),
        declare("contact areas", "m²", "shares of the contact area; 2D: m; 0 at points", |s| {
            column(&s.reactions, |r| r.contact.touch.area)
        }),
        declare("contact impulses", "N·s", "impulses on the candidates over the last step, world axes", |s| {
            rows(&s.reactions, D, |r, out| out.extend(r.impulse.iter()))
        }),
        declare("contact forces", "N", "forces on the candidates, mean over the last step, world axes", |s| {
            let h = if s.last_step > 0.0 { s.last_step } else { 1.0 };
            rows(&s.reactions, D, move |r, out| out.extend(r.impulse.iter().map(|x| x / h)))
        }),
        declare("contact velocities", "m/s", "velocities of candidates relative to antagonists, world axes", |s| {
            rows(&s.reactions, D, |r, out| out.extend(r.velocity.iter()))
        }),
        declare("contact status", "-", "0 open, 1 stick, 2 slip", |s| {
            (vec![s.reactions.len()], Data::Whole(s.reactions.iter().map(|r| r.status as u32).collect()))
        }),
    ]
}

/// A deformable body of a scene in a state.
struct Deformed<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: &'a Scene<D>,
    state: &'a State<D>,
    number: usize,
}

impl<const D: usize> Deformed<'_, D>
where
    Space<D>: Ambient<D>,
{
    fn vectors(&self, nodal: &[f64]) -> (Vec<usize>, Data) {
        (vec![nodal.len() / D, D], Data::Real(nodal.to_vec()))
    }

    fn displacement(&self) -> &[f64] {
        &self.state.fields[self.number].displacement
    }
}

fn declared_nodal<'a, const D: usize>() -> Vec<Declared<Deformed<'a, D>>>
where
    Space<D>: Ambient<D>,
{
    vec![
        declare("displacement", "m", "displacements from the mesh as it was placed, world axes", |b: &Deformed<D>| {
            b.vectors(b.displacement())
        }),
        declare("position", "m", "where the nodes are", |b| {
            let positions: Vec<Vect<D>> = b.scene.flexibles[b.number].positions(b.displacement());
            rows(&positions, D, |x, out| out.extend(x.iter()))
        }),
        declare("velocity", "m/s", "velocities, world axes", |b| b.vectors(&b.state.fields[b.number].velocity)),
        declare("stress", "Pa", "Cauchy's stress, 3 × 3, world axes", |b| {
            let stresses = measure::nodal_stresses(&b.scene.flexibles[b.number], &b.state.fields[b.number]);
            let (shape, data) = rows(&stresses, 9, |s, out| out.extend(s.iter()));
            (vec![shape[0], 3, 3], data)
        }),
        declare("contact pressure", "Pa", "contact pressure, mean over the last step", |b| {
            let s = b.state;
            let all = measure::contact_pressures(b.scene, &s.fields, &s.reactions, s.last_step);
            column(&all[b.number], |p| *p)
        }),
    ]
}

fn read<S>(declared: &[Declared<S>], source: &S, name: &str) -> Option<View> {
    let Declared { quantity, read } = declared.iter().find(|d| d.quantity.name == name)?;
    let (shape, data) = read(source);
    Some(View { name: quantity.name.into(), unit: quantity.unit.into(), shape, data })
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> ViewError {
    ViewError::Quantity { name: name.to_string(), known: known.collect::<Vec<_>>().join(", ") }
}

/// A quantity of all bodies or contacts, or a number that laws of the scene keep of contacts under this name.
pub fn view<const D: usize>(scene: &Scene<D>, state: &State<D>, name: &str) -> Result<View, ViewError>
where
    Space<D>: Ambient<D>,
{
    let (declared, columns) = (declared::<D>(), kept::columns(&scene.laws));
    let of_law = || {
        let column = columns.iter().find(|c| c.kept.name == name)?;
        let (shape, data) = self::column(&state.reactions, |r| column.of(r));
        Some(View { name: column.kept.name.into(), unit: column.kept.unit.into(), shape, data })
    };
    let known = declared.iter().map(|d| d.quantity.name).chain(columns.iter().map(|c| c.kept.name));
    read(&declared, state, name).or_else(of_law).ok_or_else(|| unknown(name, known))
}

/// A quantity of the nodes of a deformable body, or a number that its materials keep under this name, averaged to the nodes.
pub fn nodal<const D: usize>(scene: &Scene<D>, state: &State<D>, body: u32, name: &str) -> Result<View, ViewError>
where
    Space<D>: Ambient<D>,
{
    let number = scene.deformable_of(body).filter(|n| *n < scene.flexibles.len());
    let number = number.ok_or(ViewError::Body { body })?;
    let (declared, kept) = (declared_nodal::<D>(), measure::remembered([&scene.flexibles[number]]));
    let of_material = || {
        let quantity = kept.iter().find(|q| q.name == name)?;
        let continuum = &scene.flexibles[number].model.continuum;
        let values = continuum.nodal_history(&state.fields[number].history, name)?;
        let (shape, data) = (vec![values.len()], Data::Real(values));
        Some(View { name: quantity.name.into(), unit: quantity.unit.into(), shape, data })
    };
    let found = read(&declared, &Deformed { scene, state, number }, name).or_else(of_material);
    let known = declared.iter().map(|d| d.quantity.name).chain(kept.iter().map(|q| q.name));
    found.ok_or_else(|| unknown(name, known))
}

/// A quantity of a block of the state under the name that the block declares, exact: node by node, or point by point of integration.
pub fn block<const D: usize>(state: &State<D>, block: usize, name: &str) -> Result<View, ViewError>
where
    Space<D>: Ambient<D>,
{
    let Some((quantity, numbers)) = state.quantity(block, name) else {
        let tables = state.blocks.get(block).into_iter().flat_map(|layout| layout.tables());
        return Err(unknown(name, tables.flat_map(|table| &table.quantities).map(|q| &*q.name)));
    };
    let rows = numbers.len() / quantity.width;
    let shape = if quantity.width == 1 { vec![rows] } else { vec![rows, quantity.width] };
    Ok(View { name: quantity.name, unit: quantity.unit, shape, data: Data::Real(numbers) })
}
