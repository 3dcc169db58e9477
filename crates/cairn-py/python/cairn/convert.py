"""Meshes from and to other packages: Gmsh models, meshio, trimesh, PyVista."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import keys, mesh, shape
from ._vtkhdf import CELLS
from .errors import SceneError
from .scene import Scene
from .simulation import Simulation

Array = npt.NDArray[np.float64]


def add_gmsh(scene: Scene, model: Any, *, name: str, material: str, **more: Any) -> keys.Deformable:
    """Adds a deformable body with the mesh of a gmsh model (the module `gmsh` after meshing, or a .msh file), groups included."""
    if isinstance(model, (str, os.PathLike)):
        contents = Path(model).read_bytes()
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mesh.msh"
            model.write(str(path))
            contents = path.read_bytes()
    return _add_mesh(scene, contents, name=name, material=material, **more)


def add_meshio(scene: Scene, given: Any, *, name: str, material: str, **more: Any) -> keys.Deformable:
    """Adds a deformable body with a `meshio.Mesh`; groups of cells by name come along where they are Gmsh's."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mesh.msh"
        given.write(str(path), file_format="gmsh22", binary=False)
        contents = path.read_bytes()
    return _add_mesh(scene, contents, name=name, material=material, **more)


def _add_mesh(scene: Scene, contents: bytes, *, name: str, material: str, **more: Any) -> keys.Deformable:
    file = f"{name}.msh"
    scene.attach(file, contents)
    return scene.add(keys.Deformable(name=name, material=material, mesh=mesh.file(file=file), **more))


def add_trimesh(scene: Scene, given: Any, *, name: str, material: str, **more: Any) -> keys.Body:
    """Adds a rigid block with the shape of a `trimesh.Trimesh`, which has to be convex."""
    if not given.is_convex:
        raise SceneError(f"{name} is not convex: cut it into convex blocks, for instance by trimesh's convex decomposition")
    corners = np.asarray(given.vertices, dtype=np.float64).tolist()
    return scene.add(keys.Body(name=name, material=material, shape=shape.polyhedron(vertices=corners), **more))


def to_meshio(simulation: Simulation, body: str) -> Any:
    """A deformable body as a `meshio.Mesh` in its present state: displacement, velocity, stress and Von Mises stress at nodes."""
    import meshio

    grouped: dict[str, list[list[int]]] = {}
    for kind, nodes in simulation._core.cells(simulation._core.bodies(body)[0]):
        grouped.setdefault(CELLS[kind], []).append(nodes)
    cells = [(kind, np.asarray(nodes)) for kind, nodes in grouped.items()]
    points = simulation.nodal(body, "position") - simulation.nodal(body, "displacement")
    points = np.pad(points, ((0, 0), (0, 3 - points.shape[1])))
    return meshio.Mesh(points, cells, point_data=_fields(simulation, body))


def to_pyvista(simulation: Simulation, body: str) -> Any:
    """The same as a `pyvista.UnstructuredGrid`."""
    import pyvista

    return pyvista.from_meshio(to_meshio(simulation, body))


def _fields(simulation: Simulation, body: str) -> dict[str, Array]:
    stress = simulation.nodal(body, "stress")
    deviator = stress - np.trace(stress, axis1=1, axis2=2)[:, None, None] / 3.0 * np.eye(3)
    lifted = {name: np.pad(simulation.nodal(body, name), ((0, 0), (0, 3 - simulation.dimension))) for name in ("displacement", "velocity")}
    return lifted | {"stress": stress.reshape(len(stress), 9), "von_mises": np.sqrt(1.5 * (deviator**2).sum(axis=(1, 2)))}
