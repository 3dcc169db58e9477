"""Results: what a run has left, read and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cairn
import numpy as np
import pytest


def ball(**more: Any) -> cairn.Scene:
    """A ball of 1 kg that falls by 0.1 m onto a floor, without bouncing: no contact at first, one at the end."""
    scene = cairn.Scene(dimension=3, gravity=(0, 0, -10.0), time=cairn.Time(step=1e-3, end=0.2, theta=1.0), title="Ball", **more)
    scene.materials["stone"] = cairn.Material(density=6.0 / (np.pi * 0.2**3))
    scene.add(cairn.contact(friction=0.5))
    scene.add(cairn.Body(name="ball", material="stone", shape=cairn.shape.sphere(radius=0.1), position=(0, 0, 0.2)))
    scene.add(cairn.Body(name="floor", material="stone", fixed=True, shape=cairn.shape.half_space(normal=(0, 0, 1))))
    return scene


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> cairn.Results:
    return ball().record(tmp_path_factory.mktemp("run") / "ball.results")


def test_a_recorded_run_has_the_bits_of_a_simulation(results: cairn.Results) -> None:
    pytest.importorskip("h5py")
    simulation = ball().run(progress=False)
    assert results.status == "finished" and results.title == "Ball"
    assert np.array_equal(results[-1].positions, simulation.positions)
    assert np.array_equal(results[-1].velocities, simulation.velocities)
    assert results.positions.shape == (len(results), 2, 3)
    assert results.scene.to_dict() == ball().to_dict()


def test_contacts_are_those_of_their_state(results: cairn.Results) -> None:
    pytest.importorskip("h5py")
    assert results[0].contacts["force"].shape == (0, 3)
    last = results.at(0.2).contacts
    assert last["bodies"].shape == (1, 2)
    # The weight of the ball.
    assert abs(last["force"][0, 2]) == pytest.approx(10.0, rel=1e-3)
    with pytest.raises(IndexError, match="states"):
        results[1000]
    with pytest.raises(cairn.ResultsError, match="bodies, contacts"):
        results[0].nodes


def test_tables_and_data_sets(results: cairn.Results) -> None:
    pytest.importorskip("h5py")
    pytest.importorskip("pandas")
    table = results[-1].contact_table()
    assert list(table[["candidate", "antagonist"]].iloc[0]) in ([0, 1], [1, 0])
    history = results.history
    assert history.attrs["units"]["kinetic energy"] == "J" and history.index[-1] == pytest.approx(0.2)
    pytest.importorskip("pyvista")
    surface, points = results[-1].to_pyvista(), results[-1].to_pyvista("contacts")
    assert surface.bounds.z_min == pytest.approx(0.0, abs=2e-3) and surface.cell_data["speed"].max() < 0.05
    assert points.n_points == points.n_cells == 1
    assert results[0].to_pyvista("contacts").n_points == 0


def test_nodes_of_deformable_bodies(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    scene = cairn.Scene(dimension=2, gravity=(0, -10.0), time=cairn.Time(step=1e-3, end=0.02, theta=1.0))
    scene.materials["rubber"] = cairn.Material(density=1000, young=1e7, poisson=0.3)
    scene.add(cairn.contact(friction=0.5))
    for k in range(2):
        mesh = cairn.mesh.rectangle(size=(1.0, 0.5), cells=(4, 2))
        scene.add(cairn.Deformable(name=f"pad{k}", material="rubber", mesh=mesh, position=(0, 0.25 + 0.5 * k)))
    scene.add(cairn.Body(name="ground", material="rubber", fixed=True, shape=cairn.shape.half_plane(normal=(0, 1))))
    results = scene.record(tmp_path / "pads.results")
    nodes, simulation = results[-1].nodes, scene.run(progress=False)
    expected = np.concatenate([simulation.nodal(f"pad{k}", "displacement") for k in range(2)])
    # The file has single precision.
    assert np.allclose(nodes["displacement"][:, :2], expected, rtol=1e-6, atol=1e-12)
    pytest.importorskip("pyvista")
    grid = results[-1].to_pyvista("meshes")
    assert grid.n_cells == 16 and grid.n_points == len(expected) and set(grid.celltypes) == {9}
    pytest.importorskip("meshio")
    mesh = results[-1].to_meshio()
    assert [(block.type, block.data.shape) for block in mesh.cells] == [("quad", (16, 4))]
    assert np.array_equal(mesh.points, grid.points) and np.array_equal(mesh.point_data["displacement"], nodes["displacement"])
    mesh.write(tmp_path / "pads.vtu")


def test_histories_are_plotted_in_the_colours_of_the_program(results: cairn.Results) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = results.plot("kinetic energy", "potential energy")
    lines = axes.get_lines()
    assert [line.get_color() for line in lines] == ["#0072B2", "#D55E00"]
    assert np.array_equal(lines[0].get_ydata(), results.columns["kinetic energy"])
    assert (axes.get_xlabel(), axes.get_ylabel().strip(), axes.get_title()) == ("time [s]", "[J]", "Ball")
    assert results.plot("contacts", axes=axes) is axes
    with pytest.raises(cairn.ResultsError, match="kinetic energy"):
        results.plot("kinetic enrgy")
    with pytest.raises(cairn.ResultsError, match="one unit"):
        results.plot("kinetic energy", "contacts")


def test_pictures_films_and_pages(results: cairn.Results, tmp_path: Path) -> None:
    assert results.picture().png.startswith(b"\x89PNG")
    assert results.picture(at=0.1, field="speed", width=300, camera=(30, 20)).png != results.picture().png
    with pytest.raises(cairn.ResultsError, match="fild"):
        results.picture(fild="speed")
    film = results.film(tmp_path / "ball.gif", every=20, width=200)
    assert film.read_bytes().startswith(b"GIF")
    page = results.view(times=3, fields=["velocity"], height=300)
    page.write(tmp_path / "ball.html")
    assert (tmp_path / "ball.html").read_text(encoding="utf-8").startswith("<!")
    frame = page._repr_html_()
    assert frame.startswith("<iframe") and "height: 300px" in frame and frame.count('"') == 4
    assert ball().view().html.startswith("<!")


def test_notebooks_show_scenes_simulations_and_results(results: cairn.Results) -> None:
    for thing in (ball(), ball().simulate(), results):
        bundle = thing._repr_mimebundle_()
        assert bundle["image/png"].startswith(b"\x89PNG") and "<img" in bundle["text/html"], thing
    # A scene that is not complete says what it lacks instead of raising.
    bundle = cairn.Scene(dimension=2)._repr_mimebundle_()
    assert "image/png" not in bundle and "time.step" in bundle["text/html"]


def test_a_run_into_a_folder_that_is_taken_is_refused(results: cairn.Results, tmp_path: Path) -> None:
    with pytest.raises(cairn.ResultsError, match="holds the results"):
        ball().record(results.folder)
    with pytest.raises(cairn.SceneError, match="tolerance"):
        ball(solver=cairn.Solver(tolerance=-1.0)).record(tmp_path / "never")
    assert not (tmp_path / "never").exists()
    with pytest.raises(cairn.ResultsError, match="no results folder"):
        cairn.open(tmp_path)


def test_files_that_a_scene_names_come_along(tmp_path: Path) -> None:
    scene = ball()
    scene.add_balls([[0.5, 0.0, 0.2]], 0.1, material="stone", name="more")
    scene.write(tmp_path / "scene.toml")
    read = cairn.Scene.read(tmp_path / "scene.toml")
    results = read.record(tmp_path / "out")
    assert (results.folder / "scene" / "more.csv").exists() and results.summary["steps"] == 200
