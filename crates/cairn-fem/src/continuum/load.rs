//! Loads as nodal forces: tractions, pressure, body forces; weights of boundary nodes.
//!
//! On a facet with tangents t_j = ∂x/∂ξ_j the element of area times the outward normal is t₁ × t₂ dξ in space, and (t_y,
//! −t_x) dξ in the plane (the body on the left), times the thickness or 2π r.

use super::geometry::depth;
use super::{Continuum, MassKind, ModelError};
use crate::Vect;
use crate::element::Table;
use crate::mesh::Boundary;

/// Area vector per unit of reference facet, from its tangents.
fn area_vector<const D: usize>(tangents: &[Vect<D>; 2]) -> Vect<D> {
    let [t, s] = tangents;
    if D == 2 {
        return Vect::from_fn(|i, _| if i == 0 { t[1] } else { -t[0] });
    }
    Vect::from_fn(|i, _| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        t[j] * s[k] - t[k] * s[j]
    })
}

impl<const D: usize> Continuum<D> {
    /// The parts of the boundary with this name.
    fn boundary(&self, name: &str) -> Result<Vec<&Boundary>, ModelError> {
        let found: Vec<_> = self.mesh.boundaries.iter().filter(|b| b.name == name).collect();
        if found.is_empty() {
            let mut known: Vec<&str> = self.mesh.boundaries.iter().map(|b| b.name.as_str()).collect();
            known.dedup();
            return Err(ModelError::NoBoundary { name: name.into(), known: known.join(", ") });
        }
        Ok(found)
    }

    /// Calls with the nodes, the shape functions and the area vector [m²] at each point of a boundary, displaced by `u`.
    fn for_each_facet_point(
        &self,
        name: &str,
        u: Option<&[f64]>,
        mut call: impl FnMut(&[u32], &[f64], Vect<D>),
    ) -> Result<(), ModelError> {
        let place = |node: u32| {
            let at = node as usize;
            let moved = u.map_or(Vect::zeros(), |u| Vect::from_column_slice(&u[at * D..][..D]));
            self.mesh.nodes[at] + moved
        };
        for boundary in self.boundary(name)? {
            let table: Table = boundary.kind.table();
            for nodes in boundary.nodes.chunks_exact(boundary.kind.nodes()) {
                for q in 0..table.len() {
                    let mut tangents = [Vect::zeros(); 2];
                    let mut at = Vect::zeros();
                    for (a, &node) in nodes.iter().enumerate() {
                        let x = place(node);
                        at += x * table.shape(q)[a];
                        table.gradient(q, a).iter().zip(&mut tangents).for_each(|(slope, t)| *t += x * *slope);
                    }
                    let area = area_vector(&tangents) * (table.weights[q] * depth(self.section, &at));
                    call(nodes, table.shape(q), area);
                }
            }
        }
        Ok(())
    }

    /// Adds the nodal forces [N] of a traction [Pa] per reference area.
    pub fn traction(&self, boundary: &str, traction: &Vect<D>, f: &mut [f64]) -> Result<(), ModelError> {
        self.for_each_facet_point(boundary, None, |nodes, shape, area| {
            add(nodes, shape, &(traction * area.norm()), f);
        })
    }

    /// Adds the nodal forces [N] of a pressure p [Pa], positive when it pushes on the body. It acts on the displaced
    /// boundary if it is a follower, otherwise on the reference one.
    pub fn pressure(
        &self,
        boundary: &str,
        pressure: f64,
        u: &[f64],
        is_follower: bool,
        f: &mut [f64],
    ) -> Result<(), ModelError> {
        self.for_each_facet_point(boundary, is_follower.then_some(u), |nodes, shape, area| {
            add(nodes, shape, &(area * -pressure), f);
        })
    }

    /// Adds the nodal forces [N] of an acceleration [m/s²] of all mass, as gravity is.
    pub fn body_force(&self, acceleration: &Vect<D>, f: &mut [f64]) {
        let masses = match self.options.mass {
            MassKind::Lumped => self.lumped_masses(),
            MassKind::Consistent | MassKind::Redistributed => self.consistent_shares(),
        };
        for (part, mass) in f.chunks_exact_mut(D).zip(masses) {
            part.iter_mut().zip(acceleration.iter()).for_each(|(f, g)| *f += mass * g);
        }
    }

    /// Area of a boundary in the reference configuration [m²].
    pub fn area(&self, boundary: &str) -> Result<f64, ModelError> {
        let mut sum = 0.0;
        self.for_each_facet_point(boundary, None, |_, _, area| sum += area.norm())?;
        Ok(sum)
    }

    /// Area ∫ N_a that each node of a boundary stands for [m²], zero at other nodes: the forces of a unit pressure. At
    /// corners of quadratic facets it is zero or negative.
    pub fn tributary_areas(&self, boundary: &str) -> Result<Vec<f64>, ModelError> {
        let mut areas = vec![0.0; self.mesh.nodes.len()];
        self.for_each_facet_point(boundary, None, |nodes, shape, area| {
            let size = area.norm();
            nodes.iter().zip(shape).for_each(|(&node, n)| areas[node as usize] += size * n);
        })?;
        Ok(areas)
    }

    /// Positive areas of the nodes of a boundary [m²]: ∫ N_a² scaled to the area of each facet.
    pub fn positive_areas(&self, boundary: &str) -> Result<Vec<f64>, ModelError> {
        let mut areas = vec![0.0; self.mesh.nodes.len()];
        let mut facet: (Vec<u32>, Vec<f64>, f64) = Default::default();
        let mut finish = |(nodes, squares, size): &(Vec<u32>, Vec<f64>, f64)| {
            let sum: f64 = squares.iter().sum();
            nodes.iter().zip(squares).for_each(|(&node, s)| areas[node as usize] += s * size / sum);
        };
        self.for_each_facet_point(boundary, None, |nodes, shape, area| {
            if facet.0 != nodes {
                finish(&facet);
                facet = (nodes.to_vec(), vec![0.0; nodes.len()], 0.0);
            }
            let size = area.norm();
            facet.2 += size;
            facet.1.iter_mut().zip(shape).for_each(|(s, n)| *s += size * n * n);
        })?;
        finish(&facet);
        Ok(areas)
    }
}

/// Spreads a force at a point over the nodes of its facet.
fn add<const D: usize>(nodes: &[u32], shape: &[f64], force: &Vect<D>, f: &mut [f64]) {
    for (&node, n) in nodes.iter().zip(shape) {
        f[node as usize * D..][..D].iter_mut().zip(force.iter()).for_each(|(t, v)| *t += n * v);
    }
}
