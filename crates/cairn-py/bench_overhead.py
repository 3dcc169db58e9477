"""Measures what stepping from Python costs beside the program: processor time of a step, on one thread.

    python crates/cairn-py/bench_overhead.py                   processor time
    python crates/cairn-py/bench_overhead.py --instructions    instructions, counted by valgrind: exact on a busy machine, too

Each way runs a scene to a short and to a long end; the difference is the cost of the steps between, without start and end. The program
writes nothing in between: outputs are set to the end. Ways take turns, and the least time of several rounds counts for each end.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

# The threads of this process, which simulations use unless they have their own.
os.environ["RAYON_NUM_THREADS"] = "1"

import cairn  # noqa: E402
import numpy as np  # noqa: E402

ROUNDS = 5


def arch() -> cairn.Scene:
    """21 voussoirs: steps as short as they come."""
    scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=2e-3, end=1.0))
    scene.materials["stone"] = cairn.Material(density=2500)
    scene.add(cairn.contact("stone", friction=0.7))
    scene.add(cairn.generate.arch(name="arch", material="stone", voussoirs=21, radius=1.0, thickness=0.15))
    return scene


def grains() -> cairn.Scene:
    """400 disks that fall into a box."""
    scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=1e-3, end=1.0))
    scene.materials["sand"] = cairn.Material(density=2600)
    scene.add(cairn.contact("sand", friction=0.4))
    at = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), -1).reshape(-1, 2) * 2.1e-2 + 1.05e-2
    at += np.random.default_rng(1).uniform(-3e-4, 3e-4, at.shape)
    scene.add_balls(at, 1e-2, material="sand", name="grains")
    for name, place, normal in (("floor", 0.0, (0, 1)), ("left", 0.0, (1, 0)), ("right", 0.42, (-1, 0))):
        plane = cairn.shape.half_plane(normal=normal)
        scene.add(cairn.Body(name=name, material="sand", fixed=True, shape=plane, position=(place, 0)))
    return scene


def ended(scene: cairn.Scene, end: float) -> cairn.Scene:
    scene = scene.copy()
    scene.time.end = end
    scene.output = cairn.Output(interval=end, history_interval=end, checkpoint_interval=end)
    return scene


def by_program(scene: cairn.Scene) -> float:
    """Processor time of `cairn run` [s]."""
    with tempfile.TemporaryDirectory() as folder:
        scene.write(Path(folder) / "scene.toml")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "cairn", "run", "scene.toml", "--quiet", "--threads", "1", "-o", "out"]
        subprocess.run(command, cwd=folder, check=False, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_python(go: Callable[[cairn.Simulation], object], threads: int = 0) -> Callable[[cairn.Scene], float]:
    """Processor time of a way to run a scene here [s]."""

    def measured(scene: cairn.Scene) -> float:
        simulation = scene.simulate(threads)
        start = time.process_time()
        go(simulation)
        return time.process_time() - start

    return measured


def one_by_one(simulation: cairn.Simulation) -> None:
    while not simulation.is_over:
        simulation.step()


def look(simulation: cairn.Simulation) -> None:
    simulation.positions, simulation.velocities  # noqa: B018


def nothing(_: cairn.Simulation) -> None:
    """A callback that does nothing."""


WAYS: dict[str, Callable[[cairn.Scene], float]] = {
    "the program": by_program,
    "run()": in_python(lambda simulation: simulation.run()),
    "run(), a thread of its own (threads=1)": in_python(lambda simulation: simulation.run(), threads=1),
    "step() one by one": in_python(one_by_one),
    "run() with an empty callback": in_python(lambda simulation: simulation.run(callback=nothing)),
    "run(), callback reads positions and velocities": in_python(lambda simulation: simulation.run(callback=look)),
}


SCENES: dict[str, tuple[Callable[[], cairn.Scene], float, float]] = {"arch": (arch, 0.2, 2.2), "grains": (grains, 0.06, 0.12)}


def counted(scene: str, way: str, end: float) -> float:
    """Instructions of one way to one end."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    with tempfile.TemporaryDirectory() as folder:
        if way == "the program":
            ended(SCENES[scene][0](), end).write(Path(folder) / "scene.toml")
            command = [sys.executable, "-m", "cairn", "run", "scene.toml", "--quiet", "--threads", "1", "-o", "out"]
        else:
            command = [sys.executable, os.path.abspath(__file__), "--go", scene, way, str(end)]
        # The start of the interpreter, which the difference of two ends leaves out, must be the same each time.
        same = os.environ | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
        said = subprocess.run(valgrind + command, cwd=folder, check=False, capture_output=True, text=True, env=same).stderr
    found = re.search(r"Collected : (\d+)", said)
    if not found:
        raise SystemExit(f"valgrind counted nothing: {said}")
    return float(found[1])


def timed(scene: str) -> dict[tuple[str, float], float]:
    """The least processor time of each way to each end [s]."""
    least: dict[tuple[str, float], float] = {}
    for _ in range(ROUNDS):
        for name, way in WAYS.items():
            for end in SCENES[scene][1:]:
                spent = way(ended(SCENES[scene][0](), end))
                least[name, end] = min(spent, least.get((name, end), spent))
    return least


def main() -> None:
    if sys.argv[1:2] == ["--go"]:
        WAYS[sys.argv[3]](ended(SCENES[sys.argv[2]][0](), float(sys.argv[4])))
        return
    counts = sys.argv[1:2] == ["--instructions"]
    for name, (made, short, long) in SCENES.items():
        steps = round((long - short) / made().time.step)
        cost = {(way, end): counted(name, way, end) for way in WAYS for end in (short, long)} if counts else timed(name)
        each = {way: (cost[way, long] - cost[way, short]) / steps for way in WAYS}
        print(f"\n{name}, {len(made().simulate().names)} bodies, {steps} steps")
        for way, spent in each.items():
            told = f"{spent:11.0f} instructions" if counts else f"{1e6 * spent:9.1f} µs"
            print(f"  {way:48s} {told} a step  {100 * (spent / each['the program'] - 1):+6.2f} %", flush=True)


if __name__ == "__main__":
    main()
