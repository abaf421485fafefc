"""What controllers assume of their vehicle: `assumed`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import fields_of_type

__all__ = ["assumed"]

PREFIX = "control_"


def assumed(columns: Mapping[str, NDArray[np.float64]], c_type: str) -> dict[str, object]:
    """Return the gains that say what controllers assume of the parameters of a vehicle.

    Controllers and guidance read no parameter ``x``, which is the truth, but a gain ``control_x``.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Parameter columns of one vehicle, each of shape (width,).
    c_type : str
        Vehicle type of the core.

    Returns
    -------
    dict of str to ndarray
        The parameters ``x`` of which the type has a gain ``control_x``, by that name.
    """
    known = [f.name for f in fields_of_type(c_type) if f.role == "gain"]
    of = {name: name.removeprefix(PREFIX) for name in known if name.startswith(PREFIX)}
    return {name: columns[parameter] for name, parameter in of.items() if parameter in columns}
