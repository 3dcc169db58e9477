"""Blocks from an OBJ file and from trimesh: a trilithon whose stones come from a drawing, and a boulder of facets that rolls on top of them."""

from __future__ import annotations

import cairn
from cairn import convert

# Three boxes as a drawing program writes them, one group each: corners below and above, then six faces.
STONES = {"left": (-1.0, -0.4, 0.0, 1.8), "right": (0.4, 1.0, 0.0, 1.8), "top": (-1.2, 1.2, 1.8, 2.3)}


def drawing() -> str:
    """The text of the OBJ file."""
    lines: list[str] = []
    for number, (name, (west, east, low, high)) in enumerate(STONES.items()):
        lines.append(f"g {name}")
        lines += [f"v {x} {y} {z}" for z in (low, high) for x, y in ((west, -0.3), (east, -0.3), (east, 0.3), (west, 0.3))]
        for face in ((4, 3, 2, 1), (5, 6, 7, 8), (1, 2, 6, 5), (2, 3, 7, 6), (3, 4, 8, 7), (4, 1, 5, 8)):
            lines.append("f " + " ".join(str(8 * number + corner) for corner in face))
    return "\n".join(lines) + "\n"


def main() -> None:
    scene = cairn.Scene(dimension=3, title="Trilithon", gravity=(0, 0, -9.81), time=cairn.Time(step=2e-3, end=1.0))
    scene.materials["stone"] = cairn.Material(density=2400)
    scene.add(cairn.contact(friction=0.6))
    scene.add(cairn.Body(name="ground", material="stone", fixed=True, shape=cairn.shape.half_space(normal=(0, 0, 1))))
    scene.attach("trilithon.obj", drawing())
    scene.add(cairn.generate.blocks(name="stones", material="stone", file="trilithon.obj"))
    try:
        import trimesh
    except ImportError:
        print("trimesh is not installed: the boulder is left out")
    else:
        boulder = trimesh.creation.icosphere(subdivisions=1, radius=0.3)
        boulder.apply_translation((0.0, 0.0, 2.6))
        convert.add_trimesh(scene, boulder, name="boulder", material="stone", velocity=(1.5, 0, 0))
    simulation = scene.run()
    weight = 2400 * 9.81 * sum((east - west) * 0.6 * (high - low) for west, east, low, high in STONES.values())
    moved = simulation.positions[simulation.bodies("stones")]
    print(simulation.names)
    print(f"the stones weigh {weight / 1e3:.1f} kN; the ground carries {-simulation.resultant('ground')[2] / 1e3:.1f} kN")
    print("centres of the stones [m]:", moved.round(3).tolist())
    simulation.picture().write("trilithon.png")


if __name__ == "__main__":
    main()
