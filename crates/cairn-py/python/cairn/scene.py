"""Scenes: the data of a scene file as Python objects, key by key."""

from __future__ import annotations

import copy as _copy
import os
import shutil
import tempfile
import warnings as _warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import keys
from ._arrays import numbers
from ._cairn import Document
from ._program import BROKEN_CONTRACT, options, program
from ._table import Table, plain, unknown
from .errors import CairnWarning, SceneProblem, ResultsError, SceneError, problems_of
from .notebook import Viewer, shown
from .simulation import Simulation

if TYPE_CHECKING:
    from .results import Results

Array = npt.NDArray[np.float64]
Item = TypeVar("Item", bound="Table | dict[str, Any]")

#: Lists of tables, in the order of a file; bodies of all three kinds are numbered in the order in which they are added.
_LISTS = (
    "stage",
    "contact",
    "ignore",
    "bond",
    "bodies",
    "deformable",
    "generate",
    "fix",
    "drive",
    "load",
    "membrane",
    "measure",
)
_BODIES = ("bodies", "deformable", "generate")
_LIST_OF: dict[Any, str] = {
    keys.Stage: "stage",
    keys.Contact: "contact",
    keys.Ignore: "ignore",
    keys.Bond: "bond",
    keys.Body: "bodies",
    keys.Deformable: "deformable",
    keys.Fix: "fix",
    keys.Drive: "drive",
    keys.Load: "load",
    keys.Membrane: "membrane",
    keys.Measure: "measure",
} | {kind: "generate" for kind in keys.GENERATE.values()}


class Scene:
    """A scene: attributes are the keys of a scene file (`cairn schema`, docs/scene-reference.md).

    Lists (`contact`, `bodies`, `deformable`, `generate`, `drive`, `load`, …) are Python lists of tables, `materials` is a
    dictionary; `add` puts a table where it belongs. Nothing is checked before `check`, `simulate` or `run`.

        scene = cairn.Scene(dimension=2, gravity=(0, -9.81), time=cairn.Time(step=2e-3, end=1.0))
        scene.materials["stone"] = cairn.Material(density=2500)
        scene.add(cairn.contact("stone", friction=0.7))
    """

    def __init__(self, dimension: int = 2, **given: Any) -> None:
        self._values: dict[str, Any] = {"dimension": dimension, "materials": {}} | {key: [] for key in _LISTS}
        self._order: list[Any] = []
        self._files: dict[str, bytes] = {}
        self._balls: list[tuple[str, Array, Array]] = []
        self._folder = ""
        for key, value in given.items():
            setattr(self, key, value)

    # Keys

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        if key not in keys.TOP:
            raise unknown("a scene", key, list(keys.TOP))
        return self._values.get(key)

    def __setattr__(self, key: str, value: Any) -> None:
        if key.startswith("_"):
            object.__setattr__(self, key, value)
            return
        if key not in keys.TOP:
            raise unknown("a scene", key, list(keys.TOP))
        # A vector is short for its acceleration.
        if key == "gravity" and not isinstance(value, (Table, Mapping)) and value is not None:
            value = keys.Gravity(acceleration=value)
        if key in _LISTS:
            value = list(value)
        self._values[key] = value

    def add(self, item: Item) -> Item:
        """Adds a table to the list where it belongs: a contact, a body, an assembly, a drive, a load …; gives it back."""
        if isinstance(item, Table):
            key = _LIST_OF.get(type(item))
        else:
            key = "generate" if item.get("kind") in keys.GENERATE else None
        if key is None:
            raise unknown("a scene", type(item).__name__, [kind.__name__ for kind in _LIST_OF])
        self._values[key].append(item)
        if key in _BODIES:
            self._order.append(item)
        return item

    def add_balls(
        self, at: npt.ArrayLike, radii: npt.ArrayLike, *, material: str, name: str, **more: Any
    ) -> keys.Body:
        """Disks (2D) or spheres (3D) from arrays: positions (n, 2) or (n, 3) [m], radii (n,) or one number [m]."""
        places = numbers("positions", at)
        dimension = int(self._values["dimension"])
        if places.ndim != 2 or places.shape[1] != dimension or not len(places):
            raise ValueError(f"positions have the shape {places.shape}: (n, {dimension}) is wanted, n at least 1")
        sizes = numbers("radii", radii)
        if sizes.shape not in ((), (len(places),)):
            raise ValueError(f"radii have the shape {sizes.shape}: one number, or ({len(places)},), is wanted for {len(places)} positions")
        sizes = np.ascontiguousarray(np.broadcast_to(sizes, (len(places),)))
        if (sizes <= 0).any():
            row = int(np.argmax(sizes <= 0))
            raise ValueError(f"the radius of row {row} is {sizes[row]}: it has to be positive")
        file = f"{name}.csv"
        self._balls.append((file, places, sizes))
        return self.add(keys.Body(name=name, material=material, from_=file, **more))

    def attach(self, name: str, contents: bytes | str) -> None:
        """Gives the contents of a file that the scene names: a table (CSV), triangles (OBJ, STL) or a mesh (Gmsh)."""
        self._files[name] = contents.encode() if isinstance(contents, str) else bytes(contents)

    # Text

    @classmethod
    def from_toml(cls, text: str, folder: str | os.PathLike[str] = ".") -> Scene:
        """From the text of a scene file; files that it names are looked for in `folder`."""
        return cls._of(Document.from_toml(text, "scene", os.fspath(folder)), os.fspath(folder))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Scene:
        """From a scene file."""
        path = os.fspath(path)
        return cls._of(Document.read(path), os.path.dirname(path))

    @classmethod
    def _of(cls, document: Document, folder: str) -> Scene:
        tree = document.to_dict()
        scene = cls(dimension=tree.get("dimension", 2))
        scene._folder = folder
        for key, value in tree.items():
            scene._values[key] = value
        # The order of bodies in a text is that of its lines, which the compiled part keeps.
        scene._order = [scene._values[key][number] for key, number in document.order()]
        for name, contents in document.attached():
            scene._files[name] = contents
        return scene

    def document(self) -> Document:
        """The scene as the compiled part takes it."""
        document = Document.from_toml("", "scene", self._folder or ".")
        numbered = {id(item): place for place, item in enumerate(self._order)}
        bodies = [
            (numbered.get(id(item), len(numbered)), key, item) for key in _BODIES for item in self._values.get(key) or []
        ]
        for key in keys.TOP:
            value = self._values.get(key)
            if value is None or key in _BODIES or (key in (*_LISTS, "materials") and not value):
                continue
            document.set(key, plain(value))
        for _, key, item in sorted(bodies, key=lambda entry: entry[0]):
            document.push(key, plain(item))
        for name, contents in self._files.items():
            document.attach(name, contents)
        for name, places, sizes in self._balls:
            document.attach_balls(name, places, sizes)
        return document

    def to_toml(self) -> str:
        """The scene as text: every key as it was given."""
        return self.document().to_toml()

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene file, and next to it the files that were given: `cairn run` takes it from there."""
        self.document().write(os.fspath(path))

    def to_dict(self) -> dict[str, Any]:
        """The scene as plain data."""
        tree: dict[str, Any] = self.document().to_dict()
        return tree

    def copy(self) -> Scene:
        """Another scene with the same keys."""
        return _copy.deepcopy(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self.document() == other.document()

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, name: str) -> Any:
        """The body, assembly, drive, load … of this name."""
        for key in _LISTS:
            for item in self._values.get(key) or []:
                named = item.get("name") if isinstance(item, Mapping) else (getattr(item, "name", None) if "name" in item._keys else None)
                if named == name:
                    return item
        raise KeyError(name)

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self._values[key])} × {key}" for key in _LISTS if self._values.get(key))
        return f"<cairn.Scene in {self._values['dimension']}D: {counts or 'empty'}>"

    # What it is for

    def check(self) -> list[SceneProblem]:
        """What is suspicious about the scene; what is wrong is raised, all at once, as `SceneError`."""
        return problems_of(self.document().check())

    def simulate(self, threads: int = 0) -> Simulation:
        """A simulation at its start. `threads`: a pool of its own with so many; 0: the threads of the process."""
        if threads < 0:
            raise ValueError(f"{threads} threads cannot be had")
        simulation, suspicious = Simulation._start(self.document(), threads)
        for problem in problems_of(suspicious):
            _warnings.warn(str(problem), CairnWarning, stacklevel=2)
        return simulation

    def run(
        self,
        until: float | None = None,
        *,
        callback: Callable[[Simulation], Any] | None = None,
        every: int = 1,
        threads: int = 0,
        progress: bool = True,
    ) -> Simulation:
        """Simulates to the end of the scene, or `until` a time [s]; gives the simulation in its last state."""
        simulation = self.simulate(threads)
        simulation.run(until, callback=callback, every=every, progress=progress)
        return simulation

    def record(self, folder: str | os.PathLike[str], *, overwrite: bool = False, threads: int = 0) -> Results:
        """Runs the scene by the program, with states, history and picture in a results folder; gives the results."""
        from .results import Results

        self.check()
        with self._on_disk() as path:
            more = {"output": os.fspath(folder), "overwrite": overwrite, "threads": threads or None, "quiet": True}
            program("run", path, *options(more), error=ResultsError, allowed=(0, BROKEN_CONTRACT))
        return Results(folder)

    def view(self, *, height: int = 600) -> Viewer:
        """The start of the scene as an interactive page; notebooks show it."""
        self.check()
        with self._on_disk() as path:
            return Viewer.of(path, height=height)

    @contextmanager
    def _on_disk(self) -> Iterator[str]:
        """The scene as a file in a folder of its own, with all files that it names."""
        with tempfile.TemporaryDirectory() as folder:
            place, source = Path(folder), Path(self._folder or ".")
            for name in filter(_is_inside, _texts(self.to_dict())):
                if (source / name).is_file():
                    (place / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source / name, place / name)
            self.write(place / "scene.toml")
            yield str(place / "scene.toml")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        counts = {key: len(self._values[key]) for key in _LISTS if self._values.get(key)}
        try:
            simulation, suspicious = Simulation._start(self.document(), 1)
        except SceneError as error:
            return shown(None, {"scene": "not complete yet"} | counts, [str(problem) for problem in error.problems])
        words = {"bodies": len(simulation.names)} | {key: count for key, count in counts.items() if key not in _BODIES}
        return shown(simulation.picture().png, words, [str(problem) for problem in problems_of(suspicious)])


def _texts(value: Any) -> Iterator[str]:
    """All texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _is_inside(name: str) -> bool:
    """May a text name a file below the folder of the scene?"""
    return 0 < len(name) < 256 and name.isprintable() and not Path(name).is_absolute() and ".." not in Path(name).parts


def contact(
    *between: str, friction: float | Mapping[str, float] | keys.Friction | None = None, **more: Any
) -> keys.Contact:
    """A contact law between two materials, one with itself, or "any" (none named)."""
    names: str | Sequence[str]
    match between:
        case ():
            names = "any"
        case (one,):
            names = one if one == "any" else [one, one]
        case (one, other):
            names = [one, other]
        case _:
            raise ValueError(f"a contact is between two materials, not {len(between)}")
    return keys.Contact(between=names, friction=friction, **more)
