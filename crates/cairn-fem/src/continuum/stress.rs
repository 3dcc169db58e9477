//! Stresses and strains, at the points of quadrature and at the nodes.
//!
//! Cauchy's stress is σ = F S Fᵀ/J in finite kinematics, and the strain that goes with it in the same axes is the logarithmic one, ln V with
//! V² = F Fᵀ: its trace is the logarithm of the change of volume, and strains of one axis after the other add. Tensors are of three dimensions in
//! the plane too: σ₃₃ in plane strain, ε₃₃ in plane stress, the hoop in axisymmetry. With mean dilatation the pressure is that of the mean.
//!
//! At nodes: in each cell the values at the points are fitted by the functions of its corners (least squares), taken at
//! its nodes, and averaged over the cells around a node with their volumes as weights.

use nalgebra::{DMatrix, Matrix3, SMatrix, SVector};

use super::advance::At;
use super::assemble::{by_functions, gather};
use super::cell::{self, Motion};
use super::geometry::Block;
use super::memory::Kept;
use super::{Continuum, Formulation};
use crate::Vect;
use crate::element::Table;
use crate::mesh::Kind;
use crate::section::{Kinematics, Section};
use crate::spectral::{Logarithm, Scalar, Spectrum, spectrum};
use crate::tensor::{from_strain, from_stress, inverse};

/// Stress and strain at a point of quadrature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<const D: usize> {
    /// Number of the cell, counted over all cells of the mesh.
    pub cell: usize,
    /// Place in the reference configuration [m].
    pub place: Vect<D>,
    /// Reference volume that it stands for [m³].
    pub volume: f64,
    /// Cauchy's stress [Pa].
    pub stress: Matrix3<f64>,
    /// ε, or ln V in finite kinematics.
    pub strain: Matrix3<f64>,
}

impl<const D: usize> Continuum<D> {
    /// Stress and strain at all points of quadrature, cell by cell; `history` is what the body keeps, empty without memory. Bars have
    /// one point, with the axial stress in its direction.
    pub fn samples(&self, u: &[f64], history: &[f64]) -> Vec<Sample<D>> {
        let mut samples = Vec::with_capacity(self.blocks.iter().map(|b| b.weights.len()).sum());
        for (index, block) in self.blocks.iter().enumerate() {
            if block.kind == Kind::Bar2 {
                self.bar_samples(block, u, &mut samples);
            } else if let Some(memory) = &self.memory {
                by_functions!(self.remembered_samples, block, memory.block(index), u, history, &mut samples);
            } else {
                by_functions!(self.cell_samples, block, u, &mut samples);
            }
        }
        samples
    }

    fn cell_samples<const V: usize, const N: usize>(&self, block: &Block<D>, u: &[f64], samples: &mut Vec<Sample<D>>) {
        let rules = self.rules(block);
        let law = &self.materials[block.region].law;
        let is_plane_stress = matches!(self.section, Section::PlaneStress { .. });
        let has_modes = block.functions > block.kind.nodes();
        for c in 0..block.len() {
            if let Some(reference) = &block.shell {
                let points = self.sheet_state::<V>(block, reference, None, c, [u, &[]]);
                for (q, At { f, f33, strain, outcome }) in points.into_iter().enumerate() {
                    let motion = Motion { f, f33, strain };
                    samples.push(self.sample(block, [c, q], &motion, &outcome.stress, strain[2]));
                }
                continue;
            }
            let cell = block.cell(c);
            let mut columns = gather::<D, N>(block.nodes_of(c), u);
            if has_modes {
                let mut force = cell::Columns::zeros();
                let mut blocks: cell::Blocks<D, N> = [[crate::Mat::zeros(); N]; N];
                cell::respond_with_modes::<D, V, N>(&rules, &cell, &mut columns, &mut force, &mut blocks);
            }
            let motions: Vec<Motion<D, V>> = (0..block.points)
                .map(|q| {
                    let gradients = cell::Columns::from_column_slice(&cell.gradients[q * D * N..][..D * N]);
                    let hoops = cell.hoops.get(q * N..(q + 1) * N).unwrap_or(&[]);
                    cell::motion::<D, V, N>(rules.kinematics, &columns, &gradients, hoops)
                })
                .collect();
            let pressure = (rules.formulation == Formulation::BBar).then(|| {
                let theta = motions.iter().map(|m| rules.law.dilatation(&m.strain).value);
                let sum: f64 = theta.zip(cell.weights).map(|(t, w)| t * w).sum();
                rules.law.volumetric(sum / cell.weights.iter().sum::<f64>())[1]
            });
            for (q, Motion { f, f33, strain }) in motions.into_iter().enumerate() {
                let stress: SVector<f64, V> = match pressure {
                    None => rules.law.respond(&strain).stress,
                    Some(p) => rules.law.respond_isochoric(&strain).stress + p * rules.law.dilatation(&strain).gradient,
                };
                let full = if is_plane_stress { rules.law.thickness_strain(law, &strain) } else { strain[2] };
                let motion = Motion { f, f33, strain };
                samples.push(self.sample(block, [c, q], &motion, &stress, full));
            }
        }
    }

    fn remembered_samples<const V: usize, const N: usize>(
        &self,
        block: &Block<D>,
        kept: &Kept,
        u: &[f64],
        history: &[f64],
        samples: &mut Vec<Sample<D>>,
    ) {
        let law = self.point_law(block);
        let numbers = kept.quantities.len();
        for c in 0..block.len() {
            let own = &history[kept.cell(c)];
            for (q, at) in self.state_of::<V, N>(block, kept, c, u, history).into_iter().enumerate() {
                let strain33 = if law.is_plane_stress {
                    law.thickness_strain(&at.strain, &own[q * numbers..][..numbers])
                } else {
                    at.strain[2]
                };
                let motion = Motion { f: at.f, f33: at.f33, strain: at.strain };
                samples.push(self.sample(block, [c, q], &motion, &at.outcome.stress, strain33));
            }
        }
    }

    /// Cauchy's stress and the strain at point `q` of cell `c`, from its motion, its stress S and its strain out of the plane.
    fn sample<const V: usize>(
        &self,
        block: &Block<D>,
        [c, q]: [usize; 2],
        motion: &Motion<D, V>,
        stress: &SVector<f64, V>,
        strain33: f64,
    ) -> Sample<D> {
        let (stress, strain) = match self.options.kinematics {
            Kinematics::Small => {
                let mut full = motion.strain;
                full[2] = strain33;
                (from_stress(stress), from_strain(&full))
            }
            Kinematics::Finite => {
                let mut gradient = Matrix3::identity();
                gradient.fixed_view_mut::<D, D>(0, 0).copy_from(&motion.f);
                if D == 2 {
                    let is_plane_stress = matches!(self.section, Section::PlaneStress { .. });
                    gradient[(2, 2)] = if is_plane_stress { (1.0 + 2.0 * strain33).sqrt() } else { motion.f33 };
                }
                let cauchy = gradient * from_stress(stress) * gradient.transpose() / inverse(&gradient).0;
                (cauchy, logarithmic(&gradient))
            }
        };
        Sample {
            cell: block.first + c,
            place: self.place_in(block, c, block.table.shape(q)),
            volume: block.cell(c).weights[q],
            stress,
            strain,
        }
    }

    fn bar_samples(&self, block: &Block<D>, u: &[f64], samples: &mut Vec<Sample<D>>) {
        let young = self.materials[block.region].law.young();
        for c in 0..block.len() {
            let nodes = block.nodes_of(c);
            let reach = self.mesh.nodes[nodes[1] as usize] - self.mesh.nodes[nodes[0] as usize];
            let columns = gather::<D, 2>(nodes, u);
            let length = reach.norm();
            let stretch = (columns.column(1) - columns.column(0)) / length;
            let mut along = reach / length;
            let mut strain = along.dot(&stretch);
            let mut shown = strain;
            if self.options.kinematics == Kinematics::Finite {
                strain += 0.5 * stretch.norm_squared();
                shown = Logarithm::value(strain);
                along = (along + stretch).normalize();
            }
            let mut direction = nalgebra::Vector3::zeros();
            direction.fixed_rows_mut::<D>(0).copy_from(&along);
            let axial = direction * direction.transpose();
            let place = self.place_in(block, c, &[0.5, 0.5]);
            let volume = block.weights[c];
            samples.push(Sample {
                cell: block.first + c,
                place,
                volume,
                stress: axial * (young * strain),
                strain: axial * shown,
            });
        }
    }

    pub(super) fn place_in(&self, block: &Block<D>, cell: usize, shape: &[f64]) -> Vect<D> {
        let nodes = block.nodes_of(cell).iter().zip(shape);
        nodes.map(|(&node, n)| self.mesh.nodes[node as usize] * *n).sum()
    }

    /// Stresses at the nodes from those at the points [Pa]; zero at nodes without a cell.
    pub fn nodal_stresses(&self, samples: &[Sample<D>]) -> Vec<Matrix3<f64>> {
        self.to_nodes(|point| (samples[point].stress, samples[point].volume))
    }

    /// Strains at the nodes from those at the points.
    pub fn nodal_strains(&self, samples: &[Sample<D>]) -> Vec<Matrix3<f64>> {
        self.to_nodes(|point| (samples[point].strain, samples[point].volume))
    }

    /// Means at the nodes of what each point has, with the volume that it stands for; zero at nodes without a cell.
    pub(super) fn to_nodes<const R: usize, const C: usize>(
        &self,
        point: impl Fn(usize) -> (SMatrix<f64, R, C>, f64),
    ) -> Vec<SMatrix<f64, R, C>> {
        let mut sums = vec![SMatrix::zeros(); self.mesh.nodes.len()];
        let mut volumes = vec![0.0; self.mesh.nodes.len()];
        let mut first = 0;
        for block in &self.blocks {
            let extrapolation = extrapolation(block.kind, &block.table);
            for c in 0..block.len() {
                let own: Vec<_> = (first..first + block.points).map(&point).collect();
                first += block.points;
                let volume: f64 = own.iter().map(|(_, volume)| volume).sum();
                for (a, &node) in block.nodes_of(c).iter().enumerate() {
                    let at_node: SMatrix<f64, R, C> =
                        own.iter().enumerate().map(|(q, (value, _))| value * extrapolation[(a, q)]).sum();
                    sums[node as usize] += at_node * volume;
                    volumes[node as usize] += volume;
                }
            }
        }
        let mean = |(sum, volume): (SMatrix<f64, R, C>, f64)| if volume > 0.0 { sum / volume } else { sum };
        sums.into_iter().zip(volumes).map(mean).collect()
    }
}

/// ln V of a motion F, by ½(F Fᵀ − 1) = ½(H + Hᵀ + H Hᵀ), H = F − 1: no loss of digits at small strain.
fn logarithmic(gradient: &Matrix3<f64>) -> Matrix3<f64> {
    let h = gradient - Matrix3::identity();
    let Spectrum { values, axes } = spectrum(&(0.5 * (h + h.transpose() + h * h.transpose())));
    axes * Matrix3::from_diagonal(&values.map(Logarithm::value)) * axes.transpose()
}

/// Values at the nodes (rows) from values at the points (columns).
fn extrapolation(kind: Kind, table: &Table) -> DMatrix<f64> {
    let linear = kind.linear();
    if table.len() < linear.nodes() {
        return DMatrix::from_element(kind.nodes(), table.len(), 1.0 / table.len() as f64);
    }
    let dimension = table.dimension;
    let at_points = |q: usize| linear.at(&table.points[q * dimension..][..dimension]).shapes;
    let fit = DMatrix::from_fn(table.len(), linear.nodes(), |q, a| at_points(q)[a]);
    let nodes = kind.reference_nodes();
    let at_nodes = DMatrix::from_fn(kind.nodes(), linear.nodes(), |n, a| {
        linear.at(&nodes[n * dimension..][..dimension]).shapes[a]
    });
    // The points of every rule determine the corner functions, so the normal matrix is positive definite.
    let normal = fit.tr_mul(&fit).cholesky().expect("the points determine the corner functions");
    at_nodes * normal.solve(&fit.transpose())
}
