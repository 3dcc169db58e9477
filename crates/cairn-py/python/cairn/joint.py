"""Joints of contacts, by the words of scene files. Written by `generate_keys.py`: do not edit."""

from .keys import JointBrittle as brittle
from .keys import JointMohrCoulomb as mohr_coulomb
from .keys import JointElastic as elastic
from .keys import JointElasticCoulomb as elastic_coulomb
from .keys import JointRaousCangemiCocou as raous_cangemi_cocou
from .keys import JointBilinear as bilinear
from .keys import JointExponential as exponential
from .keys import JointCapillary as capillary

__all__ = ['brittle', 'mohr_coulomb', 'elastic', 'elastic_coulomb', 'raous_cangemi_cocou', 'bilinear', 'exponential', 'capillary']
