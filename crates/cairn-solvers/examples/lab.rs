#![allow(missing_docs)]
use cairn_solvers::{delassus::Stored, problem::*, discrete::Problem, solver::*};
fn read<const D: usize>(b: &[u8]) -> Problem<D> {
    let u = |i: usize| u32::from_le_bytes(b[i..i + 4].try_into().unwrap()) as usize;
    let f = |i: usize| f64::from_le_bytes(b[i..i + 8].try_into().unwrap());
    let (nc, nb) = (u(4), u(8));
    let mut p = 12;
    let mut bl = vec![];
    for _ in 0..nb {
        let (r, c) = (u(p), u(p + 4));
        p += 8;
        bl.push((r as u32, c as u32, Mat::<D>::from_fn(|i, j| f(p + 8 * (j * D + i)))));
        p += 8 * D * D;
    }
    let q = (0..nc).map(|a| Vect::<D>::from_fn(|i, _| f(p + 8 * (a * D + i)))).collect();
    p += 8 * D * nc;
    let mu = (0..nc).map(|a| f(p + 8 * a)).collect();
    Problem { w: Stored::from_blocks(bl, q).unwrap(), friction: mu }
}
fn go<const D: usize>(name: &str, p: &Problem<D>) {
    for tol in [1e-4, 1e-8] {
        let t = cpu_time::ThreadTime::now();
        let (n, res) = gauss_seidel::lab(p, Measure::Strict, tol, 20000, false);
        let s = t.elapsed().as_secs_f64();
        println!("{name:45} {:5} tol {tol:.0e}: {n:6} sweeps res {res:.2e} {:8.2} ms {:.0} ns/ci", p.contacts(), s * 1e3, s * 1e9 / n as f64 / p.contacts() as f64);
    }
}
fn main() {
    let mut names: Vec<_> = std::fs::read_dir("/tmp/fc").unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "bin")).collect();
    names.sort();
    let filter = std::env::args().nth(1).unwrap_or_default();
    for n in names {
        let name = n.file_name().unwrap().to_str().unwrap().to_string();
        if !name.contains(&filter) { continue }
        let b = std::fs::read(&n).unwrap();
        if b[0] == 2 { go(&name, &read::<2>(&b)) } else { go(&name, &read::<3>(&b)) }
    }
}
