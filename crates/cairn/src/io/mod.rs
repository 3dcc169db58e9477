//! Triangle surfaces from OBJ and STL files.

pub mod obj;
pub mod stl;

use crate::space::Vect;
use std::collections::BTreeMap;
use std::path::Path;

/// Why a file gives no shape.
#[derive(Debug, thiserror::Error)]
pub enum MeshError {
    /// The file cannot be opened or read.
    #[error("cannot read the file: {0}")]
    File(#[from] std::io::Error),
    /// It is no OBJ file.
    #[error("cannot read the OBJ file: {0}")]
    Obj(#[from] tobj::LoadError),
    /// Neither `.obj` nor `.stl`.
    #[error("its name must end in .obj or .stl")]
    UnknownFormat,
    /// Nothing in it that makes a surface.
    #[error("it has no triangles")]
    Empty,
}

/// Triangles with shared vertices, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Vertices, each place once [m].
    pub vertices: Vec<Vect<3>>,
    /// Vertex numbers.
    pub facets: Vec<[u32; 3]>,
}

impl Triangles {
    /// From triangles that may repeat vertices. Vertices in exactly the same place become one, so that neighbours know
    /// each other; triangles that lose a corner by that have no area and are left out.
    pub fn welded(vertices: &[Vect<3>], facets: &[[u32; 3]]) -> Self {
        let mut known = BTreeMap::new();
        let mut places = Vec::new();
        let number: Vec<u32> = vertices
            .iter()
            .map(|v| {
                // Adding 0 makes −0 and 0 the same place.
                *known.entry([v.x, v.y, v.z].map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                    places.push(*v);
                    places.len() as u32 - 1
                })
            })
            .collect();
        let facets =
            facets.iter().map(|f| f.map(|i| number[i as usize])).filter(|[i, j, k]| i != j && j != k && k != i);
        Self { facets: facets.collect(), vertices: places }
    }
}

impl Triangles {
    /// The connected pieces of the surface, in the order of their first vertices.
    pub fn shells(&self) -> Vec<Triangles> {
        let mut leader: Vec<usize> = (0..self.vertices.len()).collect();
        fn find(leader: &mut [usize], mut i: usize) -> usize {
            while leader[i] != i {
                leader[i] = leader[leader[i]];
                i = leader[i];
            }
            i
        }
        for [a, b, c] in self.facets.iter().map(|f| f.map(|i| i as usize)) {
            for other in [b, c] {
                let (x, y) = (find(&mut leader, a), find(&mut leader, other));
                leader[x.max(y)] = x.min(y);
            }
        }
        let mut shells: BTreeMap<usize, Triangles> = BTreeMap::new();
        let mut number = vec![0; self.vertices.len()];
        for (i, vertex) in self.vertices.iter().enumerate() {
            let shell = shells.entry(find(&mut leader, i)).or_default();
            number[i] = shell.vertices.len() as u32;
            shell.vertices.push(*vertex);
        }
        for facet in &self.facets {
            let shell = shells.entry(find(&mut leader, facet[0] as usize)).or_default();
            shell.facets.push(facet.map(|i| number[i as usize]));
        }
        shells.into_values().collect()
    }

    /// The volume inside [m³]; none if the surface has an edge.
    pub fn volume(&self) -> Option<f64> {
        let mut edges = BTreeMap::<(u32, u32), i32>::new();
        for [a, b, c] in &self.facets {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((*from.min(to), *from.max(to))).or_default() += if from < to { 1 } else { -1 };
            }
        }
        let is_closed = !self.facets.is_empty() && edges.values().all(|count| *count == 0);
        let origin = self.vertices.first()?;
        let corner = |i: u32| self.vertices[i as usize] - origin;
        let of = |[a, b, c]: &[u32; 3]| corner(*a).dot(&corner(*b).cross(&corner(*c))) / 6.0;
        is_closed.then(|| self.facets.iter().map(of).sum::<f64>().abs())
    }
}

/// Reads all triangles of a file with these contents; the format follows from the end of its name.
pub fn read_triangles(name: &str, contents: &[u8]) -> Result<Triangles, MeshError> {
    let suffix = Path::new(name).extension().map(|s| s.to_ascii_lowercase());
    let triangles = match suffix.as_ref().and_then(|s| s.to_str()) {
        Some("obj") => obj::read_triangles(contents)?,
        Some("stl") => stl::read_triangles(contents)?,
        _ => return Err(MeshError::UnknownFormat),
    };
    if triangles.facets.is_empty() { Err(MeshError::Empty) } else { Ok(triangles) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_BLOCKS: &str = "mtllib none.mtl\no left\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n\
        g right\nv 2 0 0\nv 3 0 0\nv 2 0.1 0\nv 2 0 0.1\nf 9 11 10\nf 9 10 12\nf 10 11 12\nf 11 9 12\n";

    #[test]
    fn an_obj_is_read_with_all_its_digits() {
        let triangles = read_triangles("blocks.OBJ", TWO_BLOCKS.as_bytes()).unwrap();
        assert_eq!((triangles.vertices.len(), triangles.facets.len()), (12, 16));
        // 0.1 is no float of 32 bits.
        assert!(triangles.vertices.contains(&Vect::<3>::new(2.0, 0.1, 0.0)));
    }

    #[test]
    fn stl_triangles_share_their_vertices() {
        let corner = |x: f32, y: f32| stl_io::Vertex::new([x, y, 0.25]);
        let up = stl_io::Normal::new([0.0, 0.0, 1.0]);
        let square = [
            stl_io::Triangle { normal: up, vertices: [corner(0., 0.), corner(1., 0.), corner(1., 1.)] },
            stl_io::Triangle { normal: up, vertices: [corner(0., 0.), corner(1., 1.), corner(0., 1.)] },
        ];
        let mut binary = Vec::new();
        stl_io::write_stl(&mut binary, square.iter()).unwrap();
        let triangles = read_triangles("square.stl", &binary).unwrap();
        assert_eq!((triangles.vertices.len(), triangles.facets.len()), (4, 2));
    }

    #[test]
    fn files_that_give_nothing_say_why() {
        assert!(matches!(read_triangles("empty.obj", b"v 0 0 0\n"), Err(MeshError::Empty)));
        assert!(matches!(read_triangles("a.ply", b"ply"), Err(MeshError::UnknownFormat)));
        assert!(matches!(read_triangles("cut.stl", b"short"), Err(MeshError::File(_))));
    }
}
