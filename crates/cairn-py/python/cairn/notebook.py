"""What notebooks show: a picture with a few words, and the interactive page in a frame."""

from __future__ import annotations

import base64
import html
import os
import tempfile
from pathlib import Path
from typing import Any

from ._program import options, program
from .errors import CairnError


class Viewer:
    """The interactive page of a run or of the start of a scene, as one file that needs no server and no network."""

    def __init__(self, page: str, height: int = 600) -> None:
        #: The page.
        self.html = page
        #: Height of the frame in a notebook [pixels].
        self.height = height

    @classmethod
    def of(cls, path: str | os.PathLike[str], *, height: int, error: type[CairnError] = CairnError, **choice: Any) -> Viewer:
        """The page of a results folder, or of a scene file; `choice`: the options of `cairn view --export`."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.html"
            program("view", os.fspath(path), *options({"export": file} | choice), error=error)
            return cls(file.read_text(encoding="utf-8"), height)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the page, to be opened in a browser or sent to somebody."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        contents = html.escape(self.html)
        return f'<iframe srcdoc="{contents}" style="width: 100%; height: {self.height}px; border: 1px solid #ccc"></iframe>'

    def __repr__(self) -> str:
        return f"<cairn.Viewer, {len(self.html) / 1e6:.1f} MB>"


def shown(png: bytes | None, words: dict[str, Any], notes: list[str] | None = None) -> dict[str, Any]:
    """A picture with a line of words and numbers below it, and notes, as the types of data that notebooks choose from."""
    parts = []
    if png is not None:
        parts.append(f'<img src="data:image/png;base64,{base64.b64encode(png).decode()}" style="max-width: 100%">')
    line = " · ".join(f"{html.escape(name)} <b>{html.escape(_text(value))}</b>" for name, value in words.items())
    parts.append(f"<div>{line}</div>")
    parts += [f"<div>⚠ {html.escape(note)}</div>" for note in notes or []]
    bundle: dict[str, Any] = {"text/html": "\n".join(parts)}
    if png is not None:
        bundle["image/png"] = png
    return bundle


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
