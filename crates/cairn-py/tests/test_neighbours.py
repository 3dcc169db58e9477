"""Other packages: Gmsh, meshio, trimesh, compas_dem. Each is skipped where it is not installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import cairn
import numpy as np
import pytest
from cairn import convert


def ground(material: str) -> cairn.Scene:
    scene = cairn.Scene(dimension=3, gravity=(0, 0, -9.81), time=cairn.Time(step=1e-3, end=0.02, theta=1.0))
    scene.materials[material] = cairn.Material(density=2000, young=1e8, poisson=0.2)
    scene.add(cairn.contact(friction=0.6))
    scene.add(cairn.Body(name="ground", material=material, fixed=True, shape=cairn.shape.half_space(normal=(0, 0, 1))))
    return scene


def cube() -> Any:
    meshio = pytest.importorskip("meshio")
    points = np.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
    cells = [("hexahedron", np.array([[0, 1, 3, 2, 4, 5, 7, 6]]))]
    data = {"gmsh:physical": [np.array([1])], "gmsh:geometrical": [np.array([1])]}
    return meshio.Mesh(points, cells, cell_data=data, field_data={"cube": np.array([1, 3])})


def test_a_mesh_goes_in_and_comes_out_in_the_same_order() -> None:
    given = cube()
    scene = ground("stone")
    convert.add_meshio(scene, given, name="cube", material="stone")
    simulation = scene.simulate()
    simulation.run()
    back = convert.to_meshio(simulation, "cube")
    assert np.allclose(back.points, given.points) and back.cells[0].type == "hexahedron"
    assert np.array_equal(back.cells[0].data, given.cells[0].data)
    assert back.point_data["von_mises"].shape == (8,)
    # The weight of a cube of 1 m³ and 2000 kg/m³.
    assert simulation.resultant("cube")[2] == pytest.approx(19620.0, rel=0.2)


def bar_of_gmsh() -> Any:
    """The module `gmsh` with a bar of two cubes of 1 m, one above the other: groups `stiff` and `soft`, `foot` and `head`."""
    gmsh = pytest.importorskip("gmsh", exc_type=(ImportError, OSError))
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.add("bar")
    cubes = [gmsh.model.occ.addBox(0, 0, z, 1, 1, 1) for z in (0, 1)]
    gmsh.model.occ.fragment([(3, cubes[0])], [(3, cubes[1])])
    gmsh.model.occ.synchronize()
    for name, cube in zip(("stiff", "soft"), cubes):
        gmsh.model.addPhysicalGroup(3, [cube], name=name)
    for name, z in (("foot", 0), ("head", 2)):
        faces = gmsh.model.getEntitiesInBoundingBox(-0.1, -0.1, z - 0.1, 1.1, 1.1, z + 0.1, 2)
        gmsh.model.addPhysicalGroup(2, [tag for _, tag in faces], name=name)
    gmsh.option.setNumber("Mesh.MeshSizeMax", 1.0)
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)
    return gmsh


def test_groups_of_gmsh_are_materials_and_boundaries(tmp_path: Path) -> None:
    gmsh = bar_of_gmsh()
    tags, coordinates, _ = gmsh.model.mesh.getNodes()
    gmsh.write(str(tmp_path / "bar.msh"))
    ends = []
    for model in (gmsh, tmp_path / "bar.msh"):
        scene = cairn.Scene(dimension=3, time=cairn.Time(step=0.05, end=1.0, theta=1.0))
        scene.materials["stiff"] = cairn.Material(density=1000, young=4e6, poisson=0.0)
        scene.materials["soft"] = cairn.Material(density=1000, young=1e6, poisson=0.0)
        scene.add(cairn.contact(friction=0.5))
        convert.add_gmsh(scene, model, name="bar", material="soft")
        scene.add(cairn.Fix(bodies="bar", boundary="foot"))
        scene.add(cairn.Load(bodies="bar", boundary="head", traction=(0, 0, -1e3)))
        simulation = cairn.Simulation._start(scene.document(), 1)[0]
        simulation.run()
        settled = simulation.nodal("bar", "displacement")
        places = simulation.nodal("bar", "position") - settled
        # Nodes are in the order of Gmsh's numbers.
        assert places == pytest.approx(coordinates.reshape(-1, 3)[np.argsort(tags)], abs=1e-12)
        # Two springs in a row: σ (L/E + L/E′).
        assert settled[places[:, 2] > 2 - 1e-9, 2] == pytest.approx(-1e3 * (1 / 4e6 + 1 / 1e6), rel=1e-5)
        assert simulation.nodal("bar", "stress")[:, 2, 2] == pytest.approx(-1e3, rel=1e-4)
        ends.append(settled)
    gmsh.finalize()
    assert np.array_equal(ends[0], ends[1])


def test_blocks_from_trimesh_have_to_be_convex() -> None:
    trimesh = pytest.importorskip("trimesh")
    scene = ground("stone")
    box = trimesh.creation.box((1.0, 1.0, 1.0))
    box.apply_translation((0.0, 0.0, 0.5))
    convert.add_trimesh(scene, box, name="box", material="stone")
    assert scene.simulate().positions[1] == pytest.approx([0.0, 0.0, 0.5])
    torus = trimesh.creation.torus(1.0, 0.2)
    with pytest.raises(cairn.SceneError, match="convex"):
        convert.add_trimesh(scene, torus, name="torus", material="stone")


def test_an_arch_of_compas_dem_stands() -> None:
    pytest.importorskip("compas_dem")
    from cairn.compas import Problem, Solver
    from compas.data import json_dumps, json_loads
    from compas_dem.models import BlockModel
    from compas_dem.templates import ArchTemplate

    model = BlockModel.from_template(ArchTemplate(rise=3, span=10, thickness=0.5, depth=0.5, n=20))
    model.compute_contacts(tolerance=0.001)
    for block in list(model.elements()):
        block.is_support = len(list(model.graph.neighbors(block.graphnode))) == 1
    problem = Problem(model)
    problem.set_contact_model("MohrCoulomb", mu=0.7)
    problem.set_solver(Solver.Cairn(dt=2e-3))
    results = problem.solve()
    assert results.metadata["simulation_summary"]["contract"]["kept"]
    # What the two supports carry is the weight of the blocks between them.
    free = [block for block in model.elements() if not block.is_support]
    weight = 2500.0 * 9.81 * sum(block.modelgeometry.volume() for block in free)
    supports = {block.graphnode for block in model.elements() if block.is_support}
    carried = [abs(results.resultant_global(edge)[2]) for edge in results.edges() if supports & set(edge)]
    assert len(free) == 18 and len(carried) == 2
    assert sum(carried) == pytest.approx(weight, rel=1e-2)
    # It is kept and read like the solvers of compas_dem, which are still there.
    kept = json_loads(json_dumps(problem))
    assert isinstance(kept, Problem) and kept._solver.parameters == problem._solver.parameters
    with pytest.raises(ValueError, match="not recognised"):
        problem.set_solver(Solver())
        problem.solve()


def test_blocks_from_an_obj_file_in_memory() -> None:
    """Groups of an OBJ file that is no file: two cubes, one on the other."""
    scene = ground("stone")
    text = ""
    for number in range(2):
        text += f"g cube{number}\n" + "".join(f"v {x} {y} {z + number}\n" for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)))
        for face in ((4, 3, 2, 1), (5, 6, 7, 8), (1, 2, 6, 5), (2, 3, 7, 6), (3, 4, 8, 7), (4, 1, 5, 8)):
            text += "f " + " ".join(str(8 * number + corner) for corner in face) + "\n"
    scene.attach("cubes.obj", text)
    scene.add(cairn.generate.blocks(name="cubes", material="stone", file="cubes.obj"))
    simulation = scene.run(progress=False)
    assert simulation.positions[simulation.bodies("cubes")] == pytest.approx(np.array([[0.5, 0.5, 0.5], [0.5, 0.5, 1.5]]), abs=1e-4)
    assert -simulation.resultant("ground")[2] == pytest.approx(2 * 19620.0, rel=1e-2)


def side_by_side() -> ModuleType:
    """The example of this name, with shorter runs."""
    pytest.importorskip("compas_dem")
    path = Path(__file__).parent.parent / "examples" / "compas_side_by_side.py"
    spec = importlib.util.spec_from_file_location("compas_side_by_side", path)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.DURATION = 0.1  # type: ignore[attr-defined]
    return example


@pytest.mark.parametrize("name", ["arch", "dome", "wall"])
def test_sections_carry_the_weight_above_them(name: str) -> None:
    example = side_by_side()
    model, levels = getattr(example, name)()
    found, weights = example.sections(example.by_cairn(model), levels), example.weights(model, levels)
    assert len(found) == {"arch": 1, "dome": 4, "wall": 5}[name]
    for force, weight in zip(found, weights):
        assert force == pytest.approx([0.0, 0.0, weight], abs=2e-3 * weight)


@pytest.mark.parametrize("name", ["arch", "dome", "wall"])
def test_lmgc90_finds_the_same_resultants(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = side_by_side()
    pytest.importorskip("compas_lmgc90")
    # It may leave files where it runs.
    monkeypatch.chdir(tmp_path)
    found = []
    for solve in (example.by_cairn, example.by_lmgc90):
        model, levels = getattr(example, name)()
        found.append([force[2] for force in example.sections(solve(model), levels)])
    assert found[0] == pytest.approx(found[1], rel=1e-2)
