"""Temporal VTKHDF files of a results folder: arrays of one state, as they are and as a data set of PyVista.

A file has parts: points and cells that belong together. States of bodies and meshes share one part and have points of their own;
those of contacts have a part each, since their number changes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import ResultsError

Arrays = dict[str, npt.NDArray[Any]]

_KINDS = ("Vertices", "Lines", "Polygons", "Strips")

#: meshio's names of VTK's cells.
CELLS = {
    3: "line",
    5: "triangle",
    9: "quad",
    10: "tetra",
    12: "hexahedron",
    22: "triangle6",
    23: "quad8",
    24: "tetra10",
    25: "hexahedron20",
}


class Temporal:
    """A file, open for reading."""

    def __init__(self, path: Path) -> None:
        try:
            import h5py
        except ImportError as error:
            raise ResultsError("stored states are read with h5py: pip install h5py") from error
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            raise ResultsError(f"{path} cannot be read: {error}") from error
        self.root = self.file["VTKHDF"]
        self.steps = self.root["Steps"]
        self.times = np.asarray(self.steps["Values"], dtype=np.float64)
        self.is_grid = "Types" in self.root

    def points(self, number: int) -> npt.NDArray[Any]:
        """Points of a state."""
        first = int(self.steps["PointOffsets"][number])
        return np.asarray(self.root["Points"][first : first + self._count(number, "NumberOfPoints")])

    def data(self, number: int, group: str) -> Arrays:
        """`PointData` or `CellData` of a state; arrays that do not change are stored once."""
        if group == "PointData":
            rows = self._count(number, "NumberOfPoints")
        elif self.is_grid:
            rows = self._count(number, "NumberOfCells")
        else:
            rows = sum(self._count(number, f"{kind}/NumberOfCells") for kind in _KINDS)
        offsets = self.steps.get(group + "Offsets", {})
        starts = {name: int(offsets[name][number]) if name in offsets else 0 for name in self.root.get(group, {})}
        return {name: np.asarray(self.root[group][name][start : start + rows]) for name, start in starts.items()}

    def to_pyvista(self, number: int) -> Any:
        """A state as `pyvista.PolyData` or `pyvista.UnstructuredGrid` with its data."""
        import pyvista

        points = self.points(number)
        if self.is_grid:
            cells, types = self._cells(number, 0), np.asarray(self.root["Types"])
            made = pyvista.UnstructuredGrid(_padded(*cells), types, points)
        else:
            kinds = {name: _padded(*self._cells(number, k)) for k, name in enumerate(("verts", "lines", "faces", "strips"))}
            made = pyvista.PolyData(points, **{name: cells for name, cells in kinds.items() if len(cells)})
        for group, target in (("PointData", made.point_data), ("CellData", made.cell_data)):
            for name, values in self.data(number, group).items():
                # PyVista refuses arrays without rows.
                if len(values):
                    target[name] = values
        return made

    def to_meshio(self, number: int) -> Any:
        """The meshes of a state as a `meshio.Mesh`, cells by kind."""
        import meshio

        offsets, connected = self._cells(number, 0)
        types = np.asarray(self.root["Types"])[: len(offsets) - 1]
        chosen = {int(kind): np.flatnonzero(types == kind) for kind in np.unique(types)}
        cells = [
            (CELLS[kind], np.stack([connected[offsets[i] : offsets[i + 1]] for i in members])) for kind, members in chosen.items()
        ]
        of_cells = self.data(number, "CellData").items()
        return meshio.Mesh(
            self.points(number),
            cells,
            point_data=self.data(number, "PointData"),
            cell_data={name: [values[members] for members in chosen.values()] for name, values in of_cells},
        )

    def _part(self, number: int) -> int:
        return int(self.steps["PartOffsets"][number])

    def _count(self, number: int, name: str) -> int:
        return int(self.root[name][self._part(number)])

    def _cells(self, number: int, column: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where the cells of a kind start in the list of their points, and this list."""
        root, part = self.root if self.is_grid else self.root[_KINDS[column]], self._part(number)
        cells, connected = int(root["NumberOfCells"][part]), int(root["NumberOfConnectivityIds"][part])
        # Each part has one more offset than cells.
        first = int(np.ravel(self.steps["CellOffsets"][number])[column]) + part
        start = int(np.ravel(self.steps["ConnectivityIdOffsets"][number])[column])
        return np.asarray(root["Offsets"][first : first + cells + 1]), np.asarray(root["Connectivity"][start : start + connected])


def _padded(offsets: npt.NDArray[np.int64], connectivity: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Cells as VTK's old list: the number of points before the points of each."""
    sizes = np.diff(offsets)
    return np.insert(connectivity, offsets[:-1], sizes) if len(sizes) else np.zeros(0, dtype=np.int64)
