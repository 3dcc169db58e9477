//! Files of frictional contact problems: which format a file has is seen from its first bytes.
//!
//! | format | room |
//! | --- | --- |
//! | text of the Siconos project, dense, block and sparse matrices | [`siconos_dat`] |
//! | FCLIB, HDF5 | [`fclib`] |
//!
//! Whatever a file says is taken as exact: nothing is symmetrized, rounded or rescaled.

pub mod fclib;
pub mod siconos_dat;

use std::path::Path;

use crate::csc::Csc;
use crate::discrete::{AnyProblem, Global, Problem, Rolling};

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {fault}")]
pub struct Error {
    /// The file.
    pub path: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong, and where.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The system refused.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// In a text.
    #[error("line {line}: expected {expected}, found {found}")]
    Text {
        /// Line, from 1.
        line: usize,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// In an HDF5 file.
    #[error("{dataset}: {message}")]
    Hdf5 {
        /// The dataset or group.
        dataset: String,
        /// What is wrong with it.
        message: String,
    },
    /// Parts that do not fit together.
    #[error("{0}")]
    Misfit(String),
}

impl Fault {
    fn at(self, path: &Path) -> Error {
        Error { path: path.display().to_string(), fault: self }
    }
}

/// Reads a problem file of any format.
pub fn read(path: &Path) -> Result<AnyProblem, Error> {
    // A device or a pipe may have no end.
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(Fault::Misfit("it is not a file".into()).at(path));
    }
    let bytes = std::fs::read(path).map_err(|e| Fault::from(e).at(path))?;
    if bytes.starts_with(b"\x89HDF\r\n\x1a\n") {
        return fclib::read(path).map_err(|e| e.at(path));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Fault::Misfit("neither an HDF5 file nor text: expected a .dat or FCLIB problem".into()));
    text.and_then(|text| siconos_dat::parse(&text)).map_err(|e| e.at(path))
}

/// The parts of a problem as files hold them.
#[derive(Default)]
struct Parts {
    /// 2, 3, or 5 for rolling.
    dimension: usize,
    /// W, or M.
    matrix: Csc,
    /// H of a global problem.
    h: Option<Csc>,
    /// q, or f.
    free: Vec<f64>,
    /// w of a global problem.
    w: Vec<f64>,
    friction: Vec<f64>,
    rolling_friction: Vec<f64>,
}

impl Parts {
    /// Puts the parts together, if they fit.
    fn join(self) -> Result<AnyProblem, Fault> {
        let contacts = self.friction.len();
        let size = self.dimension * contacts;
        let (name, length) = if self.h.is_some() { ("M", self.free.len()) } else { ("W", size) };
        let fit = |what: &str, found: usize, expected: usize| {
            let message = format!("{what} is {found}, expected {expected} ({contacts} contacts)");
            if found == expected { Ok(()) } else { Err(Fault::Misfit(message)) }
        };
        fit(&format!("number of rows of {name}"), self.matrix.rows(), length)?;
        fit(&format!("number of columns of {name}"), self.matrix.columns(), length)?;
        match &self.h {
            None => fit("length of q", self.free.len(), size)?,
            Some(h) => {
                fit("number of rows of H", h.rows(), length)?;
                fit("number of columns of H", h.columns(), size)?;
                fit("length of w", self.w.len(), size)?;
            }
        }
        if let Some(a) = self.friction.iter().position(|mu| mu.is_nan() || *mu < 0.0) {
            return Err(Fault::Misfit(format!("mu of contact {a} is {}, expected 0 or more", self.friction[a])));
        }
        match self.dimension {
            2 => Ok(self.coulomb(AnyProblem::Plane, AnyProblem::PlaneGlobal)),
            3 => Ok(self.coulomb(AnyProblem::Solid, AnyProblem::SolidGlobal)),
            5 => {
                fit("length of mu_r", self.rolling_friction.len(), contacts)?;
                let Self { matrix, h, free, w, friction, rolling_friction, .. } = self;
                Ok(AnyProblem::Rolling(Rolling { matrix, h, free, w, friction, rolling_friction }))
            }
            d => Err(Fault::Misfit(format!("{d} components per contact, expected 2, 3, or 5 (rolling)"))),
        }
    }

    fn coulomb<const D: usize>(
        self,
        local: fn(Problem<D>) -> AnyProblem,
        global: fn(Global<D>) -> AnyProblem,
    ) -> AnyProblem {
        let Self { matrix: m, h, free: f, w, friction, .. } = self;
        match h {
            Some(h) => global(Global { m, h, f, w, friction }),
            None => local(Problem::new(&m, &f, friction).unwrap_or_default()),
        }
    }
}
