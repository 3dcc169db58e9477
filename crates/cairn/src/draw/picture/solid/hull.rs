//! Faces of a small convex polyhedron from its vertices alone.

use nalgebra::Vector3;

/// Faces as vertex numbers, counter-clockwise seen from outside. A plane through three vertices is a face if no vertex
/// lies in front of it; all vertices on it are its corners.
pub fn faces(vertices: &[Vector3<f64>]) -> Vec<Vec<u32>> {
    let count = vertices.len();
    let middle = vertices.iter().sum::<Vector3<f64>>() / count.max(1) as f64;
    let size = vertices.iter().map(|v| (v - middle).norm()).fold(0.0, f64::max);
    let mut found: Vec<Vec<u32>> = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            for k in j + 1..count {
                let shared = |f: &Vec<u32>| [i, j, k].iter().all(|v| f.contains(&(*v as u32)));
                if !found.iter().any(shared) {
                    found.extend(face(vertices, [i, j, k], size, &middle));
                }
            }
        }
    }
    found
}

fn face(vertices: &[Vector3<f64>], corner: [usize; 3], size: f64, middle: &Vector3<f64>) -> Option<Vec<u32>> {
    let [a, b, c] = corner.map(|k| vertices[k]);
    let across = (b - a).cross(&(c - a));
    if across.norm() <= 1e-9 * size * size {
        return None;
    }
    let across = across.normalize();
    let normal = if across.dot(&(a - middle)) < 0.0 { -across } else { across };
    let slack = 1e-6 * size;
    if vertices.iter().any(|v| normal.dot(&(v - a)) > slack) {
        return None;
    }
    let mut on: Vec<usize> = (0..vertices.len()).filter(|&k| normal.dot(&(vertices[k] - a)) > -slack).collect();
    let centre = on.iter().map(|&k| vertices[k]).sum::<Vector3<f64>>() / on.len() as f64;
    let (x, y) = (b - a, normal.cross(&(b - a)));
    let angle = |k: &usize| y.dot(&(vertices[*k] - centre)).atan2(x.dot(&(vertices[*k] - centre)));
    on.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    Some(on.into_iter().map(|k| k as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_six_faces_of_four_corners() {
        let corner = |c: usize| Vector3::from_fn(|k, _| (c >> k & 1) as f64 * (k + 1) as f64);
        let vertices: Vec<Vector3<f64>> = (0..8).map(corner).collect();
        let faces = faces(&vertices);
        assert_eq!(faces.len(), 6);
        for f in &faces {
            let [a, b, c, _] = [0, 1, 2, 3].map(|k| vertices[f[k] as usize]);
            assert_eq!(f.len(), 4);
            assert!((b - a).cross(&(c - b)).dot(&(a - Vector3::new(0.5, 1.0, 1.5))) > 0.0, "seen from outside");
        }
    }

    #[test]
    fn flat_or_empty_sets_do_no_harm() {
        assert!(faces(&[]).is_empty());
        assert!(faces(&[Vector3::zeros(); 4]).is_empty());
    }
}
