"""What can go wrong, as exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SceneProblem:
    """One thing that is wrong with a scene, or suspicious about it."""

    #: The key, such as `contact[0].friction`.
    path: str
    #: What is wrong.
    message: str
    #: What to do, often a suggestion; may be empty.
    help: str
    #: File, line and column, where there is a text.
    location: str

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        return where + self.message + (f" ({self.help})" if self.help else "")


class CairnError(Exception):
    """Anything that this package reports."""


class SceneError(CairnError, ValueError):
    """A scene that makes no sense; `problems` lists all that is wrong at once."""

    def __init__(self, message: str, problems: list[SceneProblem] | None = None) -> None:
        super().__init__(message)
        self.problems: list[SceneProblem] = problems or []


class StepFailed(CairnError, RuntimeError):
    """A step that failed; the simulation is as it was before it."""

    def __init__(self, message: str, step: int = 0) -> None:
        super().__init__(message)
        self.step = step


class ControlError(CairnError, ValueError):
    """A name that a simulation does not know, or a value that it cannot take."""


class ResultsError(CairnError, OSError):
    """A results folder that cannot be read."""


class FrictionError(CairnError, ValueError):
    """A friction problem whose parts do not fit together, or that has no answer."""


class CairnWarning(UserWarning):
    """Something suspicious about a scene; it runs all the same."""


def problems_of(rows: list[tuple[str, str, str, str]]) -> list[SceneProblem]:
    """Problems as the compiled part gives them."""
    return [SceneProblem(*row) for row in rows]


def scene_error(message: str, rows: list[tuple[str, str, str, str]]) -> SceneError:
    """The exception of a scene that was refused."""
    return SceneError(message, problems_of(rows))


def raised(kind: str, message: str, *more: Any) -> CairnError:
    """An exception of this module by its name: how the compiled part raises."""
    made: CairnError = globals()[kind](message, *more)
    return made
