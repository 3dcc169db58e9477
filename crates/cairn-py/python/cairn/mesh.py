"""Meshes, by the words of scene files. Written by `generate_keys.py`: do not edit."""

from .keys import MeshFile as file
from .keys import MeshRectangle as rectangle
from .keys import MeshQuadrilateral as quadrilateral
from .keys import MeshQuarterRing as quarter_ring
from .keys import MeshDisc as disc
from .keys import MeshHalfDisc as half_disc
from .keys import MeshImpactPlate as impact_plate
from .keys import MeshBlock as block
from .keys import MeshCylinder as cylinder
from .keys import MeshRing as ring
from .keys import MeshTube as tube
from .keys import MeshCap as cap
from .keys import MeshEighthSphere as eighth_sphere

__all__ = ['file', 'rectangle', 'quadrilateral', 'quarter_ring', 'disc', 'half_disc', 'impact_plate', 'block', 'cylinder', 'ring', 'tube', 'cap', 'eighth_sphere']
