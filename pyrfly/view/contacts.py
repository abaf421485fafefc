"""Where vehicles touch something, as it is drawn: `recent_contacts`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["CONTACT_COLUMNS", "recent_contacts"]

CONTACT_COLUMNS = ("collision_with", "collision_place_tick", "collision_place")
"""What `recent_contacts` needs of vehicles."""

RECENT = 1.0
"""Time for which a contact is drawn [s]: an impact takes some milliseconds."""


def recent_contacts(
    time: float,
    dt: float,
    met: NDArray[Any],
    tick: NDArray[Any],
    place: NDArray[Any],
) -> NDArray[np.float64]:
    """Return where vehicles touch something or have just done so [m, NED], NaN: nowhere.

    Parameters
    ----------
    time : float
        Present time of the simulation [s].
    dt : float
        Its step [s].
    met, tick, place : ndarray
        The `CONTACT_COLUMNS` of n vehicles.
    """
    since = (round(time / dt) - tick.astype(np.int64)) % 2**32
    recent = (met != 0) & (since * dt < RECENT)
    return np.where(recent[:, None], place.astype(np.float64), np.nan)
