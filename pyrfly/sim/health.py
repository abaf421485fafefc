"""Which vehicles are frozen: `Health`."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Health"]


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
