"""The registry of families: a line for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pyrfly.vehicles.family import Family, VerbsOf

__all__ = ["DEFAULT_FAMILY", "FAMILIES", "Families"]


class Families:
    """What has vehicles of families: the verbs of each, as an attribute."""

    from pyrfly.vehicles.multirotor import VERBS as multirotor
    from pyrfly.vehicles.rover import VERBS as rover


FAMILIES: Mapping[str, Family[Any]] = MappingProxyType(
    {name: verbs.family for name, verbs in vars(Families).items() if isinstance(verbs, VerbsOf)}
)
"""All families by name."""

DEFAULT_FAMILY = "multirotor"
"""The family of a parameter file that names none."""
