//! Reading what makes bodies deformable: `[[deformable]]`, and `deformable = { … }` of a generator.

use super::bodies::{common, copies, piece};
use super::document::Table;
use super::memory;
use super::meshes;
use super::shapes::pose;
use super::spec::{Batch, DeformableSpec, Elasticity, InitialStress, MeshSpec, Pose};
use crate::detect::mesh::Points;
use crate::flexible::{Correction, Kinematics, StepForce};
use cairn_fem::continuum::{Formulation, MOST_THICKNESS_POINTS, MassKind};
use cairn_fem::material::{Isotropic, Law, NeoHookean, Orthotropic, SaintVenantKirchhoff};
use cairn_fem::section::Section;
use std::rc::Rc;

/// Least points through the thickness of a sheet: what bending of an elastic one needs.
const LEAST_THICKNESS_POINTS: i64 = 2;

/// Reads one `[[deformable]]` entry.
pub fn deformable(t: &Table) -> Option<Batch> {
    let mut batch = common(t);
    batch.pose = pose(t);
    let mesh = t.table("mesh", "its mesh, from a file or made here", meshes::mesh).required();
    let deformable = common_keys(t, mesh, ("\"nodes\"", Points::Nodes));
    let copies = t.table("copies", "several equal bodies in a row", copies).optional();
    batch.deformable = Some(Rc::new(deformable?));
    let (count, step) = copies.unwrap_or((1, [0.0; 3]));
    batch.pieces = (0..count).map(|i| piece(Vec::new(), Pose::at(step.map(|x| x * i as f64)))).collect();
    Some(batch)
}

/// Reads `deformable = { cells = …, element = … }` of a generator.
pub fn of_blocks(t: &Table) -> Option<DeformableSpec> {
    let kinds: Vec<_> = meshes::FLAT.iter().chain(meshes::SOLID).copied().collect();
    let default = if t.reader.is_dimension(2) { meshes::FLAT[0].2 } else { meshes::SOLID[0].2 };
    let cut = t.choice("element", "elements of each block", &kinds).or_as("\"Q4\" (2D), \"H8\" (3D)", default);
    let cells = meshes::cells(t, "cells along the edges of each block");
    let mesh = cells.map(|cells| MeshSpec::Cells { cells, cut });
    // Blocks overlap by half: middles of facets would make hinges, and nodes go past the rims of the blocks below.
    common_keys(t, mesh, ("\"gauss\"", Points::Gauss))
}

/// `points` look for contact unless the scene says otherwise.
fn common_keys(t: &Table, mesh: Option<MeshSpec>, points: (&str, Points)) -> Option<DeformableSpec> {
    let section = section(t);
    let ways = [
        ("small", "small perturbations of the mesh as placed", Kinematics::Small),
        ("corotational", "small strain, but the body may turn and fall", Kinematics::Corotational),
        ("finite", "finite deformations", Kinematics::Finite),
    ];
    let kinematics =
        t.choice("kinematics", "how large displacements may be", &ways).or_as("\"small\"", Kinematics::Small);
    let ways = [
        ("lumped", "at the nodes", (MassKind::Lumped, false)),
        ("consistent", "by the shape functions", (MassKind::Consistent, false)),
        (
            "redistributed",
            "consistent, but none at the boundary: its shocks lose no energy",
            (MassKind::Redistributed, false),
        ),
        (
            "fictitious",
            "as large as the stiffness asks for to go slowly by explicit steps; weights stay true",
            (MassKind::Lumped, true),
        ),
    ];
    let mass = t.choice("mass", "how masses are placed", &ways);
    let (mass, is_fictitious) = mass.or_as("\"lumped\"", (MassKind::Lumped, false));
    let doc = "with mass = \"fictitious\": largest inertia over internal forces; steps are cut to keep below it [-]";
    let inertia = t.number("inertia", doc).positive().or(0.01);
    let ways = [
        ("standard", "plain displacement elements", Formulation::Standard),
        ("b_bar", "mean dilatation: no volumetric locking as ν → ½", Formulation::BBar),
        ("incompatible", "Q4 and H8 with bending modes: no shear locking", Formulation::Incompatible),
        (
            "solid_shell",
            "H8 as sheets, thin from their first four nodes to their last four: no transverse locking",
            Formulation::SolidShell { points: LEAST_THICKNESS_POINTS as usize },
        ),
    ];
    let formulation =
        t.choice("formulation", "ways against locking", &ways).or_as("\"standard\"", Formulation::Standard);
    let is_sheet = matches!(formulation, Formulation::SolidShell { .. });
    let doc = "with formulation = \"solid_shell\": points of integration through the thickness \
               [default: 7 if its material remembers, else 2]";
    let most = MOST_THICKNESS_POINTS as i64;
    let thickness_points = t.integer("thickness_points", doc, LEAST_THICKNESS_POINTS, most).optional();
    if thickness_points.is_some() && !is_sheet {
        let message = format!("`{}` needs formulation = \"solid_shell\"", t.path_of("thickness_points"));
        t.wrong("thickness_points", message, "not with this");
        return None;
    }
    let ways = [
        ("tangent", "the tangent, anew in each iteration", Correction::Tangent),
        ("first_tangent", "the tangent of the first iteration of a step", Correction::FirstTangent),
        ("mass", "the mass alone, one iteration: explicit, with implicit contact", Correction::Mass),
    ];
    let correction =
        t.choice("correction", "matrix of Newton's iterations", &ways).or_as("\"tangent\"", Correction::Tangent);
    let ways = [
        ("of_ends", "those of both ends of the step, weighted by ξ", StepForce::OfEnds),
        (
            "conserving",
            "the mean one, whose work is the change of strain energy (finite, θ = ½)",
            StepForce::Conserving,
        ),
    ];
    if is_fictitious != (correction == Correction::Mass) && (is_fictitious || t.has("inertia")) {
        let message = format!("`{}` = \"fictitious\" needs correction = \"mass\"", t.path_of("mass"));
        t.wrong("mass", message, "not with these");
        return None;
    }
    let step_force = t.choice("force", "internal force of a step", &ways).or_as("\"of_ends\"", StepForce::OfEnds);
    if step_force == StepForce::Conserving
        && (kinematics != Kinematics::Finite || formulation == Formulation::Incompatible || is_sheet)
    {
        let message = format!(
            "`{}` = \"conserving\" needs kinematics = \"finite\" without modes inside cells",
            t.path_of("force")
        );
        t.wrong("force", message, "not with these");
        return None;
    }
    let ways = [
        ("nodes", "the nodes of the boundary", Points::Nodes),
        ("mid_points", "the middles of its facets", Points::Middles),
        ("gauss", "the Gauss points of its facets", Points::Gauss),
    ];
    let candidates = t.choice("candidates", "points that look for contact", &ways).or_as(points.0, points.1);
    let contact = t.words("contact", "boundaries that take part in contact [default: the whole skin]").optional();
    let self_contact = t.flag("self_contact", "may the body touch itself?").or(false);
    let initial_stress = t
        .table("initial_stress", "stress of the weight above, at the start and in balance with it", initial_stress)
        .optional();
    let (place, mesh, section) = (t.place, mesh?, section?);
    Some(DeformableSpec {
        place,
        mesh,
        section,
        kinematics,
        mass,
        fictitious: is_fictitious.then_some(inertia),
        formulation,
        thickness_points: thickness_points.map(|points| points as usize),
        correction,
        step_force,
        candidates,
        contact,
        self_contact,
        initial_stress,
    })
}

fn initial_stress(t: &Table) -> Option<InitialStress> {
    let surface = t.number("surface", "height of the surface above, measured against gravity [m]").required();
    let ratio =
        t.number("ratio", "K₀: stress across over stress along gravity; 1 is lithostatic [-]").not_negative().or(1.0);
    Some(InitialStress { surface: surface?, ratio })
}

#[derive(Clone, Copy, PartialEq)]
enum Plane {
    Stress,
    Strain,
    Axisymmetric,
}

fn section(t: &Table) -> Option<Section> {
    let ways = [
        ("plane_strain", "a slice of a long body", Plane::Strain),
        ("plane_stress", "a thin plate", Plane::Stress),
        ("axisymmetric", "a body of revolution about x = 0", Plane::Axisymmetric),
    ];
    let plane = t.choice("section", "2D: how the body continues out of the plane", &ways);
    let plane = plane.only(2, "bodies in space have no section").or_as("\"plane_strain\"", Plane::Strain);
    let thickness = t.number("thickness", "2D: thickness [m]").positive().only(2, "bodies in space have their own");
    let thickness = thickness.or(1.0);
    Some(match plane {
        _ if t.reader.dimension.get() == 3 => Section::Solid,
        Plane::Strain => Section::PlaneStrain { thickness },
        Plane::Stress => Section::PlaneStress { thickness },
        Plane::Axisymmetric => Section::Axisymmetric,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Model {
    Linear,
    SaintVenantKirchhoff,
    NeoHookean,
    Orthotropic,
}

/// The elastic keys of a material; none if it has none.
pub fn elasticity(t: &Table) -> Option<Elasticity> {
    let young = t.number("young", "Young's modulus, for deformable bodies [Pa]").positive().optional();
    let poisson =
        t.number("poisson", "Poisson's ratio [-]").check(|x| (-0.99..0.5).contains(x), "from −0.99 to below 0.5");
    let poisson = poisson.optional();
    let ways = [
        ("linear", "stress linear in strain", Model::Linear),
        ("saint_venant_kirchhoff", "linear between Green–Lagrange strain and its stress", Model::SaintVenantKirchhoff),
        ("neo_hookean", "compressible neo-Hookean", Model::NeoHookean),
        ("orthotropic", "linear, with three planes of symmetry: `moduli`, `ratios`, `shear`", Model::Orthotropic),
    ];
    let model = t.choice("elasticity", "law of elasticity", &ways).or_as("\"linear\"", Model::Linear);
    let triple = |key, doc| t.numbers(key, doc).optional();
    let moduli = triple("moduli", "orthotropic: Young's moduli E1, E2, E3 [Pa]");
    let ratios = triple("ratios", "orthotropic: Poisson's ratios ν12, ν23, ν31 [-]");
    let shear = triple("shear", "orthotropic: shear moduli G12, G23, G31 [Pa]");
    let angle = t.number("fibre_angle", "orthotropic: first axis from x, about z [°]").or(0.0);
    let damping = t.numbers("damping", "Rayleigh damping C = α M + β K: [α, β], in 1/s and s").optional();
    let memory = memory::memory(t);
    if t.recording() {
        return None;
    }
    let damping = match damping.as_deref() {
        None => [0.0; 2],
        Some(&[alpha, beta]) if alpha >= 0.0 && beta >= 0.0 => [alpha, beta],
        Some(_) => {
            t.wrong("damping", format!("`{}` must be two numbers ≥ 0: α, β", t.path_of("damping")), "two numbers");
            return None;
        }
    };
    let law = if model == Model::Orthotropic {
        orthotropic(t, [moduli, ratios, shear], angle)?
    } else {
        let (young, poisson) = (young?, poisson.unwrap_or(0.0));
        let isotropic = Isotropic { young, poisson };
        match (model, &memory) {
            (Model::NeoHookean, _) => Law::NeoHookean(NeoHookean(isotropic)),
            (_, Some(memory)) => memory.law(t, isotropic)?,
            (Model::SaintVenantKirchhoff, _) => Law::SaintVenantKirchhoff(SaintVenantKirchhoff(isotropic)),
            _ => Law::Isotropic(isotropic),
        }
    };
    if let Some(memory) = memory.filter(|_| law.inelastic().is_none()) {
        memory.refuse(t);
        return None;
    }
    Some(Elasticity { law, damping })
}

fn orthotropic(t: &Table, given: [Option<Vec<f64>>; 3], angle: f64) -> Option<Law> {
    let mut triples = [[0.0; 3]; 3];
    for ((key, numbers), triple) in ["moduli", "ratios", "shear"].into_iter().zip(given).zip(&mut triples) {
        match numbers.as_deref() {
            Some(&[a, b, c]) => *triple = [a, b, c],
            _ => {
                t.wrong(
                    key,
                    format!("`{}` must be three numbers with elasticity = \"orthotropic\"", t.path_of(key)),
                    "three",
                );
                return None;
            }
        }
    }
    let [young, poisson, shear] = triples;
    let (s, c) = angle.to_radians().sin_cos();
    let axes = nalgebra::Matrix3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0);
    Some(Law::Orthotropic(Orthotropic { young, poisson, shear, axes }))
}
