"""What vehicles look like, as an entry of the metadata of a log: `drawing_note`."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from pyrfly.errors import Error
from pyrfly.sim.appearance import Appearance, appearance_of
from pyrfly.vehicles import VehicleParameters, load
from pyrfly.vehicles.drawing_document import document_of

__all__ = ["drawing_note"]


@lru_cache(maxsize=64)
def drawing_note(parameters: VehicleParameters) -> dict[str, Any] | None:
    """Return what a set looks like, None where its name says it: who reads the log has such a set.

    Of a set with a mesh of its own it is what its family draws: a log has no files beside it.
    ``parts``: see `pyrfly.vehicles.drawing_document`; ``lift``, ``rise``: as of `Appearance`.
    """
    looks = appearance_of(replace(parameters, mesh=None))
    if looks == _by_name(parameters.name):
        return None
    return {"parts": document_of(looks.drawing), "lift": looks.lift, "rise": looks.rise}


def _by_name(name: str) -> Appearance | None:
    try:
        return appearance_of(load(name))
    except (Error, OSError):
        return None
