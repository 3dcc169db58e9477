"""Results of a finished, stopped or running simulation, read from its folder without simulating anything.

The history needs NumPy alone; as a table it is a pandas DataFrame where pandas is installed. States are read from the VTKHDF
files, which needs h5py.
"""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._program import options, program
from ._vtkhdf import Temporal
from .errors import ResultsError
from .friction import Problem
from .notebook import Viewer, shown
from .simulation import Picture

Array = npt.NDArray[np.float64]

# Lines, ink and grid of the program's plots.
_SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D")
_INK, _GRID = "#1A1A1A", "#E2E2E2"


def open(folder: str | os.PathLike[str]) -> Results:
    """The results in a folder."""
    return Results(folder)


class State:
    """A stored state of a run; nothing is read before it is asked for."""

    def __init__(self, results: Results, number: int) -> None:
        self._results = results
        #: Number of the state among those stored.
        self.number = number
        #: Time [s].
        self.time = float(results.times[number])

    @property
    def positions(self) -> Array:
        """Centres of mass of rigid bodies, (bodies, dimension) [m]."""
        return self._motion("position")

    @property
    def rotations(self) -> Array:
        """Orientations of rigid bodies: cosine and sine in 2D, quaternions w, x, y, z in 3D."""
        return self._motion("rotation")

    @property
    def velocities(self) -> Array:
        """Velocities of the centres of mass of rigid bodies, (bodies, dimension) [m/s]."""
        return self._motion("velocity")

    @property
    def spins(self) -> Array:
        """Angular velocities of rigid bodies, (bodies, 1 or 3) [rad/s]."""
        return self._motion("spin")

    @property
    def contacts(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays of contacts by the names of the file (force [N], gap [m], status, bodies …), and their points [m]."""
        file = self._results._file("contacts")
        return {"points": file.points(self.number)} | file.data(self.number, "PointData")

    @property
    def nodes(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays of the nodes of deformable bodies, one body after another: displacement [m], stress [Pa] …, and where they are [m]."""
        file = self._results._file("meshes")
        return {"points": file.points(self.number)} | file.data(self.number, "PointData")

    def contact_table(self) -> Any:
        """The contacts as a pandas DataFrame: a column for each number, vectors as `force x`, `force y`, `force z`."""
        import pandas

        columns: dict[str, npt.NDArray[Any]] = {}
        for name, values in self.contacts.items():
            name = {"points": "point", "bodies": "body"}.get(name, name)
            if values.ndim == 1:
                columns[name] = values
            else:
                parts = ("candidate", "antagonist") if name == "body" else tuple(f"{name} {axis}" for axis in "xyz")
                columns |= {part: values[:, k] for k, part in enumerate(parts)}
        return pandas.DataFrame(columns)

    def to_pyvista(self, what: str = "bodies") -> Any:
        """What ParaView shows of the state as a data set of PyVista: the surfaces of `bodies`, the points of `contacts`, or the
        `meshes` of deformable bodies."""
        return self._results._file(what).to_pyvista(self.number)

    def to_meshio(self) -> Any:
        """The meshes of deformable bodies as one `meshio.Mesh`, as they are in this state, with the data of their nodes and cells."""
        return self._results._file("meshes").to_meshio(self.number)

    def picture(self, **look: Any) -> Picture:
        """The state, drawn: see `Results.picture`."""
        return self._results.picture(at=self.time, **look)

    def _motion(self, name: str) -> Array:
        return np.asarray(self._results._motions(name)[self.number], dtype=np.float64)

    def __repr__(self) -> str:
        return f"<cairn.results.State {self.number} of {len(self._results)}, t = {self.time:.6g} s>"


class Results:
    """A results folder; nothing is read before it is asked for."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        try:
            self.record: dict[str, Any] = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        except OSError as error:
            raise ResultsError(f"{self.folder} is no results folder: {error}") from error
        except ValueError as error:
            raise ResultsError(f"{self.folder / 'run.json'} cannot be read: {error}") from error
        self._files: dict[str, Temporal] = {}

    @property
    def title(self) -> str:
        """Title of the scene."""
        return str(self.record.get("title", ""))

    @property
    def status(self) -> str:
        """`finished`, `stopped` or `running`."""
        return str(self.record.get("status", "running"))

    @property
    def summary(self) -> dict[str, Any]:
        """The last word on the run; empty while it goes on."""
        return dict(self.record.get("summary") or {})

    @property
    def scene(self) -> Any:
        """The scene that was run, as a `cairn.Scene`."""
        from .scene import Scene

        return Scene.read(self.folder / "scene" / str(self.record["scene"]))

    @cached_property
    def _columns(self) -> tuple[dict[str, Array], dict[str, str]]:
        path = self.folder / "history.csv"
        try:
            with path.open(newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
        except OSError as error:
            raise ResultsError(f"{path} cannot be read: {error}") from error
        if not rows:
            raise ResultsError(f"{path} is empty")
        # The last line of a run that goes on may be half written.
        numbers = np.array([row for row in rows[1:] if len(row) == len(rows[0])], dtype=np.float64)
        numbers = numbers.reshape(-1, len(rows[0]))
        columns, units = {}, {}
        for k, head in enumerate(rows[0]):
            name, _, unit = head.partition(" [")
            columns[name], units[name] = numbers[:, k], unit.rstrip("]") or "-"
        return columns, units

    @property
    def columns(self) -> dict[str, Array]:
        """The history: an array for each column, `time` among them."""
        return self._columns[0]

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns."""
        return self._columns[1]

    @property
    def history(self) -> Any:
        """The history as a pandas DataFrame with the time as its index and the units in `attrs["units"]`; without pandas the
        dictionary of `columns`."""
        try:
            import pandas
        except ImportError:
            return self.columns
        table = pandas.DataFrame({name: values for name, values in self.columns.items() if name != "time"})
        table.index = pandas.Index(self.columns["time"], name="time")
        table.attrs["units"] = self.units
        return table

    def plot(self, *columns: str, axes: Any = None) -> Any:
        """Columns of the history over time, by matplotlib in the colours of the program; one unit at a time. Gives the axes."""
        import matplotlib.pyplot as plt

        unknown = [name for name in columns if name not in self.columns]
        if not columns or unknown:
            raise ResultsError(f"the history has no column {', '.join(unknown)}: it has {', '.join(self.columns)}")
        units = {self.units.get(name, "") for name in columns}
        if len(units) > 1:
            raise ResultsError(f"columns of one plot have one unit, not {', '.join(sorted(units))}")
        with plt.rc_context({"axes.prop_cycle": plt.cycler(color=_SERIES), "axes.edgecolor": _INK, "text.color": _INK}):
            axes = plt.subplots()[1] if axes is None else axes
            for name in columns:
                axes.plot(self.columns["time"], self.columns[name], label=name, linewidth=1.4)
        axes.grid(color=_GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        unit = units.pop()
        axes.set_xlabel("time [s]")
        axes.set_ylabel((columns[0] if len(columns) == 1 else "") + (f" [{unit}]" if unit not in ("", "-") else ""))
        if len(columns) > 1:
            axes.legend(frameon=False)
        if self.title:
            axes.set_title(self.title)
        return axes

    # States

    def _file(self, what: str) -> Temporal:
        if what not in self._files:
            path = self.folder / f"{what}.vtkhdf"
            if not path.exists():
                there = ", ".join(sorted(file.stem for file in self.folder.glob("*.vtkhdf")))
                raise ResultsError(f"{self.folder} has no {what}; there are: {there or 'no states'}")
            self._files[what] = Temporal(path)
        return self._files[what]

    def _motions(self, name: str) -> Any:
        return self._file("bodies").file[f"Cairn/{name}"]

    @property
    def times(self) -> Array:
        """Times of the stored states [s]."""
        return self._file("bodies").times

    @property
    def positions(self) -> Any:
        """Centres of mass of rigid bodies at all stored times, (times, bodies, dimension) [m]: an array of h5py, read where it is
        indexed, as in `positions[:, 5]`."""
        return self._motions("position")

    @property
    def velocities(self) -> Any:
        """Their velocities, likewise [m/s]."""
        return self._motions("velocity")

    def __len__(self) -> int:
        return len(self.times)

    def __getitem__(self, number: int) -> State:
        count = len(self)
        if not -count <= number < count:
            raise IndexError(f"there are {count} states, not one with number {number}")
        return State(self, number % count)

    def __iter__(self) -> Iterator[State]:
        return (self[k] for k in range(len(self)))

    def at(self, time: float) -> State:
        """The stored state nearest to a time [s]."""
        return self[int(np.argmin(np.abs(self.times - time)))]

    def problem(self, step: int) -> Problem:
        """The contact problem of a step, from 1, as a `cairn.friction.Problem`; the run is repeated from the state before it."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "problem.hdf5"
            program("dump-problem", str(self.folder), *options({"step": step, "output": file}), error=ResultsError)
            return Problem.read(file)

    # Looking

    def picture(self, **look: Any) -> Picture:
        """A picture of the last state, or of another with `at` [s]; `look`: the options of `cairn picture` (`field="force"`,
        `thrust=True`, `width=800`, `camera=(30, 20)`, …). Without any: the picture that the run has left."""
        left = self.folder / "picture.png"
        if not look and left.exists():
            return Picture(left.read_bytes())
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "picture.png"
            program("picture", str(self.folder), *options({"output": file} | look), error=ResultsError)
            return Picture(file.read_bytes())

    def film(self, path: str | os.PathLike[str], **look: Any) -> Path:
        """Writes a film of the run: .gif, .mp4 (with ffmpeg), or a folder of PNG files; `look`: the options of `cairn film`."""
        program("film", str(self.folder), *options({"output": os.fspath(path), "quiet": True} | look), error=ResultsError)
        return Path(path)

    def view(self, *, times: str | int | None = None, fields: list[str] | None = None, height: int = 600) -> Viewer:
        """The run as an interactive page in one file, which notebooks show; `times`: a number of states, or "A:B" or "A:B:STEP" in
        seconds, `fields`: what it carries besides motions (velocity, contacts, nodal fields); all by default."""
        return Viewer.of(self.folder, height=height, error=ResultsError, times=times, fields=fields)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        said = self.summary
        words = {"run": self.title or str(self.folder), "status": self.status}
        words |= {name: said[key] for name, key in (("steps", "steps"), ("time [s]", "time"), ("contacts", "contacts")) if key in said}
        kept = said.get("contract", {}).get("kept", True)
        notes = [] if kept else ["the contract on accuracy was not kept: see summary"]
        left = self.folder / "picture.png"
        return shown(left.read_bytes() if left.exists() else None, words, notes)

    def __repr__(self) -> str:
        return f"<cairn.Results {self.title!r}, {self.status}, {self.folder}>"

