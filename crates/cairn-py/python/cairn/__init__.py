"""Cairn: non-smooth contact dynamics of rigid and deformable bodies, in 2D and 3D.

    import cairn

    scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=2e-3, end=1.0))
    scene.materials["stone"] = cairn.Material(density=2500)
    scene.add(cairn.contact("stone", friction=0.7))
    scene.add(cairn.generate.arch(name="arch", material="stone", voussoirs=21, radius=1.0, thickness=0.12))
    simulation = scene.run()
    simulation.picture("force").write("arch.png")
"""

from . import convert, friction, generate, joint, mesh, results, shape
from ._cairn import VERSION as __version__
from ._cairn import quantities as _quantities
from ._cairn import schema as _schema
from .errors import (
    CairnError,
    CairnWarning,
    ControlError,
    FrictionError,
    ResultsError,
    SceneError,
    SceneProblem,
    StepFailed,
)
from .friction import Problem, solve
from .keys import (
    Accuracy,
    Body,
    Bond,
    Cell,
    CellStrain,
    Contact,
    Deformable,
    Drive,
    Fix,
    Gravity,
    Ignore,
    Load,
    Material,
    Measure,
    Membrane,
    Newton,
    Output,
    Ramp,
    Rotation,
    Sine,
    Solver,
    Stage,
    Time,
)
from .notebook import Viewer
from .results import Results
from .results import open as open
from .scene import Scene, contact
from .simulation import Bodies, Picture, Simulation
from .study import limit, study


def quantities() -> dict[str, tuple[str, str]]:
    """Arrays that a simulation has, by name: unit and meaning."""
    return {name: (unit, meaning) for group in _quantities() for name, unit, meaning in group}


def schema() -> str:
    """The keys of a scene file as a JSON schema."""
    return _schema()


__all__ = [
    "Accuracy",
    "Body",
    "Bodies",
    "Bond",
    "Cell",
    "CellStrain",
    "CairnError",
    "CairnWarning",
    "Contact",
    "ControlError",
    "Deformable",
    "Drive",
    "Fix",
    "FrictionError",
    "Gravity",
    "Ignore",
    "Load",
    "Material",
    "Measure",
    "Membrane",
    "Newton",
    "Output",
    "Picture",
    "Problem",
    "Ramp",
    "Results",
    "ResultsError",
    "Rotation",
    "Scene",
    "SceneError",
    "SceneProblem",
    "Simulation",
    "Sine",
    "Solver",
    "Stage",
    "StepFailed",
    "Time",
    "Viewer",
    "__version__",
    "contact",
    "convert",
    "friction",
    "generate",
    "joint",
    "limit",
    "mesh",
    "open",
    "quantities",
    "results",
    "schema",
    "shape",
    "solve",
    "study",
]
