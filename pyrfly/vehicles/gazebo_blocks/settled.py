"""Controllers of a vehicle of blocks that holds its position in an equilibrium: `settled`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.protocol.bits import VtolState
from pyrfly.vehicles.constants import LEAST_THRUST_LEFT
from pyrfly.vehicles.hovering import demand_for, down_axis, settled_position

__all__ = ["settled"]

Array = NDArray[np.float64]


def _rows(column: Array, components: int) -> Array:
    """Return a column of parts with some components, shape (k, components, parts)."""
    return column.reshape(len(column), components, column.shape[1] // components)


def _joint_mixer(
    columns: Mapping[str, Array], thrust: Array, pressure: Array, turned: Array
) -> Array:
    """Return positions of the joints per thrust and moments of the body, shape (k, 4, joints).

    Of those in slipstreams of motors with a thrust [N], in a dynamic pressure [Pa].
    """
    blown, ahead = (_rows(columns[k], 3) for k in ("joint_mixer", "wing_allocation"))
    effect = thrust[:, None, None] / np.where(blown != 0.0, blown, np.inf)
    helped = blown * ahead > 0.0
    effect = effect + pressure[:, None, None] / np.where(helped, ahead, np.inf)
    each = np.where(blown != 0.0, 1.0 / np.where(blown != 0.0, effect, 1.0), 0.0)
    of_body = np.where(
        turned[:, None], np.stack([each[:, 2], each[:, 1], -each[:, 0]], axis=1), each
    )
    return np.concatenate([np.zeros_like(of_body[:, :1]), of_body], axis=1)


def _targets(columns: Mapping[str, Array], part: str) -> Array:
    """Return the speeds of the motors, or the positions of the joints, by their channels.

    As the controllers assume: [rad/s] or [rad], shape (k, motors or joints).
    """
    channel, offset, scaling, zero = (
        columns[f"control_{part}_{name}"] for name in ("channel", "offset", "scaling", "zero")
    )
    commanded = np.take_along_axis(columns["channel"], channel.astype(int), axis=1) + offset
    found: Array = commanded * scaling + _rows(zero, 2)[:, 0]
    return found


def settled(columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return what `Family.settled` does, of vehicles of blocks in hover.

    The inverse of ``csrc/vehicles/gazebo_blocks/control.h``: thrusts are those at rest, of
    tailsitters less what airspeed takes, joints those in slipstreams; what is not for hover is left
    out.
    """
    turned = columns["wing_turned"] != 0.0
    airspeed = columns["vel"] - columns["wind"]
    along = np.abs(exact.row_sums(airspeed * down_axis(columns["att"])))[:, None]
    left = np.where(
        turned,
        np.maximum(1.0 - columns["control_motor_airspeed_loss"] * along, LEAST_THRUST_LEFT),
        1.0,
    )
    lifts = columns["motor_ceiling"] > 0.0
    thrusts = lifts * columns["control_motor_thrust"] * np.square(_targets(columns, "motor"))
    mixer = _rows(columns["motor_mixer"], 4)
    pressure = 0.5 * columns["wing_density"][:, 0] * np.square(exact.norm(airspeed))
    joints = _joint_mixer(columns, exact.row_sums(thrusts * left), pressure, turned)
    mixer = np.concatenate([mixer, joints], axis=2)
    found = np.concatenate(
        [thrusts * left, joints.any(axis=1) * _targets(columns, "joint")], axis=1
    )
    demand = demand_for(mixer, found)
    held = settled_position(columns, demand[:, :1])
    return {
        **held,
        "rate_integral": demand[:, 1:],
        "rate_before": np.zeros((len(demand), 3)),
        "vtol_state": np.asarray(float(VtolState.MC) * (columns["transition_timeout"] > 0.0)),
    }
