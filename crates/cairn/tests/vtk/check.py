"""Reads the VTKHDF files of results folders with VTK itself and compares them to what h5py finds in them.

    python check.py FOLDER... [--picture OUT.png]
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

BODY_ARRAYS = {
    "body": 1, "group": 1, "material": 1, "radius": 1, "velocity": 3, "spin": 3,
    "displacement": 3, "speed": 1, "kinetic_energy": 1, "contacts": 1,
}
CONTACT_ARRAYS = {
    "force": 3, "impulse": 3, "normal": 3, "velocity": 3, "gap": 1, "area": 1,
    "normal_force": 1, "tangential_force": 1, "status": 1, "bodies": 2,
}
KINDS = ["Vertices", "Lines", "Polygons", "Strips"]


def open_reader(path):
    """A reader and its times; every error and warning of VTK counts as a failure."""
    reader = vtk.vtkHDFReader()
    assert reader.CanReadFile(str(path)), f"VTK cannot read {path}"
    reader.SetFileName(str(path))
    for event in ("ErrorEvent", "WarningEvent"):
        reader.AddObserver(event, lambda *_: sys.exit(f"VTK complains about {path}"))
    reader.UpdateInformation()
    key = vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()
    return reader, reader.GetOutputInformation(0).Get(key)


def at_time(reader, time):
    reader.UpdateTimeStep(time)
    return reader.GetOutputDataObject(0)


def arrays_of(data, expected):
    found = {}
    for name, width in expected.items():
        array = data.GetArray(name)
        assert array is not None, f"array {name} is missing"
        assert array.GetNumberOfComponents() == width, f"{name} has {array.GetNumberOfComponents()} components"
        found[name] = vtk_to_numpy(array)
    return found


def check_first(data, scalars, vectors):
    """The reader makes these arrays active: they are shown without a click."""
    assert data.GetScalars() is not None and data.GetScalars().GetName() == scalars, "scalars are not active"
    assert data.GetVectors() is not None and data.GetVectors().GetName() == vectors, "vectors are not active"


def check_bodies(path):
    reader, times = open_reader(path)
    with h5py.File(path) as file:
        exact = {name: file["Cairn"][name][...] for name in file["Cairn"]}
        on_points = "body" in file["VTKHDF/PointData"]
    assert np.array_equal(times, exact["time"]), "times differ"
    bodies, dimension = exact["position"].shape[1:]
    first = None
    for k, time in enumerate(times):
        poly = at_time(reader, time)
        on = poly.GetPointData() if on_points else poly.GetCellData()
        data = arrays_of(on, BODY_ARRAYS)
        check_first(on, "speed", "velocity")
        rows = poly.GetNumberOfPoints() if on_points else poly.GetNumberOfCells()
        owner = data["body"]
        assert len(owner) == rows and set(owner) == set(range(bodies)), "not every body is drawn"
        velocity = np.zeros((bodies, 3))
        velocity[:, :dimension] = exact["velocity"][k]
        assert np.allclose(data["velocity"], velocity[owner], rtol=1e-6), "velocities differ"
        shift = np.zeros((bodies, 3))
        shift[:, :dimension] = exact["position"][k] - exact["position"][0]
        assert np.allclose(data["displacement"], shift[owner], rtol=1e-5, atol=1e-6), "displacements differ"
        points = vtk_to_numpy(poly.GetPoints().GetData())
        check_rigid_points(poly, owner, points, exact, k, on_points)
        cells = [poly.GetNumberOfVerts(), poly.GetNumberOfLines(), poly.GetNumberOfPolys(), poly.GetNumberOfStrips()]
        first = first or cells
        assert cells == first and sum(cells) == poly.GetNumberOfCells(), "cells changed"
    print(f"{path}: {len(times)} times, {bodies} bodies, {dict(zip(KINDS, first))}")


def rotations(rows):
    """Rotation matrices of a table of (cos, sin) or quaternions."""
    out = np.zeros((len(rows), 3, 3))
    if rows.shape[1] == 2:
        c, s = rows.T
        out[:, 0, 0], out[:, 0, 1], out[:, 1, 0], out[:, 1, 1], out[:, 2, 2] = c, -s, s, c, 1
        return out
    w, x, y, z = rows.T
    out[:, 0] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1)
    out[:, 1] = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1)
    out[:, 2] = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)
    return out


def check_rigid_points(poly, owner, points, exact, k, on_points):
    """Every point is where the exact motion of its body carries it from the first time."""
    if not on_points:
        of_point = np.full(len(points), -1)
        ids = vtk.vtkIdList()
        for cell in range(poly.GetNumberOfCells()):
            poly.GetCellPoints(cell, ids)
            for i in range(ids.GetNumberOfIds()):
                of_point[ids.GetId(i)] = owner[cell]
        assert (of_point >= 0).all(), "a point belongs to no cell"
        owner = of_point
    centre = np.zeros((exact["position"].shape[1], 3))
    centre[:, : exact["position"].shape[2]] = exact["position"][k]
    local = np.einsum("nji,nj->ni", rotations(exact["rotation"][k])[owner], points - centre[owner])
    reference = check_rigid_points.local.setdefault(id(exact), local)
    assert np.allclose(local, reference, atol=1e-5 * np.abs(points).max()), "points are not carried along"


check_rigid_points.local = {}


def check_contacts(path):
    reader, times = open_reader(path)
    counts = []
    with h5py.File(path) as file:
        root = file["VTKHDF"]
        for k, time in enumerate(times):
            poly = at_time(reader, time)
            start, count = root["Steps/PointOffsets"][k], root["NumberOfPoints"][root["Steps/PartOffsets"][k]]
            counts.append(int(count))
            check_filters(poly)
            cells, vertices = poly.GetNumberOfCells(), poly.GetNumberOfVerts()
            assert poly.GetNumberOfPoints() == cells == vertices == count, "a contact is not one vertex"
            if count == 0:
                continue
            points = vtk_to_numpy(poly.GetPoints().GetData())
            assert np.array_equal(points, root["Points"][start : start + count]), "points differ"
            connectivity = vtk_to_numpy(poly.GetVerts().GetConnectivityArray())
            offsets = vtk_to_numpy(poly.GetVerts().GetOffsetsArray())
            assert np.array_equal(connectivity, np.arange(count)) and np.array_equal(offsets, np.arange(count + 1))
            check_first(poly.GetPointData(), "normal_force", "force")
            for name, values in arrays_of(poly.GetPointData(), CONTACT_ARRAYS).items():
                assert np.array_equal(values, root["PointData"][name][start : start + count]), f"{name} differs"
            forces = arrays_of(poly.GetPointData(), CONTACT_ARRAYS)
            size = np.hypot(forces["normal_force"], forces["tangential_force"])
            assert np.allclose(size, np.linalg.norm(forces["force"], axis=1)), "forces do not add up"
    print(f"{path}: {len(times)} times, contacts {counts}")


def check_meshes(path):
    reader, times = open_reader(path)
    with h5py.File(path) as file:
        root = file["VTKHDF"]
        for k, time in enumerate(times):
            grid = at_time(reader, time)
            nodes = grid.GetNumberOfPoints()
            check_first(grid.GetPointData(), "von_mises", "displacement")
            for name in root["PointData"]:
                values = vtk_to_numpy(grid.GetPointData().GetArray(name))
                assert np.array_equal(values, root["PointData"][name][k * nodes : (k + 1) * nodes]), f"{name} differs"
    print(f"{path}: {len(times)} times, {nodes} nodes")


def check_filters(poly):
    """What users do with contacts also works where there are none."""
    for name in ("vtkGeometryFilter", "vtkCellCenters", "vtkGlyph3D", "vtkCleanPolyData", "vtkThreshold"):
        tool = getattr(vtk, name)()
        tool.SetInputData(poly)
        tool.Update()
    for cell in range(poly.GetNumberOfCells()):
        poly.GetCell(cell)


def picture(folder, out):
    """Bodies coloured by speed, arrows of force, at the last time: what ParaView shows."""
    reader, times = open_reader(folder / "bodies.vtkhdf")
    bodies = vtk.vtkPolyDataMapper()
    bodies.SetInputData(at_time(reader, times[-1]))
    bodies.SetScalarRange(0, 1.5)
    reader, times = open_reader(folder / "contacts.vtkhdf")
    contacts = at_time(reader, times[-1])
    glyph = vtk.vtkGlyph3D()
    arrow = vtk.vtkArrowSource()
    glyph.SetSourceConnection(arrow.GetOutputPort())
    glyph.SetInputData(contacts)
    glyph.SetVectorModeToUseVector()
    glyph.SetScaleModeToScaleByVector()
    glyph.SetScaleFactor(0.01)
    arrows = vtk.vtkPolyDataMapper()
    arrows.SetInputConnection(glyph.GetOutputPort())
    arrows.ScalarVisibilityOff()
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    for mapper in (bodies, arrows):
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        if mapper is arrows:
            actor.GetProperty().SetColor(0.1, 0.1, 0.1)
        renderer.AddActor(actor)
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(900, 600)
    window.AddRenderer(renderer)
    renderer.GetActiveCamera().SetPosition(3, -8, 5 if "flat" not in folder.name else 20)
    renderer.ResetCamera()
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(str(out))
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--picture", type=Path, help="draw the last time of the first folder")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        check_bodies(folder / "bodies.vtkhdf")
        check_contacts(folder / "contacts.vtkhdf")
        if (folder / "meshes.vtkhdf").exists():
            check_meshes(folder / "meshes.vtkhdf")
    if arguments.picture:
        picture(arguments.folders[0], arguments.picture)
