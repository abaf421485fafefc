"""Summary of fault flags: `Health`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pyrfly.sim.constants import STATUS_TEXT
from pyrfly.sim.group import Group

__all__ = ["Health", "health"]


class Health(NamedTuple):
    """Result of `Sim.check`.

    Attributes
    ----------
    ok : bool
        Whether no vehicle has a fault flag.
    invalid : tuple of int
        CopterIDs of the vehicles with a fault flag, whose next state would have been invalid.
    text : str
        One line per kind of fault.
    """

    ok: bool
    invalid: tuple[int, ...]
    text: str


def health(groups: Sequence[Group]) -> Health:
    """Return a summary of the fault flags of some groups."""
    status = np.concatenate([group.view("status") for group in groups])
    lines = []
    for bit, text in STATUS_TEXT.items():
        ids = np.flatnonzero(status & bit) + 1
        if ids.size:
            lines.append(f"{ids.size} of {status.size} vehicles: {text}; first CopterID {ids[0]}")
    for group in groups:
        failures = group.models.failures().items()
        lines += [f"CopterID {group.first_id + row}: {why}" for row, why in failures]
    invalid = tuple(int(i) + 1 for i in np.flatnonzero(status))
    return Health(not invalid, invalid, "\n".join(lines))
