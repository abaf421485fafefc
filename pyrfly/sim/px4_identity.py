"""Vehicles as PX4 names them: `px4_type`, `px4_values`."""

from __future__ import annotations

import numpy as np

from pyrfly.sim.group import Group

__all__ = ["px4_type", "px4_values"]


def px4_type(group: Group) -> int:
    """Return MAV_TYPE [@mavlink] of the vehicles of a group; 0, GENERIC, of unknown ones.

    Examples
    --------
    >>> import pyrfly
    >>> px4_type(pyrfly.Sim("x450").groups[0])
    2
    """
    types = group.family.px4_airframe.types
    return group.abilities.mav_type or types.get(group.parameters.actuator_count, 0)


def px4_values(group: Group, row: int = 0) -> dict[str, float]:
    """Return the PX4 parameters of a vehicle that have a meaning here.

    Parameters
    ----------
    group : Group
        The vehicles.
    row : int
        Row of the vehicle in the group.

    Returns
    -------
    dict of str to int or float
        By PX4's names, in PX4's units and within its ranges: what PX4's start script of such a
        vehicle sets, and the columns that are a parameter of PX4 (``px4`` of
        `pyrfly.vehicles.Abilities`), of parts that are enabled; whole numbers for its INT32. The
        height of a take-off is PX4's own.
    """
    able = group.abilities
    found = {
        **group.family.px4_airframe.defaults,
        **able.px4_defaults,
        "NAV_ACC_RAD": able.acceptance_radius,
    }
    for name, known in able.px4.items():
        if name != "MIS_TAKEOFF_ALT" and group.has(known.column):
            values = np.atleast_1d(group.view(known.column)[row]) / known.factor
            found[name] = float(np.clip(values[known.component or 0], known.low, known.high))
    return {**found, "MAV_TYPE": px4_type(group)}
