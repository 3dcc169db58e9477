"""Writes docs/python-api.md: what the module offers, from its sources: signatures with their types, and what is said about them.

Run it after something public has changed:

    python crates/cairn-py/generate_api.py

Nothing is imported, so that it needs neither the compiled part nor any other package. A test compares the file with what this gives.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE / "python" / "cairn"
TARGET = HERE.parent.parent / "docs" / "python-api.md"

# Files in the order of the page: what they are imported as, and the names that are shown (None: all that are public).
PAGE: list[tuple[str, str, list[str] | None]] = [
    ("scene", "cairn", None),
    ("simulation", "cairn", ["Simulation", "Bodies", "Picture"]),
    ("results", "cairn.results", None),
    ("notebook", "cairn", ["Viewer"]),
    ("friction", "cairn.friction", None),
    ("study", "cairn", None),
    ("__init__", "cairn", None),
    ("convert", "cairn.convert", None),
    ("compas", "cairn.compas", None),
    ("errors", "cairn", ["SceneProblem", "CairnError", "SceneError", "StepFailed", "ControlError", "ResultsError", "FrictionError", "CairnWarning"]),
]
# Classes that users make themselves; others are given to them.
MADE = {"Scene", "Results"}
FAMILIES = ("generate", "shape", "mesh", "joint")

HEAD = """# The Python module: reference

Written by `crates/cairn-py/generate_api.py` from the sources: do not edit. [python.md](python.md) is the guide,
[scene-reference.md](scene-reference.md) says what each key of a scene means.
"""


def main() -> None:
    """Writes the page."""
    TARGET.write_text(page(), encoding="utf-8")


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for file, module, names in PAGE:
        tree = parsed(file)
        parts.append(f"\n## `{module}`: {title(tree)}\n")
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and is_shown(node.name, names):
                parts.append(function(node) if isinstance(node, ast.FunctionDef) else class_(node, file))
    parts.append(tables())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def parsed(file: str) -> ast.Module:
    """A source file as a tree."""
    return ast.parse((SOURCE / f"{file}.py").read_text(encoding="utf-8"))


def title(tree: ast.Module) -> str:
    """The first line of what a file says of itself, as a heading."""
    first = (ast.get_docstring(tree) or "").split("\n")[0].rstrip(".").removeprefix("Cairn: ")
    return first[:1].lower() + first[1:]


def is_shown(name: str, names: list[str] | None) -> bool:
    return name in names if names is not None else not name.startswith("_")


def said(node: ast.FunctionDef | ast.ClassDef, indent: str = "") -> str:
    """The description of a node."""
    text = inspect.cleandoc(ast.get_docstring(node, clean=False) or "")
    return "\n".join(indent + line if line else "" for line in text.split("\n"))


def signature(node: ast.FunctionDef, bound: bool) -> str:
    """Name, arguments with types and defaults, and what comes back."""
    arguments = ast.unparse(node.args)
    if bound:
        arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    result = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    return f"{node.name}({arguments}){result}"


def function(node: ast.FunctionDef) -> str:
    return f"\n### `{node.name}`\n\n```python\n{signature(node, bound=False)}\n```\n\n{said(node)}\n"


def class_(node: ast.ClassDef, file: str) -> str:
    """A class with its attributes, properties and methods."""
    lines = [f"\n### `{node.name}`\n"]
    start = next((item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"), None)
    if start is not None and node.name in MADE:
        lines.append(f"```python\n{node.name}{signature(start, bound=True).removeprefix('__init__').removesuffix(' -> None')}\n```\n")
    lines.append(said(node) + "\n")
    for name, kind, text in attributes(node, file):
        lines.append(f"* **`{name}`**{f': `{kind}`' if kind else ''}. {text}")
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
            marks = {ast.unparse(mark) for mark in item.decorator_list}
            is_read = bool(marks & {"property", "cached_property"})
            heading = f"{item.name}: {ast.unparse(item.returns) if item.returns else 'Any'}" if is_read else signature(item, bound=True)
            lines.append(f"* **`{heading}`**{' (class method)' if 'classmethod' in marks else ''}  \n{said(item, '  ')}")
    return "\n".join(lines) + "\n"


def attributes(node: ast.ClassDef, file: str) -> Iterator[tuple[str, str, str]]:
    """Attributes that have a `#:` comment above them: name, type, comment."""
    text = (SOURCE / f"{file}.py").read_text(encoding="utf-8").split("\n")
    for item in ast.walk(node):
        if not isinstance(item, (ast.AnnAssign, ast.Assign)):
            continue
        target = item.target if isinstance(item, ast.AnnAssign) else item.targets[0]
        name = target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""
        comment: list[str] = []
        line = item.lineno - 2
        while text[line].strip().startswith("#:"):
            comment.insert(0, text[line].strip()[2:].strip())
            line -= 1
        if comment:
            yield name, ast.unparse(item.annotation) if isinstance(item, ast.AnnAssign) else "", " ".join(comment)


def tables() -> str:
    """The classes of scene keys: what they have to be given, and what they take."""
    tree = parsed("keys")
    known = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    shown = set(re.findall(r"\bkeys import \(([^)]*)\)", (SOURCE / "__init__.py").read_text(encoding="utf-8"))[0].replace(",", " ").split())
    lines = ["\n## Tables of a scene\n", "Arguments are keywords, named and explained as in [scene-reference.md](scene-reference.md); `help(cairn.Material)` says the same."]
    lines += ["Those in bold have to be given.\n", "| class | stands for | arguments |", "| --- | --- | --- |"]
    lines += [row(f"cairn.{name}", known[name]) for name in known if name in shown]
    for family in FAMILIES:
        for node in parsed(family).body:
            if isinstance(node, ast.ImportFrom):
                lines += [row(f"cairn.{family}.{alias.asname}", known[alias.name]) for alias in node.names]
    return "\n".join(lines)


def row(name: str, node: ast.ClassDef) -> str:
    start = next(item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__")
    arguments = [
        f"**{argument.arg}**" if default is None else argument.arg for argument, default in zip(start.args.kwonlyargs, start.args.kw_defaults)
    ]
    what = said(node).split("\n")[0].rstrip(".").replace("|", "\\|")
    return f"| `{name}` | {what} | {', '.join(arguments)} |"


if __name__ == "__main__":
    main()
