"""Cairn as a solver of `compas_dem`: a block model and a problem in, displacements and contact forces out.

    from cairn.compas import Problem, Solver

    problem = Problem(model)
    problem.set_contact_model("MohrCoulomb", mu=0.7)
    problem.set_solver(Solver.Cairn(dt=1e-3))
    results = problem.solve()

`compas_dem` and what it needs have to be installed. Blocks are convex: others are refused.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt
from compas_dem.problem import Problem as _Problem
from compas_dem.problem import Solver as _Solver

from . import keys, shape
from .errors import SceneError
from .scene import Scene
from .simulation import Simulation

Array = npt.NDArray[np.float64]

#: What a block weighs if its material does not say [kg/m³].
DENSITY = 2500.0
GRAVITY = 9.81
_COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")


class Solver(_Solver):  # type: ignore[misc]
    """The solvers of `compas_dem`, and Cairn."""

    @classmethod
    def Cairn(
        cls,
        dt: float = 1e-3,
        duration: float = 5.0,
        until: str = "equilibrium",
        equilibrium: float = 1e-4,
        tolerance: float | None = None,
        threads: int = 0,
    ) -> Solver:
        """Dynamics in steps of `dt` [s] for `duration` [s], or until the out-of-balance force is below `equilibrium` of the loads; the
        rest as in `cairn_solve`."""
        solver = cls()
        solver.name = "Cairn"
        solver.parameters = {
            "dt": dt,
            "duration": duration,
            "until": until,
            "equilibrium": equilibrium,
            "tolerance": tolerance,
            "threads": threads,
        }
        return solver


class Problem(_Problem):  # type: ignore[misc]
    """A problem of `compas_dem` that can also be solved by Cairn; `compas_dem` itself knows its own solvers only."""

    def solve(self, **runtime_options: Any) -> Any:
        """Solves the problem by its solver; gives `compas_dem.problem.Results`."""
        if self._solver is None or self._solver.name != "Cairn":
            return super().solve(**runtime_options)
        self._check_model_validity(self.model)
        return cairn_solve(self, self.model, **{**self._solver.parameters, **runtime_options})


def cairn_solve(
    problem: Any,
    model: Any,
    *,
    dt: float = 1e-3,
    duration: float = 5.0,
    until: str = "equilibrium",
    equilibrium: float = 1e-4,
    tolerance: float | None = None,
    threads: int = 0,
) -> Any:
    """Solves a `compas_dem` problem: dynamics in steps of `dt` [s] for `duration` [s], or until the out-of-balance force is below
    `equilibrium` of the loads. Gives `compas_dem.problem.Results` with what its other solvers write, and the `Simulation` in
    `metadata["simulation_summary"]` as its summary."""
    elements = list(model.elements())
    scene = scene_of(problem, model, dt=dt, duration=duration, until=until, equilibrium=equilibrium, tolerance=tolerance)
    simulation = scene.simulate(threads)
    start = simulation.positions
    simulation.run()
    return _results(problem, model, elements, simulation, start)


def scene_of(
    problem: Any,
    model: Any,
    *,
    dt: float,
    duration: float,
    until: str = "equilibrium",
    equilibrium: float = 1e-4,
    tolerance: float | None = None,
) -> Scene:
    """The scene that stands for a problem: blocks as convex polyhedra, supports fixed, loads and displacements as given."""
    from compas_dem.analysis.resolve import resolve_centroidal_displacements, resolve_centroidal_loads

    scene = Scene(dimension=3, gravity=(0.0, 0.0, -GRAVITY), time=keys.Time(step=dt, theta=1.0, end=duration))
    if until == "equilibrium":
        scene.stage = [keys.Stage(name="all", duration=duration, until="equilibrium", tolerance=equilibrium)]
    if tolerance is not None:
        scene.solver = keys.Solver(tolerance=tolerance)
    law = problem.contact_properties.contact_model
    if law is None:
        raise SceneError("the problem has no contact model: call problem.set_contact_model(\"MohrCoulomb\", mu=…)")
    scene.add(keys.Contact(between="any", friction=float(law.mu)))
    moved = resolve_centroidal_displacements(problem.boundary_conditions)
    for number, block in enumerate(model.elements()):
        _add_block(scene, number, block, moved.get(block.graphnode), duration)
    numbers = {block.graphnode: number for number, block in enumerate(model.elements())}
    for node, entry in resolve_centroidal_loads(model, problem.boundary_conditions).items():
        for kind, history in (("ramp", {"ramp": {"from": 0.0, "to": 1.0, "start": 0.0, "end": 0.5 * duration}}), ("instantaneous", None)):
            part = entry["by_loading_type"].get(kind)
            if part is None:
                continue
            for key in ("force", "moment"):
                value = [float(x) for x in part[key]]
                if any(value):
                    what: dict[str, Any] = {"force" if key == "force" else "torque": value}
                    scene.load.append({"bodies": f"block{numbers[node]}", **what} | ({"history": history} if history else {}))
    return scene


def _add_block(scene: Scene, number: int, block: Any, moved: dict[str, Any] | None, duration: float) -> None:
    vertices, faces = block.modelgeometry.to_vertices_and_faces()
    points = np.asarray(vertices, dtype=np.float64)
    _must_be_convex(number, points, faces)
    material = f"density {block.material.density if block.material and block.material.density else DENSITY:g}"
    scene.materials.setdefault(material, keys.Material(density=float(material.split()[1])))
    name = f"block{number}"
    scene.add(keys.Body(name=name, material=material, shape=shape.polyhedron(vertices=points.tolist()), fixed=bool(block.is_support) and not moved))
    if not moved:
        return
    values = [*(moved["translation"] or [None] * 3), *(moved["rotation"] or [None] * 3)]
    for component, value in zip(_COMPONENTS, values):
        if value is None and block.is_support:
            value = 0.0
        if value is not None:
            path = {"ramp": {"from": 0.0, "to": float(value), "start": 0.0, "end": 0.5 * duration}}
            scene.drive.append({"bodies": name, "component": component, "displacement": path})


def _must_be_convex(number: int, points: Array, faces: list[list[int]]) -> None:
    size = float(np.ptp(points, axis=0).max())
    middle = points.mean(axis=0)
    for face in faces:
        corners = points[face]
        normal = sum(np.cross(corners[i] - corners[0], corners[i + 1] - corners[0]) for i in range(1, len(corners) - 1))
        length = float(np.linalg.norm(normal))
        if length == 0.0:
            continue
        outward = normal / length
        outward = outward if (corners[0] - middle) @ outward > 0 else -outward
        if ((points - corners.mean(axis=0)) @ outward).max() > 1e-6 * size:
            raise SceneError(f"block {number} is not convex: cut it into convex ones")


def _matrix(quaternion: Array) -> Array:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _results(problem: Any, model: Any, elements: list[Any], simulation: Simulation, start: Array) -> Any:
    import compas.geometry as cg
    from compas_dem.problem.results import Results

    results = Results(model_id=str(model.guid), problem_id=str(problem.guid))
    ends, turns = simulation.positions, simulation.rotations
    for number, block in enumerate(elements):
        turn = _matrix(turns[number])
        shift = ends[number] - turn @ start[number]
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = turn, shift
        results.set_node(block.graphnode, "transformation", cg.Transformation(matrix.tolist()))
    contacts = simulation.contacts
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, contact in enumerate(contacts):
        nodes = sorted((elements[contact["candidate"]].graphnode, elements[contact["antagonist"]].graphnode))
        if np.any(contact["force"]):
            groups[nodes[0], nodes[1]].append(i)
    for (u, v), members in groups.items():
        edge = (v, u) if model.graph.has_edge((v, u)) else (u, v)
        if not model.graph.has_edge(edge):
            results.metadata.setdefault("added_edges", []).append(list(edge))
        _write_edge(results, edge, contacts[members], elements)
    results.metadata["mu"] = float(problem.contact_properties.contact_model.mu)
    results.metadata["n_steps"] = simulation.step_number
    results.metadata["simulation_summary"] = simulation.summary
    return results


def _write_edge(results: Any, edge: tuple[int, int], contacts: npt.NDArray[np.void], elements: list[Any]) -> None:
    """What the solvers of `compas_dem` write of the contact between two blocks; forces are those on the first node of the edge."""
    import compas.geometry as cg
    from compas_dem.interactions import EdgeContact, FrictionContact, VertexContact

    frames, points, locals_, vectors = [], [], [], []
    for contact in contacts:
        normal = np.asarray(contact["normal"])
        first = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.9 else [0.0, 1.0, 0.0])
        first /= np.linalg.norm(first)
        second = np.cross(normal, first)
        force = np.asarray(contact["force"])
        locals_.append((float(force @ first), float(force @ second), float(force @ normal)))
        sign = 1.0 if elements[contact["candidate"]].graphnode == edge[0] else -1.0
        vectors.append((sign * force).tolist())
        points.append(cg.Point(*contact["point"]))
        frames.append(cg.Frame(points[-1], first.tolist(), second.tolist()))
    along = np.asarray(locals_)
    resultant = np.sum(vectors, axis=0)
    forces = [{"c_np": max(n, 0.0), "c_nn": max(-n, 0.0), "c_u": a, "c_v": b} for a, b, n in locals_]
    values: dict[str, Any] = {
        "face_contact": len(points) >= 3,
        "edge_contact": len(points) == 2,
        "point_contact": len(points) == 1,
        "contact_points": [list(p) for p in points],
        "gap": contacts["gap"].tolist(),
        "status": [("noctc", "stick", "slide")[int(s)] for s in contacts["status"]],
        "force_normal": along[:, 2].tolist(),
        "force_tangent1": along[:, 0].tolist(),
        "force_tangent2": along[:, 1].tolist(),
        "resultant_local": along.sum(axis=0).tolist(),
        "force_vector": vectors,
        "resultant_global": resultant.tolist(),
        "force_magnitude": float(np.linalg.norm(resultant)),
        "nodal_force_magnitudes": [float(np.linalg.norm(f)) for f in vectors],
        "contact_frames": frames,
        "contact_frame": frames[0],
    }
    if len(points) >= 3:
        values["contact_polygon"] = cg.Polygon(points)
        values["contact_data"] = FrictionContact(points=points)
        values["contact_data"]._frame = frames[0]
        values["contact_data"].forces = forces
    elif len(points) == 2:
        line = cg.Line(*points)
        middle = cg.Frame(line.midpoint, frames[0].xaxis, frames[0].yaxis)
        values["contact_data"] = EdgeContact(points=points, frame=middle, forces=forces)
        values["contact_geometry"] = line
    else:
        values["contact_data"] = VertexContact(point=points[0], frame=frames[0], forces=forces)
        values["contact_geometry"] = points[0]
    for key, value in values.items():
        results.set_edge(edge, key, value)
