# Made by tools/generate.py from the registry; do not edit.
from collections.abc import Mapping
from typing import Any

from pyrfly.vehicles.family import Family, VerbsOf
from pyrfly.vehicles.multirotor.verbs import MultirotorVerbs
from pyrfly.vehicles.rover.verbs import RoverVerbs

class Families:
    multirotor: VerbsOf[MultirotorVerbs]
    rover: VerbsOf[RoverVerbs]

FAMILIES: Mapping[str, Family[Any]]
DEFAULT_FAMILY: str
