"""Assemblies of bodies, by the words of scene files. Written by `generate_keys.py`: do not edit."""

from .keys import GenerateWall as wall
from .keys import GenerateArch as arch
from .keys import GenerateSegmentalArch as segmental_arch
from .keys import GeneratePointedArch as pointed_arch
from .keys import GenerateVault as vault
from .keys import GenerateDome as dome
from .keys import GenerateButtress as buttress
from .keys import GenerateBlocks as blocks
from .keys import GenerateColumn as column
from .keys import GenerateGrains as grains
from .keys import GenerateLattice as lattice
from .keys import GenerateBox as box
from .keys import GenerateDrum as drum
from .keys import GenerateRing as ring
from .keys import GenerateAnnulus as annulus

__all__ = ['wall', 'arch', 'segmental_arch', 'pointed_arch', 'vault', 'dome', 'buttress', 'blocks', 'column', 'grains', 'lattice', 'box', 'drum', 'ring', 'annulus']
