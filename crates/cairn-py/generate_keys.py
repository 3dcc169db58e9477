"""Writes python/cairn/keys.py: the tables of a scene file as Python classes, from the program's own list of keys.

Run it after keys of the scene file have changed:

    python crates/cairn-py/generate_keys.py

It asks the installed module for `cairn.schema()`, or takes the JSON that `cairn schema` prints from standard input (`-`).
A test compares the file with what this gives, so that the two cannot drift apart.
"""

from __future__ import annotations

import json
import keyword
import sys
import textwrap
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent / "python" / "cairn" / "keys.py"

# Words of the schema that have a name of their own in Python.
NAMES = {
    "stage[]": "Stage",
    "stage[].gravity": "StageGravity",
    "stage[].contact[]": "Contact",
    "stage[].solver": "StageSolver",
    "stage[].velocity[]": "StageVelocity",
    "time": "Time",
    "materials.*": "Material",
    "contact[]": "Contact",
    "ignore[]": "Ignore",
    "bond[]": "Bond",
    "bodies[]": "Body",
    "deformable[]": "Deformable",
    "fix[]": "Fix",
    "drive[]": "Drive",
    "load[]": "Load",
    "membrane[]": "Membrane",
    "cell.strain[]": "CellStrain",
    "measure[]": "Measure",
}
# Tables with variants, and the module that collects them.
FAMILIES = {
    "generate[]": "generate",
    "bodies[].shape": "shape",
    "deformable[].mesh": "mesh",
    "contact[].joint": "joint",
    # The first place where joints are met.
    "stage[].contact[].joint": "joint",
}


def camel(word: str) -> str:
    """`static_friction` as a class name."""
    return "".join(part.capitalize() for part in word.replace("-", "_").split("_"))


class Writer:
    """Collects classes; equal tables become one class."""

    def __init__(self) -> None:
        self.classes: list[str] = []
        self.known: dict[str, str] = {}
        self.used: set[str] = set()
        self.families: dict[str, list[tuple[str, str]]] = {}

    def name_of(self, path: str, suffix: str = "") -> str:
        """A free name for the table at a path of the schema."""
        if path in NAMES and not suffix:
            wanted = NAMES[path]
        else:
            key = path.split(".")[-1].split("|")[0].removesuffix("[]")
            wanted = camel(key) + camel(suffix)
        if wanted in self.used:
            parent = ".".join(path.split(".")[:-1])
            base = NAMES.get(parent) or camel(parent.split(".")[-1].split("<")[-1].rstrip(">[]") or "Scene")
            wanted = base + wanted
        number = 2
        name = wanted
        while name in self.used:
            name, number = f"{wanted}{number}", number + 1
        self.used.add(name)
        return name

    def kind_of(self, schema: dict[str, Any], path: str) -> str:
        """The Python type of a value; classes that it needs are written first."""
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return "Literal[" + ", ".join(repr(word) for word in schema["enum"]) + "]"
        if "oneOf" in schema:
            names = [self.variant(variant, path) for variant in schema["oneOf"]]
            return " | ".join([*names, "Mapping[str, Any]"])
        if "anyOf" in schema:
            kinds = [self.kind_of(one, f"{path}|{i}" if i else path) for i, one in enumerate(schema["anyOf"])]
            return " | ".join(dict.fromkeys(kinds))
        match schema.get("type"):
            case "object":
                if isinstance(schema.get("additionalProperties"), dict):
                    return f"Mapping[str, {self.kind_of(schema['additionalProperties'], path + '.*')}]"
                return f"{self.table(schema, path)} | Mapping[str, Any]"
            case "array":
                inner = self.kind_of(schema["items"], path + "[]")
                return "Vector" if inner == "float" else f"Sequence[{inner}]"
            case "number":
                return "float"
            case "integer":
                return "int"
            case "boolean":
                return "bool"
            case _:
                return "str"

    def variant(self, schema: dict[str, Any], path: str) -> str:
        """The class of one variant of a table, told apart by a constant."""
        key, word = next((k, p["const"]) for k, p in schema["properties"].items() if "const" in p)
        name = self.table(schema, path, (key, word))
        family = FAMILIES.get(path)
        if family and (word, name) not in self.families.setdefault(family, []):
            self.families[family].append((word, name))
        return name

    def table(self, schema: dict[str, Any], path: str, told: tuple[str, str] | None = None) -> str:
        """The class of a table."""
        identity = json.dumps([schema, told], sort_keys=True)
        if identity in self.known:
            return self.known[identity]
        name = self.name_of(path, told[1] if told else "")
        self.known[identity] = name
        inside = path if told is None else f"{path}<{told[1]}>"
        required = set(schema.get("required", []))
        fields = [
            (key, self.kind_of(value, f"{inside}.{key}"), value.get("description", ""), key in required)
            for key, value in schema["properties"].items()
            if told is None or key != told[0]
        ]
        fields.sort(key=lambda field: not field[3])
        self.classes.append(class_text(name, fields, told, schema.get("description", "")))
        return name


def safe(key: str) -> str:
    """A key as a Python name."""
    return key + "_" if keyword.iskeyword(key) else key


def class_text(
    name: str, fields: list[tuple[str, str, str, bool]], told: tuple[str, str] | None, description: str
) -> str:
    """The source of one class."""
    lines = [f"class {name}(Table):"]
    title = description or (f"`{told[0]} = \"{told[1]}\"`." if told else "A table of the scene file.")
    lines.append('    """' + wrapped(title[0].upper() + title[1:].rstrip(".") + ".", 4))
    if fields:
        lines.append("")
        for key, _, what, _ in fields:
            lines.append("    " + wrapped(f"{safe(key)}: {what}", 8).rstrip())
    lines.append('    """')
    lines.append("")
    keys = ", ".join(repr(key) for key, *_ in fields)
    lines.append(f"    _keys: ClassVar[tuple[str, ...]] = ({keys}{',' if fields else ''})")
    if told:
        lines.append(f"    _told: ClassVar[tuple[str, str] | None] = ({told[0]!r}, {told[1]!r})")
    lines.append("")
    if fields:
        lines += ["    def __init__(", "        self,", "        *,"]
        for key, kind, _, required in fields:
            lines.append(f"        {safe(key)}: {kind}" + ("," if required else " | None = None,"))
        lines += ["    ) -> None:"]
        given = ", ".join(f"{key!r}: {safe(key)}" for key, *_ in fields)
        lines += [f"        super().__init__({{{given}}})"]
    else:
        lines += ["    def __init__(self) -> None:", "        super().__init__({})"]
    for key, kind, _, required in fields:
        lines.append(f"    {safe(key)}: {kind}" + ("" if required else " | None"))
    return "\n".join(lines)


def wrapped(text: str, indent: int) -> str:
    """Text in lines of at most 110 characters."""
    text = " ".join(text.replace("\\", "\\\\").split())
    lines = textwrap.wrap(text, 110 - indent) or [""]
    return ("\n" + " " * indent).join(lines)


def source(schema: dict[str, Any]) -> str:
    """The whole module."""
    writer = Writer()
    for key, value in schema["properties"].items():
        writer.kind_of(value, key)
    head = '''"""The tables of a scene file as classes, key by key. Written by `generate_keys.py` from `cairn schema`: do not edit.

Every argument is a keyword and named as in a scene file; units stand in brackets. What is not given is not written, and takes
the default that is named. Plain dictionaries do as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from ._table import Table, Vector
'''
    families = "\n".join(
        f"{family.upper()}: dict[str, type[Table]] = {{"
        + ", ".join(f"{word!r}: {name}" for word, name in members)
        + "}"
        for family, members in sorted(writer.families.items())
    )
    top = "\n".join(f"    {key!r}: {value.get('description', '')!r}," for key, value in schema["properties"].items())
    return (
        head
        + "\n\n"
        + "\n\n\n".join(writer.classes)
        + "\n\n\n"
        + families
        + "\n\n# The keys at the top of a scene and what they mean.\nTOP: dict[str, str] = {\n"
        + top
        + "\n}\n"
    )


def modules(schema: dict[str, Any]) -> dict[str, str]:
    """The modules that collect the variants of a table under short names, by file name."""
    writer = Writer()
    for key, value in schema["properties"].items():
        writer.kind_of(value, key)
    what = {"generate": "Assemblies of bodies", "shape": "Shapes", "mesh": "Meshes", "joint": "Joints of contacts"}
    texts = {}
    for family, members in writer.families.items():
        lines = [f'"""{what[family]}, by the words of scene files. Written by `generate_keys.py`: do not edit."""', ""]
        lines += [f"from .keys import {name} as {safe(word)}" for word, name in members]
        lines += ["", "__all__ = [" + ", ".join(repr(safe(word)) for word, _ in members) + "]", ""]
        texts[f"{family}.py"] = "\n".join(lines)
    return texts


def main() -> None:
    """Writes the files."""
    if "-" in sys.argv[1:]:
        schema = json.load(sys.stdin)
    else:
        import cairn

        schema = json.loads(cairn.schema())
    TARGET.write_text(source(schema), encoding="utf-8")
    for name, text in modules(schema).items():
        TARGET.with_name(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
