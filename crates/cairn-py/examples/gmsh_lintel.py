"""A stone lintel, meshed by Gmsh with physical groups, on two piers: it bends under a traction on its top.

On smooth piers it is a beam. With friction the piers hold its lower side back: it becomes a flat arch, and the tension is less by a third.
"""

from __future__ import annotations

import cairn
from cairn import convert

LENGTH, WIDTH, HEIGHT, BEARING = 1.6, 0.2, 0.25, 0.1
DENSITY, TRACTION = 2300.0, 50e3
WEIGHT = DENSITY * 9.81 * HEIGHT + TRACTION  # on the area of the lintel [Pa]


def write_mesh(path: str) -> None:
    """Quadratic tetrahedra; the volume and the top are physical groups."""
    import gmsh

    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    gmsh.model.add("lintel")
    box = gmsh.model.occ.addBox(0, 0, 0, LENGTH, WIDTH, HEIGHT)
    gmsh.model.occ.synchronize()
    near = 1e-3
    top = gmsh.model.getEntitiesInBoundingBox(-near, -near, HEIGHT - near, LENGTH + near, WIDTH + near, HEIGHT + near, 2)
    gmsh.model.addPhysicalGroup(3, [box], name="stone")
    gmsh.model.addPhysicalGroup(2, [tag for _, tag in top], name="top")
    gmsh.option.setNumber("Mesh.MeshSizeMax", 0.1)
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)
    gmsh.write(path)
    gmsh.finalize()


def lintel(friction: float, mesh: str) -> cairn.Scene:
    """The lintel and its piers; the traction grows for 0.1 s."""
    scene = cairn.Scene(dimension=3, title="Lintel", gravity=(0, 0, -9.81), time=cairn.Time(step=2e-3, end=0.2, theta=1.0))
    scene.materials["stone"] = cairn.Material(density=DENSITY, young=15e9, poisson=0.2)
    scene.add(cairn.contact("stone", friction=friction))
    # A file; the module `gmsh` with a mesh in it does as well.
    convert.add_gmsh(scene, mesh, name="lintel", material="stone")
    for name, place in (("left", BEARING / 2), ("right", LENGTH - BEARING / 2)):
        pier = cairn.shape.box(size=(BEARING, WIDTH, 0.5))
        scene.add(cairn.Body(name=name, material="stone", shape=pier, position=(place, WIDTH / 2, -0.25), fixed=True))
    ramp = {"ramp": {"from": 0.0, "to": 1.0, "start": 0.0, "end": 0.1}}
    scene.add(cairn.Load(bodies="lintel", boundary="top", traction=(0, 0, -TRACTION), history=ramp))
    return scene


def main() -> None:
    write_mesh("lintel.msh")
    span = LENGTH - 2 * BEARING
    print(f"beam that rests on the edges of the piers: tension {WEIGHT * span**2 / 8 * 6 / HEIGHT**2 / 1e6:.3f} MPa")
    for friction in (0.0, 0.6):
        simulation = lintel(friction, "lintel.msh").run()
        settled = simulation.nodal("lintel", "displacement")
        places = simulation.nodal("lintel", "position") - settled
        middle = abs(places[:, 0] - LENGTH / 2) < LENGTH / 8
        tension = simulation.nodal("lintel", "stress")[middle, 0, 0].max()
        carried = sum(-simulation.resultant(pier)[2] for pier in ("left", "right"))
        print(f"μ = {friction}: tension {tension / 1e6:.3f} MPa, the middle sinks by {-1e6 * settled[middle, 2].min():.1f} µm;", end=" ")
        print(f"{len(places)} nodes; the piers carry {carried / (WEIGHT * WIDTH * LENGTH):.4f} of the load")
    simulation.picture("von_mises").write("lintel.png")


if __name__ == "__main__":
    try:
        import gmsh
    except (ImportError, OSError) as error:  # its library needs some of a desktop's
        print(f"gmsh cannot be had: {error}")
    else:
        print("gmsh", gmsh.__version__)
        main()
