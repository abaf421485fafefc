"""Controllers of a helicopter that holds its position in an equilibrium: `settled`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.hovering import demand_for, down_axis, settled_position

__all__ = ["settled"]

Array = NDArray[np.float64]

SERVOS = 4


def _plate(columns: Mapping[str, Array]) -> Array:
    """Return collective, pitch and roll of the swash plates, shape (k, 3)."""
    sine, cosine = exact.sincos(columns["control_swash_angle"])
    arm = columns["control_swash_arm"]
    mixer = np.stack([np.ones_like(arm), arm * cosine, -arm * sine], axis=1)
    mixer *= (np.arange(SERVOS) < columns["control_swash_count"])[:, None]
    return demand_for(mixer, columns["swash_position"])


def _tilt_moment(columns: Mapping[str, Array], plate: Array) -> Array:
    """Return the roll and pitch moment [N m] that the rate loop turns into the plate's tilt."""
    x, y = (columns["control_cyclic_travel"] * plate[:, [2, 1]]).T
    gain, coupling = columns["control_tip_path_gain"].T, columns["control_tip_path_coupling"].T
    right, back = gain[0] * x + gain[1] * y, gain[2] * x + gain[3] * y
    per = 1.0 / (1.0 - coupling[0] * coupling[1])
    tilt = np.stack([per * (right + coupling[0] * back), per * (back + coupling[1] * right)], -1)
    moment: Array = columns["control_inertia"][:, :2] * columns["control_tip_path_moment"] * tilt
    return moment


def settled(columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return what `Family.settled` does, of helicopters.

    Demands are those that ``csrc/vehicles/helicopter/control.h`` turns into the commands: a thrust
    that carries the weight, and the lift that is lost in the wind.
    """
    plate = _plate(columns)
    n = columns["main_rotor_speed"] / columns["control_main_rotor_nominal"]
    per_plate = columns["control_collective_accel"] * columns["control_collective_travel"]
    accel = columns["control_gravity"] / down_axis(columns["att"])[:, 2:]
    thrust = columns["control_mass"] * accel
    load = columns["tail_load"][:, :1] + columns["tail_load"][:, 1:] * thrust
    yaw = (
        columns["control_inertia"][:, 2:3]
        * columns["control_tail_authority"]
        * columns["tail_position"]
        - load
    )
    moment = np.concatenate([_tilt_moment(columns, plate), yaw], axis=1)
    return {
        **settled_position(columns, thrust),
        "rate_integral": moment,
        "lift_lost": per_plate * n * n * plate[:, :1] - accel,
        "spool": np.ones_like(thrust),
    }
