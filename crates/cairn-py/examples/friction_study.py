"""At which friction does an arch stand? A study over μ in processes, and the limit by bisection."""

import cairn


def arch(mu: float) -> dict[str, bool]:
    scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=2e-3, end=0.5))
    scene.materials["stone"] = cairn.Material(density=2500)
    scene.add(cairn.contact("stone", friction=mu))
    scene.add(cairn.generate.arch(name="arch", material="stone", voussoirs=21, radius=1.0, thickness=0.2))
    simulation = scene.run(threads=1, progress=False)
    return {"stands": simulation.scalars["kinetic energy"] < 1e-4}


if __name__ == "__main__":
    print(cairn.study(arch, mu=[0.2, 0.3, 0.4, 0.5], processes=2, progress=False))
    limit = cairn.limit(lambda mu: arch(mu)["stands"], low=0.2, high=0.6, tolerance=5e-3)
    print(f"it stands from μ = {limit:.3f}")
