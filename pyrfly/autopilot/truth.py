"""The true state of vehicles, as MAVLink's messages of simulators have it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import mavlink
from pyrfly.autopilot.airspeed import airspeed
from pyrfly.autopilot.telemetry_snapshot import whole
from pyrfly.sim import Sim
from pyrfly.sim.crashes import crash_ids

__all__ = ["MILLI_G", "carried_truth", "true_state"]

Records = NDArray[Any]
Rows = NDArray[np.intp]

_CRASH_MODE = 2  # of one that names what was hit, instead of whether the position is known
_CRASH_TIME = 0.5  # s in which it does, at any rate of messages from 2 Hz on; estimated
_FLAGS = 1234567890  # of the HIL_ACTUATOR_CONTROLS that has the true state [@rfly-sdk]
_CM, _MM, _DEGE7 = 1e2, 1e3, 1e7
MILLI_G = 1e3 / 9.80665
"""Thousandths of the standard acceleration of gravity per m/s^2, the unit of several messages."""


def true_state(sim: Sim, rows: Rows | slice = slice(None)) -> Records:
    """Return the true state as HIL_STATE_QUATERNION.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    rows : ndarray of int, shape (k,), optional
        Which of them; by default all.
    """
    pos, vel, rate, accel = sim.pos[rows], sim.vel[rows], sim.rate[rows], sim.accel[rows]
    truth = mavlink.blank("HIL_STATE_QUATERNION", len(pos))
    truth["time_usec"] = round(sim.time * 1e6)
    truth["attitude_quaternion"] = sim.att[rows]
    for axis, name in enumerate(("rollspeed", "pitchspeed", "yawspeed")):
        truth[name] = rate[:, axis]
    lla = sim.local_frame.to_lla(pos)
    truth["lat"], truth["lon"] = np.rint(lla[:, :2] * _DEGE7).T
    truth["alt"] = np.rint(lla[:, 2] * _MM)
    speeds = airspeed(sim, sim.vel)
    for name, speed in (("ind", speeds.calibrated), ("true", speeds.true)):
        truth[f"{name}_airspeed"] = whole(speed[rows] * _CM, np.uint16)
    for axis, name in enumerate("xyz"):
        truth[f"v{name}"] = whole(vel[:, axis] * _CM, np.int16)
        truth[f"{name}acc"] = whole(accel[:, axis] * MILLI_G, np.int16)
    return truth


def carried_truth(sim: Sim, milliseconds: int, known: ArrayLike) -> Records:
    """Return the true state as RflySim's clients read it from HIL_ACTUATOR_CONTROLS.

    Channels 0 to 2 are roll, pitch, yaw [rad], 3 to 5 the position [m, NED], 6 to 8 the velocity
    [m/s, NED], 9 to 11 the angular velocity [rad/s, FRD]; channel 15 is 1 when the autopilot knows
    its position. For a while after a crash ``mode`` is 2, and channel 15 names what was hit, by
    `crash_ids`. ``time_usec`` has milliseconds [@rfly-sdk].

    Parameters
    ----------
    sim : Sim
        The vehicles.
    milliseconds : int
        Time of the state.
    known : array_like of bool, shape (n,) or ()
        Whose autopilot knows its position.
    """
    records = mavlink.blank("HIL_ACTUATOR_CONTROLS", sim.n)
    truth = (sim.euler, sim.pos, sim.vel, sim.rate)
    records["controls"][:, :12] = np.concatenate(truth, axis=1)
    hit = crash_ids(sim, within=_CRASH_TIME)
    records["controls"][:, 15] = np.where(hit >= 0, hit, known)
    records["mode"] = np.where(hit >= 0, _CRASH_MODE, 0)
    records["time_usec"] = milliseconds
    records["flags"] = _FLAGS
    return records
