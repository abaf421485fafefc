"""Control groups of PX4 as arrays: `controls`, `checked_controls`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import finite_array
from pyrfly.errors import ShapeError, brief, near_names, table_of
from pyrfly.mixers.parsing import GROUPS, INDICES

__all__ = ["CONTROLS", "Array", "channel_controls", "checked_controls", "controls", "name_of"]

Array = NDArray[np.float64]

_NAMES = (
    "roll pitch yaw thrust flaps spoilers airbrakes gear",
    "alt_roll alt_pitch alt_yaw alt_thrust aux0 aux1 aux2 aux3",
    "gimbal_roll gimbal_pitch gimbal_yaw gimbal_shutter - - - parachute",
    "rc_roll rc_pitch rc_yaw rc_throttle rc_mode rc_aux1 rc_aux2 rc_aux3",
)

CONTROLS: Mapping[str, tuple[int, int]] = table_of(
    {
        name: (group, index)
        for group, names in enumerate(_NAMES)
        for index, name in enumerate(names.split())
        if name != "-"
    }
)
"""Group and index of a control by name [@px4-guide mixing and actuators].

Group 0 is flight control; 1 the alternate one of VTOLs, that of fixed-wing flight; 2 the gimbal; 3
manual control. All are -1 to 1, thrusts 0 to 1, or -1 to 1 with variable pitch.
"""


def controls(**values: ArrayLike) -> Array:
    """Return control groups of which some controls have values, the others 0.

    Parameters
    ----------
    **values : array_like, shape () or (n,)
        Values by name, see `CONTROLS`.

    Returns
    -------
    ndarray, shape (4, 8) or (n, 4, 8)
        The groups, the first axis only if there is a value with one.

    Raises
    ------
    TypeError, ValueError, ShapeError
        There is no such control, or a value has the wrong shape or is non-finite.

    Examples
    --------
    >>> from pyrfly.mixers import controls
    >>> controls(roll=[0.1, -0.1], thrust=0.5)[:, 0, :4]
    array([[ 0.1,  0. ,  0. ,  0.5],
           [-0.1,  0. ,  0. ,  0.5]])
    """
    arrays = {name: finite_array(name, value, "1") for name, value in values.items()}
    for name in arrays:
        if name not in CONTROLS:
            raise TypeError(
                f"controls: expected names such as {near_names(name, CONTROLS)}, got {brief(name)}"
            )
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shape = (0, 0)
    if len(shape) > 1:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ShapeError(f"controls: expected shapes () or (n,) of one n, got {shapes}")
    groups = np.zeros((*shape, GROUPS, INDICES))
    for name, array in arrays.items():
        groups[(..., *CONTROLS[name])] = array
    return groups


def channel_controls(channels: ArrayLike) -> Array:
    """Return control groups 0 and 1 from 16 channels, such as RflySim's ``inPWMs``.

    For programs that send controls where others send motors: the first eight channels are group 0,
    the others group 1.

    Parameters
    ----------
    channels : array_like, shape (n, 16) or (16,)
        The channels, -1 to 1.

    Returns
    -------
    ndarray, shape (n, 4, 8) or (4, 8)
        The groups; 2 and 3 are 0.

    Raises
    ------
    ShapeError, TypeError, ValueError
        They have another shape, are not numeric or non-finite.
    """
    array = finite_array("channels", channels, "1")
    if array.ndim not in (1, 2) or array.shape[-1] != 2 * INDICES:
        raise ShapeError(f"channels: expected shape (n, 16) or (16,), got {array.shape}")
    groups = np.zeros((*array.shape[:-1], GROUPS, INDICES))
    groups[..., :2, :] = array.reshape(*array.shape[:-1], 2, INDICES)
    return groups


def checked_controls(value: ArrayLike, n: int | None = None) -> Array:
    """Return control groups of n vehicles, each limited to -1 to 1 as by PX4.

    Parameters
    ----------
    value : array_like, shape (n, 4, 8) or (4, 8)
        The groups.
    n : int, optional
        Number of vehicles; by default any, 1 without an axis for them.

    Raises
    ------
    ShapeError, TypeError, ValueError
        They have another shape, are not numeric or non-finite.
    """
    array = finite_array("controls", value, "1")
    count = n if n is not None else len(array) if array.ndim == 3 else 1
    whole = (count, GROUPS, INDICES)
    if array.shape not in (whole, whole[1:]):
        many = "n" if n is None else n
        raise ShapeError(
            f"controls: expected shape ({many}, {GROUPS}, {INDICES}) or ({GROUPS}, {INDICES}), "
            f"got {array.shape}"
        )
    return np.broadcast_to(np.clip(array, -1.0, 1.0), whole)


def name_of(group: int, index: int) -> str:
    """Return the name of a control, or its numbers if it has none."""
    for name, place in CONTROLS.items():
        if place == (group, index):
            return name
    return f"{group}/{index}"
