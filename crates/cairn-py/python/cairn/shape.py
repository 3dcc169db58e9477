"""Shapes, by the words of scene files. Written by `generate_keys.py`: do not edit."""

from .keys import ShapeDisk as disk
from .keys import ShapeSphere as sphere
from .keys import ShapeRectangle as rectangle
from .keys import ShapeBox as box
from .keys import ShapePolygon as polygon
from .keys import ShapePolyhedron as polyhedron
from .keys import ShapeRegularPolygon as regular_polygon
from .keys import ShapePrism as prism
from .keys import ShapeSegment as segment
from .keys import ShapeHalfPlane as half_plane
from .keys import ShapeHalfSpace as half_space
from .keys import ShapeHollowDisk as hollow_disk
from .keys import ShapeHollowCylinder as hollow_cylinder
from .keys import ShapeChain as chain
from .keys import ShapeProfile as profile
from .keys import ShapeSurface as surface
from .keys import ShapeUnion as union

__all__ = ['disk', 'sphere', 'rectangle', 'box', 'polygon', 'polyhedron', 'regular_polygon', 'prism', 'segment', 'half_plane', 'half_space', 'hollow_disk', 'hollow_cylinder', 'chain', 'profile', 'surface', 'union']
