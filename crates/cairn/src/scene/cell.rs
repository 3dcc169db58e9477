//! Periodic cells: what leaves on one side comes in on the other, and bodies meet across the faces.
//!
//! The lattice vectors of the directions x, y, z are the columns of
//!
//!   Λ(t) = | L_x eˣˣ   γ_xy L_y eʸʸ   γ_xz L_z eᶻᶻ |
//!          |           L_y eʸʸ        γ_yz L_z eᶻᶻ |
//!          |                          L_z eᶻᶻ      |
//!
//! with the sizes L of the cell at the start and the prescribed logarithmic strains eᵏᵏ(t) and shear strains γ(t), so that the cell follows
//! from the time alone and need not be saved.

use super::History;
use super::document::{Ask, Kind, Problem, Table, Value, suggest};
use super::spec::CellSpec;
use super::stages::beginning;
use crate::contact::Image;
use crate::space::{Mat, Vect};

/// A prescribed strain of the cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Strain {
    /// Direction in which the lattice vector grows.
    pub row: usize,
    /// Which lattice vector.
    pub column: usize,
    /// Logarithmic strain (`row` = `column`) or shear strain in time.
    pub history: History,
}

/// A periodic cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell<const D: usize> {
    /// Its lowest corner; it is the same at all times [m].
    pub low: Vect<D>,
    /// Its sides at the start [m].
    pub size: Vect<D>,
    /// Directions in which it is periodic.
    pub periodic: [bool; 3],
    /// How it deforms.
    pub strains: Vec<Strain>,
}

impl<const D: usize> Cell<D> {
    /// Λ: lattice vectors as columns [m]; unit vectors where it is not periodic.
    pub fn vectors(&self, time: f64) -> Mat<D> {
        self.vectors_by(&|history| history.at(time))
    }

    /// The same with a strain of one's own for each history.
    pub fn vectors_by(&self, value: &dyn Fn(&History) -> f64) -> Mat<D> {
        let total = |row: usize, column: usize| -> f64 {
            let of = self.strains.iter().filter(|strain| (strain.row, strain.column) == (row, column));
            of.map(|strain| value(&strain.history)).sum()
        };
        let length = |k: usize| if self.periodic[k] { self.size[k] * total(k, k).exp() } else { 1.0 };
        Mat::<D>::from_fn(|row, column| match row.cmp(&column) {
            std::cmp::Ordering::Equal => length(row),
            std::cmp::Ordering::Less if self.periodic[column] => total(row, column) * length(column),
            _ => 0.0,
        })
    }

    /// Volume of the cell, with its size at the start where it is not periodic [m³; 2D: m²].
    pub fn volume(&self, time: f64) -> f64 {
        let vectors = self.vectors(time);
        (0..D).map(|k| if self.periodic[k] { vectors[(k, k)] } else { self.size[k] }).product()
    }

    /// Where an image is, seen from the body itself [m].
    pub fn offset(&self, image: Image, time: f64) -> Vect<D> {
        self.vectors(time) * image.cells::<D>()
    }

    /// A point as seen in the cell [m].
    pub fn folded(&self, x: &Vect<D>, time: f64) -> Vect<D> {
        let vectors = self.vectors(time);
        let Some(inverse) = vectors.try_inverse() else { return *x };
        let at = inverse * (x - self.low);
        x - vectors * Vect::<D>::from_fn(|k, _| if self.periodic[k] { at[k].floor() } else { 0.0 })
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// `[cell]`.
pub fn cell(t: &Table) -> Option<CellSpec> {
    let low = t.vector("low", "lowest corner of the cell [m]").required();
    let high = t.vector("high", "highest corner of the cell at the start [m]").required();
    let periodic = periodic(t).or_as("all", [true; 3]);
    let strains: Option<Vec<Strain>> = t.list("strain", "how the cell deforms in time", strain).into_iter().collect();
    let (low, high, strains) = (low?, high?, strains?);
    let dimension = t.reader.dimension.get();
    if let Some(k) = (0..dimension).find(|k| high[*k] <= low[*k]) {
        t.wrong("high", format!("`{}` must be above `low` in {}", t.path_of("high"), AXES[k]), "no room");
        return None;
    }
    if let Some(strain) = strains.iter().find(|strain| !periodic[strain.column]) {
        let axis = AXES[strain.column];
        let message = format!("a strain of the lattice vector of {axis}, in which the cell is not periodic");
        t.reader.report(Problem::new(t.place_of("strain"), message, "no such vector"));
        return None;
    }
    Some(CellSpec {
        place: t.place,
        low,
        high,
        periodic: std::array::from_fn(|k| k < dimension && periodic[k]),
        strains,
    })
}

fn periodic<'t>(t: &'t Table) -> Ask<'t, [bool; 3]> {
    let words = vec![
        ("x", "left and right meet"),
        ("y", "front and back (2D: bottom and top) meet"),
        ("z", "bottom and top meet"),
    ];
    let kind = Kind::List(Box::new(Kind::Choice(words)));
    Ask::new(t, "periodic", "directions in which it is periodic", kind, |t, node| {
        let Value::List(items) = &node.value else { return t.mismatch("periodic", node, "a list of directions") };
        let mut periodic = [false; 3];
        for item in items {
            let word = t.word("periodic", item)?;
            let known = &AXES[..t.reader.dimension.get().clamp(2, 3)];
            let Some(k) = known.iter().position(|axis| *axis == word) else {
                let problem = Problem::new(item.place, format!("unknown direction `{word}`"), "not known here");
                t.reader.report(problem.help(suggest(&word, "directions", known)));
                return None;
            };
            periodic[k] = true;
        }
        Some(periodic)
    })
}

fn strain(t: &Table) -> Option<Strain> {
    let words = [
        ("xx", "logarithmic strain along x", (0, 0)),
        ("yy", "logarithmic strain along y", (1, 1)),
        ("zz", "logarithmic strain along z", (2, 2)),
        ("xy", "what is above in y is carried along x", (0, 1)),
        ("xz", "what is above in z is carried along x", (0, 2)),
        ("yz", "what is above in z is carried along y", (1, 2)),
    ];
    let component = t.choice("component", "which strain", &words).required();
    let history = super::histories::history(t, "strain", "strain in time, 0 at the start [-]").required();
    let beginning = beginning(t);
    let ((row, column), history) = (component?, history?);
    if column >= t.reader.dimension.get() {
        t.wrong("component", format!("`{}`: in 2D there are xx, yy, xy", t.path_of("component")), "3D only");
        return None;
    }
    if history.at(0.0) != 0.0 {
        t.wrong("strain", format!("`{}` must be 0 at t = 0: it counts from the start", t.path_of("strain")), "a jump");
        return None;
    }
    Some(Strain { row, column, history: beginning?.of(history) })
}
