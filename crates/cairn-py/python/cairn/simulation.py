"""Simulations: a scene in motion."""

from __future__ import annotations

import json
import math
import os
import sys
import time as _time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import vector
from ._cairn import Document
from ._cairn import Simulation as _Simulation
from .errors import ControlError
from .friction import Problem
from .notebook import shown

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture; notebooks show it."""

    #: The file contents.
    png: bytes

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the PNG."""
        with open(path, "wb") as file:
            file.write(self.png)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        return f"<cairn.Picture, {len(self.png) / 1e3:.0f} kB>"


class Bodies:
    """The rigid bodies of a simulation. Called with a name it gives the numbers of a group, an assembly, or one body.

    Arrays are snapshots, as those of the simulation are.
    """

    def __init__(self, core: _Simulation) -> None:
        self._core = core

    def __call__(self, name: str) -> npt.NDArray[np.intp]:
        return np.asarray(self._core.bodies(name), dtype=np.intp)

    @property
    def names(self) -> list[str]:
        """Their names, in the order of the arrays: `group#number`, or the group's name if it has one body."""
        return self._core.body_names()[: len(self)]

    @property
    def position(self) -> Array:
        """Centres of mass, (bodies, dimension) [m]."""
        return self._core.view("positions")

    @property
    def rotation(self) -> Array:
        """Orientations as quaternions w, x, y, z, body to world axes, (bodies, 4)."""
        return self._core.view("rotations")

    @property
    def velocity(self) -> Array:
        """Velocities of the centres of mass, (bodies, dimension) [m/s]."""
        return self._core.view("velocities")

    @property
    def spin(self) -> Array:
        """Angular velocities, world axes; one number each in 2D [rad/s]."""
        return self._core.view("spins")

    def __len__(self) -> int:
        return len(self._core.view("positions"))

    def __repr__(self) -> str:
        return f"<cairn.Bodies, {len(self)} rigid ones>"


class Simulation:
    """A simulation in the plane or in space.

    Arrays that are read are snapshots: they do not change when the simulation goes on, and cannot be written to.
    Bits do not depend on the number of threads, and are those of the program `cairn`.
    """

    def __init__(self, core: _Simulation, threads: int = 0) -> None:
        self._core = core
        self._threads = threads
        # Bodies do not come or go; counting them takes their names.
        self._count: int | None = None

    @classmethod
    def _start(cls, document: Document, threads: int) -> tuple[Simulation, list[tuple[str, str, str, str]]]:
        core, suspicious = _Simulation.start(document, threads)
        return cls(core, threads), suspicious

    # Going on

    def step(self, count: int = 1) -> None:
        """Does `count` steps. After an error the simulation is as it was before the step that failed."""
        if count < 0:
            raise ValueError(f"{count} steps cannot be done")
        self._core.step(count)

    def steps(self, count: int) -> Iterator[dict[str, Any]]:
        """Does steps one by one, giving the report of each."""
        for _ in range(count):
            self._core.step(1)
            yield self.report

    def run(
        self,
        until: float | None = None,
        *,
        callback: Callable[[Simulation], Any] | None = None,
        every: int = 1,
        progress: bool = False,
    ) -> bool:
        """Goes on until a time [s], or to the end of the scene. After every `every` steps `callback(simulation)` is asked; it may
        change the simulation, and ends the run by giving `False`. True if the end was reached."""
        if every < 1:
            raise ValueError(f"a callback every {every} steps cannot be had")
        if until is not None and not math.isfinite(until):
            raise ValueError(f"a run cannot end at {until} s")
        bar = _Bar(self, until) if progress and sys.stderr.isatty() else None
        asked: Callable[[], Any] | None = None
        if callback is not None or bar is not None:

            def asked() -> Any:
                if bar is not None:
                    bar.show()
                return None if callback is None else callback(self)

        try:
            return self._core.run(until, asked, every)
        finally:
            if bar is not None:
                bar.end()

    @property
    def time(self) -> float:
        """Time [s]."""
        return self._core.time

    @property
    def step_number(self) -> int:
        """Steps done."""
        return self._core.step_number

    @property
    def is_over(self) -> bool:
        """Is there nothing left to do: all stages done, or the end reached?"""
        return self._core.is_over

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._core.dimension

    # Reading

    @property
    def names(self) -> list[str]:
        """Names of all bodies, rigid ones first: `group#number`, or the group's name if it has one body."""
        return self._core.body_names()

    @property
    def bodies(self) -> Bodies:
        """The rigid bodies: `bodies.position` and so on for all of them; `bodies("wall")` gives the numbers of a group, an
        assembly, or one body, to index arrays with."""
        return Bodies(self._core)

    def view(self, name: str) -> npt.NDArray[Any]:
        """An array by name: see `cairn.quantities()`."""
        return self._core.view(name)

    @property
    def positions(self) -> Array:
        """Centres of mass of rigid bodies, (bodies, dimension) [m]."""
        return self._core.view("positions")

    @property
    def rotations(self) -> Array:
        """Orientations of rigid bodies as quaternions w, x, y, z, body to world axes, (bodies, 4)."""
        return self._core.view("rotations")

    @property
    def velocities(self) -> Array:
        """Velocities of the centres of mass of rigid bodies, (bodies, dimension) [m/s]."""
        return self._core.view("velocities")

    @property
    def spins(self) -> Array:
        """Angular velocities of rigid bodies, world axes; one number each in 2D [rad/s]."""
        return self._core.view("spins")

    @property
    def contacts(self) -> npt.NDArray[np.void]:
        """The contacts of the last step as a structured array: candidate, antagonist, point [m], normal, gap [m], area [m²],
        force [N] on the candidate, velocity [m/s] relative to the antagonist, status (0 open, 1 stick, 2 slip)."""
        view = self._core.view
        bodies = view("contact bodies")
        table = np.empty(len(bodies), dtype=_row_of_contact(self.dimension))
        table["candidate"], table["antagonist"] = bodies[:, 0], bodies[:, 1]
        for field, name in (
            ("point", "contact points"),
            ("normal", "contact normals"),
            ("gap", "contact gaps"),
            ("area", "contact areas"),
            ("force", "contact forces"),
            ("velocity", "contact velocities"),
            ("status", "contact status"),
        ):
            table[field] = view(name)
        table.flags.writeable = False
        return table

    def nodal(self, body: str | int, name: str) -> Array:
        """An array of the nodes of a deformable body, in the order of its mesh: displacement, position, velocity, stress,
        contact pressure: see `cairn.quantities()`; or a number that its materials keep, such as `damage`."""
        if isinstance(body, str):
            found = self._core.bodies(body)
            if len(found) != 1:
                raise ControlError(f"{body!r} are {len(found)} bodies: name one of them, such as {body}#0")
            body = found[0]
        return self._core.nodal(self._numbers(body)[0], name)

    @property
    def scalars(self) -> dict[str, float]:
        """Energies, counts, quality and resultants: the columns of the history."""
        return {name: value for name, _, value in self._core.scalars()}

    @property
    def units(self) -> dict[str, str]:
        """Units of `scalars`."""
        return {name: unit for name, unit, _ in self._core.scalars()}

    @property
    def summary(self) -> dict[str, Any]:
        """The last word on the run: steps, residuals, penetration, contract, energies."""
        said: dict[str, Any] = json.loads(self._core.summary())
        return said

    @property
    def report(self) -> dict[str, Any]:
        """What the last step says of itself: converged, residual, sweeps, worst contact …"""
        return self._core.report()

    def resultant(self, bodies: str | Sequence[int] | npt.NDArray[np.intp]) -> Array:
        """Sum of the contact forces on bodies, mean over the last step [N]."""
        return np.asarray(self._core.resultant(self._numbers(bodies)))

    def problem(self) -> Problem:
        """The contact problem of the last step, with the impulses and velocities that were found: a `cairn.friction.Problem`."""
        said = self._core.problem()
        columns = [said.pop(name) for name in ("starts", "rows", "values")]
        return Problem.of_columns(*columns, q=said["q"], mu=said["friction"], r=said["r"], u=said["u"])

    # Changing

    def set_drive(self, name: str, velocity: float) -> None:
        """Drives of this name have this velocity from now on [m/s, rad/s]."""
        self._core.set_drive(name, float(velocity))

    def set_load(self, name: str, factor: float) -> None:
        """Loads of this name have this factor (of a pressure: this value [Pa]) from now on."""
        self._core.set_load(name, float(factor))

    def set_friction(self, one: str, other: str, friction: float) -> None:
        """Contacts between two materials have this coefficient from now on."""
        self._core.set_friction(one, other, float(friction))

    def set_velocity(self, body: str | int, velocity: Sequence[float] | Array, spin: float | Sequence[float] | Array = 0.0) -> None:
        """Gives a rigid body another velocity [m/s] and spin [rad/s] (in 3D one number is a spin about z), but for components
        that are held or driven."""
        d = self.dimension
        v = np.zeros(3)
        v[:d] = vector("velocity", velocity, d)
        turning = vector("spin", np.atleast_1d(spin), 3 if d == 3 and np.ndim(spin) else 1)
        w = np.zeros(3)
        w[3 - len(turning) :] = turning
        for number in self._numbers(body):
            self._core.set_velocity(number, list(v), list(w))

    def _numbers(self, bodies: str | int | Sequence[int] | npt.NDArray[np.intp]) -> list[int]:
        """Numbers of bodies that there are."""
        if isinstance(bodies, str):
            return self._core.bodies(bodies)
        numbers = [int(b) for b in np.atleast_1d(bodies)]
        if self._count is None:
            self._count = len(self.names)
        for number in numbers:
            if not 0 <= number < self._count:
                raise ControlError(f"there are {self._count} bodies, from 0: {number} is none of them")
        return numbers

    # Keeping

    def save(self, path: str | os.PathLike[str] | None = None) -> bytes:
        """Everything that is needed to go on, as bytes, and in a file if a path is given."""
        data = self._core.save()
        if path is not None:
            with open(path, "wb") as file:
                file.write(data)
        return data

    @classmethod
    def restore(cls, source: bytes | str | os.PathLike[str], threads: int = 0) -> Simulation:
        """A simulation that was saved, with the same future bit for bit."""
        if not isinstance(source, bytes):
            with open(source, "rb") as file:
                source = file.read()
        return cls(_Simulation.restore(source, threads), threads)

    def copy(self) -> Simulation:
        """Another simulation in the same state, with the same future."""
        return Simulation(self._core.copy(), self._threads)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (self.save(), self._threads))

    # Looking

    def picture(self, colour: str | None = None, *, width: int = 1200, dark: bool = False) -> Picture:
        """A picture of the state; `colour`: what colours the bodies (speed, force, von_mises, …)."""
        return Picture(self._core.picture(colour, width, dark, False))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        said = self.summary
        words = {
            "time [s]": self.time,
            "steps": self.step_number,
            "bodies": len(self.names),
            "contacts": said["contacts"],
            "kinetic energy [J]": float(said["kinetic_energy"]),
            "worst penetration [m]": float(said["worst_penetration"]),
        }
        notes = [] if said["contract"]["kept"] else ["the contract on accuracy was not kept: see summary"]
        return shown(self.picture().png, words, notes)

    def __repr__(self) -> str:
        return f"<cairn.Simulation in {self.dimension}D, t = {self.time:.6g} s, step {self.step_number}>"


@cache
def _row_of_contact(dimension: int) -> np.dtype[np.void]:
    vector, number, whole = (np.float64, (dimension,)), np.float64, np.uint32
    return np.dtype(
        [
            ("candidate", whole),
            ("antagonist", whole),
            ("point", *vector),
            ("normal", *vector),
            ("gap", number),
            ("area", number),
            ("force", *vector),
            ("velocity", *vector),
            ("status", whole),
        ]
    )


def _restored(data: bytes, threads: int) -> Simulation:
    return Simulation.restore(data, threads)


class _Bar:
    """One line on the terminal: how far the run is."""

    def __init__(self, simulation: Simulation, until: float | None) -> None:
        self.simulation, self.until, self.last = simulation, until, 0.0

    def show(self) -> None:
        now = _time.monotonic()
        if now - self.last < 0.2:
            return
        self.last = now
        end = f" of {self.until:.6g}" if self.until is not None else ""
        sys.stderr.write(f"\rt = {self.simulation.time:.6g}{end} s, step {self.simulation.step_number}  ")
        sys.stderr.flush()

    def end(self) -> None:
        sys.stderr.write("\n")
