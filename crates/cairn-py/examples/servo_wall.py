"""Disks from arrays under a lid that is led to a given stress."""

import cairn
import numpy as np

rng = np.random.default_rng(7)
columns, rows, radius = 16, 20, 5e-3
at = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2) * 2.1 * radius
at = at + 1.05 * radius + rng.uniform(-0.05, 0.05, at.shape) * radius
radii = rng.uniform(0.8, 1.0, len(at)) * radius
width, height = columns * 2.1 * radius, rows * 2.1 * radius + radius

scene = cairn.Scene(dimension=2, gravity=(0, 0), time=cairn.Time(step=5e-4, end=0.6))
scene.materials["grain"] = cairn.Material(density=2600)
scene.materials["wall"] = cairn.Material(density=2600)
scene.add(cairn.contact("grain", friction=0.4))
scene.add(cairn.contact("grain", "wall", friction=0.0))
scene.add(cairn.contact("wall", friction=0.0))
scene.add_balls(at, radii, material="grain", name="grains")
for name, place, normal in (("floor", (0, 0), (0, 1)), ("left", (0, 0), (1, 0)), ("right", (width, 0), (-1, 0))):
    scene.add(cairn.Body(name=name, material="wall", fixed=True, position=place, shape=cairn.shape.half_plane(normal=normal)))
lid = cairn.shape.rectangle(size=(0.999 * width, radius))
scene.add(cairn.Body(name="lid", material="wall", shape=lid, position=(width / 2, height + radius), fixed=["x", "rotation"]))
scene.add(cairn.Load(name="press", bodies="lid", force=(0, -1.0), history=0.0))

target = 50e3 * width  # [N per m of depth]
log: list[tuple[float, float, float]] = []


def servo(simulation: cairn.Simulation) -> None:
    """Rigid grains give way at once or not at all: the wall is led by its force, raised step by step to the wanted one."""
    simulation.set_load("press", target * min(1.0, simulation.time / 0.2))
    lid = simulation.positions[simulation.bodies("lid")][0]
    log.append((simulation.time, float(simulation.resultant("lid")[1]) / width, float(lid[1])))


simulation = scene.run(callback=servo, progress=False)
times, stresses, heights = np.array(log).T
print(f"stress on the lid {stresses[-50:].mean() / 1e3:.2f} kPa, wanted {target / width / 1e3:.0f}; it sank by {heights[0] - heights[-1]:.4f} m")
forces = np.linalg.norm(simulation.contacts["force"], axis=1)
said = simulation.summary
print(f"largest contact force {forces.max():.0f} N; {said['unconverged_steps']} of {said['steps']} steps did not converge")
print(f"worst penetration {said['worst_penetration'] / radius:.1e} radii")
