"""Which vehicles are frozen: `Health`."""

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
        Whether no vehicle is frozen.
    frozen : tuple of int
        CopterIDs of frozen vehicles.
    text : str
        One line per kind of trouble.
    """

    ok: bool
    frozen: tuple[int, ...]
    text: str


def health(groups: Sequence[Group]) -> Health:
    """Return which vehicles of some groups are frozen, and why."""
    status = np.concatenate([group.view("status") for group in groups])
    lines = []
    for bit, text in STATUS_TEXT.items():
        ids = np.flatnonzero(status & bit) + 1
        if ids.size:
            lines.append(f"{ids.size} of {status.size} vehicles {text}; first CopterID {ids[0]}")
    frozen = tuple(int(i) + 1 for i in np.flatnonzero(status))
    return Health(not frozen, frozen, "\n".join(lines))
