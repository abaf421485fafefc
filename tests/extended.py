"""The vehicles that what extends the model acts on."""

from pyrfly.columns import vehicle_types
from pyrfly.vehicles import FAMILIES, load, names

FIRST = [load(names(family)[0]) for family in FAMILIES]

EXTENDED = [first.name for first in FIRST if vehicle_types()[first.c_type]["extended"]]
"""The first set of each family whose types have an extended model."""
