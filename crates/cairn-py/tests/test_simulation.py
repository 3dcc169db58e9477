"""Simulations: the bits of the program, control, copies, arrays that cannot dangle."""

from __future__ import annotations

import copy
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cairn
import numpy as np
import pytest

BLOCK = """
dimension = 2
time = { step = 1e-3, end = 0.2, theta = 1 }
gravity = { acceleration = [0, -9.81] }
materials.stone = { density = 1000 }
contact = [{ between = 'any', friction = 0.5 }]
[[bodies]]
name = 'block'
material = 'stone'
shape = { kind = 'rectangle', size = [1, 1] }
position = [0, 0.5]
[[bodies]]
name = 'plate'
material = 'stone'
shape = { kind = 'rectangle', size = [4, 0.2] }
position = [0, -0.1]
fixed = ['y', 'rotation']
[[drive]]
name = 'press'
bodies = 'plate'
component = 'x'
velocity = 0
"""


def block() -> cairn.Simulation:
    return cairn.Scene.from_toml(BLOCK).simulate(threads=1)


def test_the_bits_are_those_of_the_program(tmp_path: Path) -> None:
    scene = cairn.Scene.from_toml(BLOCK)
    scene.write(tmp_path / "block.toml")
    simulation = scene.simulate()
    simulation.run()
    done = subprocess.run(
        [sys.executable, "-c", "from cairn._cli import run; raise SystemExit(run())", "run", "block.toml", "-o", "out"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = cairn.open(tmp_path / "out")
    assert results.status == "finished" and results.summary["steps"] == simulation.step_number
    energy = results.columns["dissipated by shocks"][-1]
    assert energy == simulation.scalars["dissipated by shocks"]
    assert results.units["time"] == "s"


def test_weight_rests_on_the_plate() -> None:
    simulation = block()
    simulation.run(0.1)
    assert simulation.time == pytest.approx(0.1)
    assert simulation.resultant("block") == pytest.approx([0.0, 9810.0], abs=1.0)
    contacts = simulation.contacts
    assert contacts["force"].sum(axis=0) == pytest.approx([0.0, 9810.0], abs=1.0)
    assert set(contacts["status"]) <= {0, 1, 2}
    assert simulation.report["converged"]


def test_a_callback_drives_and_ends_the_run() -> None:
    simulation = block()
    seen: list[float] = []

    def press(running: cairn.Simulation) -> bool:
        running.set_drive("press", 0.5)
        seen.append(running.time)
        return running.time < 0.05

    assert not simulation.run(callback=press)
    assert len(seen) == simulation.step_number and simulation.time == pytest.approx(0.05)
    assert simulation.velocities[simulation.bodies("plate")][0, 0] == pytest.approx(0.5)


def test_an_error_in_a_callback_comes_through() -> None:
    simulation = block()

    def wrong(_: cairn.Simulation) -> bool:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        simulation.run(callback=wrong)
    simulation.step()


def test_copies_pickles_and_saved_ones_have_the_same_future() -> None:
    simulation = block()
    simulation.set_drive("press", 0.2)
    simulation.step(20)
    others = [copy.copy(simulation), pickle.loads(pickle.dumps(simulation)), cairn.Simulation.restore(simulation.save())]
    simulation.step(20)
    for other in others:
        other.step(20)
        assert np.array_equal(other.positions, simulation.positions)
        assert np.array_equal(other.contacts["force"], simulation.contacts["force"])


def test_arrays_are_snapshots() -> None:
    simulation = block()
    before = simulation.positions
    kept = before.copy()
    simulation.step(10)
    assert np.array_equal(before, kept)
    with pytest.raises(ValueError, match="read-only"):
        before[0, 0] = 1.0


def test_two_simulations_at_once_in_threads() -> None:
    alone = block()
    alone.run()
    ends: list[np.ndarray] = []

    def work() -> None:
        mine = block()
        mine.run()
        ends.append(mine.positions)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(end, alone.positions) for end in ends) and len(ends) == 2


def test_simulations_of_all_kinds_side_by_side_have_the_bits_of_one_alone() -> None:
    def solid() -> cairn.Simulation:
        scene = cairn.Scene(dimension=3, gravity=(0, 0, -9.81), time=cairn.Time(step=1e-3, end=0.1))
        scene.materials["stone"] = cairn.Material(density=2500)
        scene.add(cairn.contact(friction=0.5))
        scene.add(cairn.Body(name="ground", material="stone", fixed=True, shape=cairn.shape.half_space(normal=(0, 0, 1))))
        boxes = {"count": 4, "step": (0, 0, 0.2)}
        scene.add(cairn.Body(name="box", material="stone", shape=cairn.shape.box(size=(0.4, 0.4, 0.2)), position=(0, 0, 0.1), copies=boxes))
        return scene.simulate(threads=2)

    makers = [block, solid] * 3
    alone = {maker: maker() for maker in makers}
    for simulation in alone.values():
        simulation.run()

    def end(maker: Callable[[], cairn.Simulation]) -> np.ndarray:
        simulation = maker()
        simulation.run()
        return simulation.contacts

    with ThreadPoolExecutor(len(makers)) as pool:
        ends = list(pool.map(end, makers))
    for maker, contacts in zip(makers, ends):
        assert np.array_equal(contacts, alone[maker].contacts)


def test_a_simulation_belongs_to_one_thread_at_a_time() -> None:
    simulation, refused = block(), []

    def read(running: cairn.Simulation) -> bool:
        # Between steps anyone may read, in a step nobody: the lock of the interpreter is free then.
        assert running.time > 0
        return not refused and running.step_number < 100_000

    def watch() -> None:
        while going.is_set() and not refused:
            try:
                simulation.positions  # noqa: B018
            except RuntimeError as error:
                refused.append(str(error))

    going = threading.Event()
    going.set()
    watcher = threading.Thread(target=watch)
    watcher.start()
    simulation.run(1e6, callback=read)
    going.clear()
    watcher.join()
    assert "borrowed" in refused[0]


def test_a_thousand_simulations_leave_no_memory_behind() -> None:
    pages = Path("/proc/self/statm")
    if not pages.exists():
        pytest.skip("this system does not tell its memory in /proc")

    def megabytes() -> float:
        return int(pages.read_text().split()[1]) * resource.getpagesize() / 1e6

    scene = cairn.Scene.from_toml(BLOCK)

    def many(count: int) -> None:
        for _ in range(count):
            simulation = scene.simulate(threads=1)
            simulation.step(2)
            assert len(simulation.contacts) == 2 and simulation.copy().time == simulation.time

    many(100)
    before = megabytes()
    many(1000)
    # 1000 simulations that were kept would take some 60 MB; pages of the allocator may come and go.
    assert megabytes() - before < 3.0


def test_unknown_names_are_told_with_those_that_there_are() -> None:
    simulation = block()
    with pytest.raises(cairn.ControlError, match="press"):
        simulation.set_drive("pres", 1.0)
    with pytest.raises(cairn.ControlError, match="positions"):
        simulation.view("position")
    with pytest.raises(cairn.ControlError):
        simulation.bodies("blok")


def test_a_picture_is_a_png() -> None:
    simulation = block()
    simulation.step(5)
    assert simulation.picture("speed").png.startswith(b"\x89PNG")
    with pytest.raises(cairn.ControlError):
        simulation.picture("temperature")


def test_a_deformable_body_has_fields() -> None:
    scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=1e-3, end=0.1, theta=1.0))
    scene.materials["rubber"] = cairn.Material(density=1000, young=1e7, poisson=0.3)
    scene.add(cairn.contact(friction=0.5))
    scene.add(cairn.Deformable(name="pad", material="rubber", mesh=cairn.mesh.rectangle(size=(1.0, 0.5), cells=(4, 2)), position=(0, 0.25)))
    scene.add(cairn.Body(name="ground", material="rubber", fixed=True, shape=cairn.shape.half_plane(normal=(0, 1))))
    simulation = scene.simulate()
    simulation.run()
    stress = simulation.nodal("pad", "stress")
    assert stress.shape[1:] == (3, 3) and stress[:, 1, 1].min() < 0
    assert simulation.nodal("pad", "displacement").shape == (stress.shape[0], 2)


ENDLESS = """
import os, signal, threading
import cairn
plate = {"material": "steel", "shape": {"kind": "rectangle", "size": [0.2, 1]}, "fixed": ["y", "rotation"]}
scene = cairn.Scene(dimension=2, time=cairn.Time(step=1e-3, end=1), solver=cairn.Solver(max_sweeps=1_000_000_000, method="nlgs"))
scene.materials["steel"] = cairn.Material(density=7800)
scene.add(cairn.contact("any", friction=0.5))
for name, x in (("left", -0.6), ("right", 0.6)):
    scene.bodies.append({"name": name, "position": [x, 0]} | plate)
    scene.drive.append({"bodies": name, "component": "x", "velocity": -x})
scene.bodies.append({"name": "disk", "material": "steel", "shape": {"kind": "disk", "radius": 0.5}})
simulation = scene.simulate(threads=THREADS)
before = simulation.save()
try:
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    simulation.STEP
except KeyboardInterrupt:
    print("interrupted", simulation.step_number, simulation.save() == before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a process")
@pytest.mark.parametrize("step", ["step()", "run()"])
@pytest.mark.parametrize("threads", [0, 1])
def test_ctrl_c_is_heard_between_sweeps(threads: int, step: str) -> None:
    """Two plates press a disk: no impulse keeps both contacts, and the sweeps of the first step do not end."""
    script = ENDLESS.replace("THREADS", str(threads)).replace("STEP", step)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "interrupted 0 True\n", done.stdout + done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of a process")
def test_a_signal_that_somebody_takes_care_of_changes_nothing() -> None:
    undisturbed, disturbed, heard = block(), block(), []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    ended = threading.Event()

    def disturb() -> None:
        while not ended.wait(1e-3):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=disturb)
    try:
        thread.start()
        while not heard or not disturbed.is_over:
            disturbed.step() if not disturbed.is_over else None
    finally:
        ended.set()
        thread.join()
        signal.signal(signal.SIGINT, before)
    undisturbed.run()
    assert np.array_equal(undisturbed.positions, disturbed.positions)


def test_bodies_have_their_arrays_and_numbers() -> None:
    simulation = block()
    simulation.step(3)
    bodies = simulation.bodies
    assert len(bodies) == len(bodies.names) == len(bodies.position) and "plate" in bodies.names
    assert bodies.position.tobytes() == simulation.positions.tobytes()
    assert bodies.rotation.tobytes() == simulation.rotations.tobytes()
    assert bodies.velocity[bodies("plate")][0] == pytest.approx(simulation.velocities[bodies.names.index("plate")])
    assert bodies.spin.shape == simulation.spins.shape
    with pytest.raises(ValueError):
        bodies.position[0] = 1.0
