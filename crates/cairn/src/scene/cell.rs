//! Periodic cells: what leaves on one side comes in on the other, and bodies meet across the faces.
//!
//! The lattice vectors of the directions x, y, z are the columns of
//!
//!   Λ(t) = | L_x eˣˣ   γ_xy L_y eʸʸ   γ_xz L_z eᶻᶻ |
//!          |           L_y eʸʸ        γ_yz L_z eᶻᶻ |
//!          |                          L_z eᶻᶻ      |
//!
//! with the sizes L of the cell at the start and the prescribed logarithmic strains eᵏᵏ(t) and shear strains γ(t), so that the cell follows
//! from the time alone and need not be saved. What it gives way by where a stress is prescribed (`servo.rs`) lies over that,
//!
//!   Λ = E Γ Λ(t),   E = diag(e^εᵏ),   Γ = 1 + Σ g_ij eᵢ ⊗ eⱼ,
//!
//! and is part of the state.

use super::document::{Ask, Kind, Problem, Table, Value, suggest};
use super::servo::{self, Now, Servo};
use super::spec::CellSpec;
use super::stages::beginning;
use super::{Control, History};
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
    /// Stresses that it is kept at.
    pub servos: Vec<Servo>,
}

impl<const D: usize> Cell<D> {
    /// Λ: lattice vectors as columns [m]; unit vectors where it is not periodic.
    pub fn vectors(&self, now: &Now) -> Mat<D> {
        self.vectors_by(&|history| now.value(history), &|servo| Control::strain_of(now.controls, servo)[0])
    }

    /// The same with a value of one's own for each history, and for each servo by its number.
    pub fn vectors_by(&self, value: &dyn Fn(&History) -> f64, given: &dyn Fn(usize) -> f64) -> Mat<D> {
        let total = |row: usize, column: usize| -> f64 {
            let of = self.strains.iter().filter(|strain| (strain.row, strain.column) == (row, column));
            of.map(|strain| value(&strain.history)).sum()
        };
        let length = |k: usize| if self.periodic[k] { self.size[k] * total(k, k).exp() } else { 1.0 };
        let prescribed = Mat::<D>::from_fn(|row, column| match row.cmp(&column) {
            std::cmp::Ordering::Equal => length(row),
            std::cmp::Ordering::Less if self.periodic[column] => total(row, column) * length(column),
            _ => 0.0,
        });
        if self.servos.is_empty() { prescribed } else { self.given_way(given) * prescribed }
    }

    /// E Γ.
    fn given_way(&self, given: &dyn Fn(usize) -> f64) -> Mat<D> {
        let (mut stretch, mut shear) = (Vect::<D>::zeros(), Mat::<D>::identity());
        for (number, servo) in self.servos.iter().enumerate() {
            for (row, column) in servo.directions() {
                if row == column { stretch[row] += given(number) } else { shear[(row, column)] += given(number) }
            }
        }
        Mat::<D>::from_diagonal(&stretch.map(f64::exp)) * shear
    }

    /// ∂Λ/∂ε of a servo's strain [m], given Λ.
    pub fn gives_way(&self, servo: usize, vectors: &Mat<D>, given: &dyn Fn(usize) -> f64) -> Mat<D> {
        let way = self.given_way(given);
        // Γ and the prescribed part below E, for shear; E Γ is upper triangular, so it has an inverse.
        let below = way.try_inverse().map_or(*vectors, |inverse| inverse * vectors);
        let mut sum = Mat::<D>::zeros();
        for (row, column) in self.servos[servo].directions() {
            for k in 0..D {
                // A direction that is not periodic has no vector that could grow.
                let grows = self.periodic[k];
                let stretched = if row == column { vectors[(row, k)] } else { way[(row, row)] * below[(column, k)] };
                sum[(row, k)] += if grows { stretched } else { 0.0 };
            }
        }
        sum
    }

    /// The part of a servo's strain in the velocity gradient of its own component: e^(εᵢ − εⱼ) for shear, else 1.
    pub fn rate_of(&self, servo: usize, given: &dyn Fn(usize) -> f64) -> f64 {
        let way = self.given_way(given);
        match self.servos[servo].directions().next() {
            Some((row, column)) if row != column => way[(row, row)] / way[(column, column)],
            _ => 1.0,
        }
    }

    /// Does it change in time?
    pub fn deforms(&self) -> bool {
        !(self.strains.is_empty() && self.servos.is_empty())
    }

    /// Strains and stresses in time.
    pub fn histories(&self) -> impl Iterator<Item = &History> {
        self.strains.iter().map(|strain| &strain.history).chain(self.servos.iter().map(|servo| &servo.stress))
    }

    /// The same, to be told when stages began.
    pub fn histories_mut(&mut self) -> impl Iterator<Item = &mut History> {
        let strains = self.strains.iter_mut().map(|strain| &mut strain.history);
        strains.chain(self.servos.iter_mut().map(|servo| &mut servo.stress))
    }

    /// Velocity gradient Λ̇ Λ⁻¹ of the cell over the last time h [1/s].
    pub fn gradient(&self, now: &Now, h: f64) -> Mat<D> {
        let earlier = Now { time: now.time - h, ..*now };
        let before = self.vectors_by(&|history| earlier.value(history), &|servo| {
            let [strain, rate] = Control::strain_of(now.controls, servo);
            strain - rate * h
        });
        let vectors = self.vectors(now);
        let inverse = vectors.try_inverse().unwrap_or_else(Mat::<D>::identity);
        if h > 0.0 { (vectors - before) * inverse / h } else { Mat::<D>::zeros() }
    }

    /// Strains of the cell from the start: logarithms of the growth of its sides, then shear Λ_ij/Λ_jj, for periodic directions.
    pub fn strain(&self, now: &Now) -> Vec<f64> {
        let vectors = self.vectors(now);
        let of = |(row, column): (usize, usize)| match row == column {
            true => (vectors[(row, row)] / self.size[row]).ln(),
            false => vectors[(row, column)] / vectors[(column, column)],
        };
        self.components().map(of).collect()
    }

    /// The components of [`Cell::strain`].
    pub fn components(&self) -> impl Iterator<Item = (usize, usize)> {
        let shears = (0..D).flat_map(|i| (i + 1..D).map(move |j| (i, j)));
        (0..D).map(|k| (k, k)).chain(shears).filter(|(_, column)| self.periodic[*column])
    }

    /// Volume of the cell, with its size at the start where it is not periodic [m³; 2D: m²].
    pub fn volume(&self, now: &Now) -> f64 {
        self.volume_of(&self.vectors(now))
    }

    /// The same for given lattice vectors.
    pub fn volume_of(&self, vectors: &Mat<D>) -> f64 {
        (0..D).map(|k| if self.periodic[k] { vectors[(k, k)] } else { self.size[k] }).product()
    }

    /// Where an image is, seen from the body itself [m].
    pub fn offset(&self, image: Image, now: &Now) -> Vect<D> {
        self.vectors(now) * image.cells::<D>()
    }

    /// A point as seen in the cell [m].
    pub fn folded(&self, x: &Vect<D>, now: &Now) -> Vect<D> {
        let vectors = self.vectors(now);
        let Some(inverse) = vectors.try_inverse() else { return *x };
        let at = inverse * (x - self.low);
        x - vectors * Vect::<D>::from_fn(|k, _| if self.periodic[k] { at[k].floor() } else { 0.0 })
    }
}

pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// `[cell]`.
pub fn cell(t: &Table) -> Option<CellSpec> {
    let low = t.vector("low", "lowest corner of the cell [m]").required();
    let high = t.vector("high", "highest corner of the cell at the start [m]").required();
    let periodic = periodic(t).or_as("all", [true; 3]);
    let strains: Option<Vec<Strain>> = t.list("strain", "how the cell deforms in time", strain).into_iter().collect();
    let dimension = t.reader.dimension.get();
    let periodic = std::array::from_fn(|k| k < dimension && periodic[k]);
    let doc = "stresses that it is kept at, by giving way";
    let servos: Option<Vec<Servo>> = t.list("stress", doc, |t| servo::servo(t, periodic)).into_iter().collect();
    let (low, high, strains, servos) = (low?, high?, strains?, servos?);
    servo::must_not_meet(t, &servos)?;
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
    Some(CellSpec { place: t.place, low, high, periodic, strains, servos })
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

/// Components of strains by name: the direction in which the lattice vector grows, and which vector.
const COMPONENTS: [(&str, &str, (usize, usize)); 6] = [
    ("xx", "logarithmic strain along x", (0, 0)),
    ("yy", "logarithmic strain along y", (1, 1)),
    ("zz", "logarithmic strain along z", (2, 2)),
    ("xy", "what is above in y is carried along x", (0, 1)),
    ("xz", "what is above in z is carried along x", (0, 2)),
    ("yz", "what is above in z is carried along y", (1, 2)),
];

fn strain(t: &Table) -> Option<Strain> {
    let component = t.choice("component", "which strain", &COMPONENTS).required();
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
