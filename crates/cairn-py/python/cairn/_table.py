"""What the classes of `keys.py` have in common: named values, checked names, plain data out."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Union

import numpy as np
import numpy.typing as npt

from .errors import SceneProblem, SceneError

#: Two or three numbers, or a list of numbers.
Vector = Union[Sequence[float], npt.NDArray[Any]]


def unknown(owner: str, key: str, known: Sequence[str]) -> SceneError:
    """The error of a name that a table does not have, with the nearest that it has."""
    near = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean `{near[0]}`?" if near else "known: " + ", ".join(known)
    return SceneError(f"{owner} has no key `{key}`: {hint}", [SceneProblem(key, f"{owner} has no key `{key}`", hint, "")])


class _Named(type):
    """Refuses names that the table does not have, before Python does, with a suggestion."""

    def __call__(cls, *args: Any, **given: Any) -> Any:
        known: tuple[str, ...] = getattr(cls, "_keys", ())
        names = [key + "_" if key in ("from",) else key for key in known]
        for key in given:
            if known and key not in names:
                raise unknown(cls.__name__, key, names)
        return super().__call__(*args, **given)


class Table(metaclass=_Named):
    """A table of a scene file. Attributes are its keys; `None` stands for a key that is not given."""

    _keys: ClassVar[tuple[str, ...]] = ()
    _told: ClassVar[tuple[str, str] | None] = None

    def __init__(self, values: Mapping[str, Any]) -> None:
        for key in self._keys:
            object.__setattr__(self, _safe(key), values.get(key))

    def __setattr__(self, name: str, value: Any) -> None:
        if name.rstrip("_") not in self._keys and name not in self._keys:
            raise unknown(type(self).__name__, name, [_safe(key) for key in self._keys])
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise unknown(type(self).__name__, name, [_safe(key) for key in self._keys])

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data, as a scene file has it; keys that are not given are left out."""
        told = {self._told[0]: self._told[1]} if self._told else {}
        values = {key: getattr(self, _safe(key)) for key in self._keys}
        return told | {key: plain(value) for key, value in values.items() if value is not None}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Table) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = ", ".join(f"{_safe(key)}={getattr(self, _safe(key))!r}" for key in self._keys if getattr(self, _safe(key)) is not None)
        return f"{type(self).__name__}({given})"


def _safe(key: str) -> str:
    return key + "_" if key in ("from",) else key


def plain(value: Any) -> Any:
    """Tables, arrays and sequences as dictionaries, lists, numbers and text."""
    if isinstance(value, Table):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
