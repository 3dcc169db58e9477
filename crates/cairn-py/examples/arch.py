"""A voussoir arch in ten lines, with its picture."""

import cairn

scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=2e-3, end=1.0))
scene.materials["stone"] = cairn.Material(density=2500)
scene.add(cairn.contact("stone", friction=0.7))
scene.add(cairn.generate.arch(name="arch", material="stone", voussoirs=21, radius=1.0, thickness=0.12))
simulation = scene.run()
simulation.picture("force").write("arch.png")
print(simulation, "stands" if simulation.scalars["kinetic energy"] < 1e-6 else "falls")
print("thrust on the supports [N]:", simulation.resultant("arch.supports"))
