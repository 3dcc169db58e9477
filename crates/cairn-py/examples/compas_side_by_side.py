"""An arch, a dome and a wall of `compas_dem`, solved by Cairn and, where it is installed, by LMGC90 (`compas_lmgc90`).

The forces in a stable assembly of rigid blocks are not unique: solvers that come to rest on different ways share the load among joints
in different ways, and both are right. What equilibrium determines are the resultants of whole sections: all supports of an arch, all joints
between two rings of a dome or two courses of a wall carry the weight above them. These are compared, and the time of a step.
"""

from __future__ import annotations

import importlib.util
import math
import time
from collections.abc import Callable
from typing import Any

STEP, DURATION, FRICTION, DENSITY, GRAVITY = 1e-3, 0.3, 0.7, 2500.0, 9.81

#: A block model, and the level of each block by its node: 0 for supports, then upwards.
Built = tuple[Any, dict[int, int]]


def arch() -> Built:
    """20 voussoirs; the first and the last are supports."""
    from compas_dem.models import BlockModel
    from compas_dem.templates import ArchTemplate

    model = BlockModel.from_template(ArchTemplate(rise=3, span=10, thickness=0.5, depth=0.5, n=20))
    return built(model, lambda number: 0 if number in (0, 19) else 1)


def dome(rings: int = 5, meridians: int = 12) -> Built:
    """Rings of blocks that fit face to face: joints run through from ring to ring, since staggered ones with plane faces would overlap."""
    from compas.datastructures import Mesh
    from compas_dem.models import BlockModel

    faces = [[0, 1, 2, 3], [4, 7, 6, 5], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]
    model = BlockModel()
    for ring in range(rings):
        for k in range(meridians):
            corners = []
            for up in (ring, ring + 1):
                height = math.radians(80.0 * up / rings)
                for radius, side in ((2.0, k), (2.0, k + 1), (2.3, k + 1), (2.3, k)):
                    around = 2 * math.pi * side / meridians
                    out = radius * math.cos(height)
                    corners.append([out * math.cos(around), out * math.sin(around), radius * math.sin(height)])
            model.add_block_from_mesh(Mesh.from_vertices_and_faces(corners, faces))
    return built(model, lambda number: number // meridians)


def wall(courses: int = 6, bricks: int = 4) -> Built:
    """Courses of bricks, shifted by half a brick."""
    from compas.geometry import Box, Frame
    from compas_dem.models import BlockModel

    length, depth, height = 0.4, 0.2, 0.2
    boxes = []
    for course in range(courses):
        for k in range(bricks):
            place = [(k + 0.5 * (course % 2)) * length, 0.0, (course + 0.5) * height]
            boxes.append(Box(length, depth, height, Frame(place, [1, 0, 0], [0, 1, 0])))
    return built(BlockModel.from_boxes(boxes), lambda number: number // bricks)


def built(model: Any, level: Callable[[int], int]) -> Built:
    """The model with contacts, supports and a material; levels by the number of the block."""
    from compas_dem.material import Stone

    model.compute_contacts(tolerance=1e-3)
    stone = Stone(density=DENSITY)
    model.add_material(stone)
    model.assign_material(stone, elements=list(model.elements()))
    levels = {}
    for number, block in enumerate(model.elements()):
        levels[block.graphnode] = level(number)
        block.is_support = level(number) == 0
    return model, levels


def problem_of(model: Any) -> Any:
    """Weight and friction."""
    from compas_dem.problem import Problem

    problem = Problem(model)
    problem.set_contact_model("MohrCoulomb", mu=FRICTION)
    return problem


def by_cairn(model: Any) -> Any:
    """Results of `compas_dem`, by Cairn."""
    from cairn.compas import cairn_solve

    return cairn_solve(problem_of(model), model, dt=STEP, duration=DURATION, until="time", threads=1)


def by_lmgc90(model: Any) -> Any:
    """Results of `compas_dem`, by LMGC90."""
    from compas_dem.problem.solvers import Solver

    problem = problem_of(model)
    problem.set_solver(Solver.LMGC90(dt=STEP, n_steps=round(DURATION / STEP), theta=1.0))
    return problem.solve()


def weights(model: Any, levels: dict[int, int]) -> list[float]:
    """The weight above each level [N]: what the section below it carries."""
    blocks = [(levels[block.graphnode], DENSITY * GRAVITY * block.modelgeometry.volume()) for block in model.elements()]
    return [sum(weight for at, weight in blocks if at >= level) for level in range(1, max(levels.values()) + 1)]


def sections(results: Any, levels: dict[int, int]) -> list[list[float]]:
    """The force on all that is above each level [N], from the contacts with what is below."""
    carried = [[0.0, 0.0, 0.0] for _ in range(max(levels.values()))]
    for first, second in results.edges():
        low, high = sorted((levels[first], levels[second]))
        # Forces are those on the first block of an edge.
        sign = 1.0 if levels[first] > levels[second] else -1.0
        for level in range(low, high):
            for axis, force in enumerate(results.resultant_global((first, second))):
                carried[level][axis] += sign * force
    return carried


def main() -> None:
    has_lmgc90 = importlib.util.find_spec("compas_lmgc90") is not None
    for name, build in (("arch", arch), ("dome", dome), ("wall", wall)):
        answers = {}
        for solver, solve in (("Cairn", by_cairn), ("LMGC90", by_lmgc90)) if has_lmgc90 else (("Cairn", by_cairn),):
            model, levels = build()
            start = time.process_time()
            results = solve(model)
            answers[solver] = 1e3 * (time.process_time() - start) / results.metadata["n_steps"]
            expected, found = weights(model, levels), sections(results, levels)
            worst = max(abs(force[2] / weight - 1) for force, weight in zip(found, expected))
            aside = max(math.hypot(force[0], force[1]) / weight for force, weight in zip(found, expected))
            print(f"{name}, {solver}: {found[0][2]:.0f} N on the supports, {expected[0]:.0f} N above them;", end=" ")
            print(f"over {len(found)} sections {worst:.1e} off, {aside:.1e} aside; {answers[solver]:.2f} ms a step")
        if has_lmgc90:
            print(f"{name}: Cairn takes {answers['Cairn'] / answers['LMGC90']:.2f} of the time of LMGC90")


if __name__ == "__main__":
    try:
        import compas_dem
    except ImportError:
        print("compas_dem is not installed: pip install compas_dem compas_lmgc90")
    else:
        print("compas_dem", compas_dem.__version__)
        main()
