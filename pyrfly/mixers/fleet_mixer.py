"""Mixers of many vehicles with memory: `FleetMixer`."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import finite_array
from pyrfly.errors import ShapeError, brief, require_kind
from pyrfly.mixers.controls import Array, checked_controls
from pyrfly.mixers.definitions import Definition, Helicopter, Multirotor, Null, Sum
from pyrfly.mixers.desaturation import Airmode
from pyrfly.mixers.mixer import Mixer, checked_airmode, checked_factor
from pyrfly.mixers.outputs import Outputs

__all__ = ["Arming", "FleetMixer"]

_THRUSTS = ((0, 3), (1, 3))
"""Controls that are locked while a vehicle is not armed [@px4 v1.12.3 mixer_module.cpp]."""


class Arming(IntEnum):
    """Which outputs of a vehicle are driven."""

    DISARMED = 0
    """None."""
    PREARMED = 1
    """Those that take no thrust: an autopilot moves the servos, but no motor."""
    ARMED = 2
    """All."""


class FleetMixer:
    r"""A mixer for many vehicles, with the limits of the rate, arming and failsafe.

    Parameters
    ----------
    mixer : Mixer
        The same for all vehicles.
    n : int
        Number of vehicles.
    airmode : int
        PX4's MC_AIRMODE, an `Airmode`.
    thrust_factor : float
        PX4's THR_MDL_FAC, 0 to 1.
    slew_time : float
        PX4's MOT_SLEW_MAX: minimum time of a multirotor's motors from -1 to 1 [s]; 0 for no limit.
    failsafe : array_like, shape (count,), optional
        Outputs in failsafe, -1 to 1; by default no output is driven then.

    Examples
    --------
    >>> from pyrfly.mixers import FleetMixer, Mixer, controls, parse
    >>> tilt = FleetMixer(Mixer(parse(b"M: 1\nO: 10000 10000 0 -10000 10000 20000\n"
    ...                               b"S: 1 4 10000 10000 0 -10000 10000\n")), 2)
    >>> for _ in range(50):
    ...     outputs = tilt.update(controls(aux0=[1.0, 0.2]), dt=0.01)
    >>> outputs.values.round(3)  # 2 s from -1 to 1, so 0.5 from 0 in 0.5 s
    array([[0.5],
           [0.2]])
    """

    def __init__(
        self,
        mixer: Mixer,
        n: int,
        *,
        airmode: int = Airmode.DISABLED,
        thrust_factor: float = 0.0,
        slew_time: float = 0.0,
        failsafe: ArrayLike | None = None,
    ) -> None:
        if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 1:
            raise ValueError(f"n: expected a number of vehicles of at least 1, got {brief(n)}")
        require_kind("mixer", mixer, Mixer)
        self.mixer = mixer
        self.n = int(n)
        self._airmode = checked_airmode(airmode)
        self._factor = checked_factor(thrust_factor)
        each = list(mixer.each())
        slew = _duration("slew_time", slew_time)
        self._rise_times = np.array([_rise_time(definition, slew) for definition in each])
        self._thrusts = np.array([_takes_thrust(definition) for definition in each], np.bool_)
        self._idle = np.array([isinstance(definition, Null) for definition in each], np.bool_)
        self._failsafe = _failsafe_values(failsafe, mixer.count)
        self._previous = np.empty((self.n, mixer.count))
        self.reset()

    def reset(self, rows: ArrayLike | None = None) -> None:
        """Forget the outputs of vehicles, by default of all: motors begin at -1, servos at 0.

        Parameters
        ----------
        rows : array_like of int or bool, optional
            Indices or a mask of the vehicles.
        """
        start = np.where(self._thrusts, -1.0, 0.0)
        self._previous[slice(None) if rows is None else np.asarray(rows)] = start

    def update(
        self,
        groups: ArrayLike,
        dt: float | None = None,
        *,
        arming: ArrayLike = Arming.ARMED,
        failsafe: ArrayLike = False,
    ) -> Outputs:
        """Return the next outputs.

        Parameters
        ----------
        groups : array_like, shape (n, 4, 8) or (4, 8)
            Control groups, see `controls`; values beyond -1 to 1 are limited.
        dt : float, optional
            Time since the last call [s], for the limits of the rate; without it there are none.
        arming : array_like of int, shape (n,) or ()
            An `Arming` of each vehicle.
        failsafe : array_like of bool, shape (n,) or ()
            Vehicles whose outputs have the values for failsafe instead.

        Raises
        ------
        ShapeError, TypeError, ValueError
            An argument has another shape, is non-finite or out of range; nothing is changed.
        """
        limited = checked_controls(groups, self.n)
        states = self._per_vehicle("arming", arming, Arming.ARMED)
        failed = self._per_vehicle("failsafe", failsafe, 1) != 0
        duration = None if dt is None else _duration("dt", dt)
        values = self.mixer.evaluate(limited, self._airmode, self._factor)
        if duration is not None:
            values = self._slewed(values, duration)
        locked = self._thrusts & (states < Arming.ARMED)
        self._previous = np.where(locked, -1.0, values)
        driven = ~self._idle & ~locked & (states > Arming.DISARMED)
        if self._failsafe is None:
            driven &= ~failed
        else:
            values, driven = np.where(failed, self._failsafe, values), driven | failed
        return Outputs(np.where(driven, values, 0.0), driven)

    def _slewed(self, values: Array, dt: float) -> Array:
        """Return values within what the outputs reach in a time [s]."""
        has_limit = self._rise_times > 0.0
        times = np.where(has_limit, self._rise_times, 1.0)
        reach = np.where(has_limit, 2.0 * dt / times, np.inf)
        return np.clip(values, self._previous - reach, self._previous + reach)

    def _per_vehicle(self, name: str, value: ArrayLike, largest: int) -> NDArray[np.int64]:
        """Return whole numbers from 0, shape (n, 1)."""
        array = np.asarray(value)
        if array.dtype.kind not in "iub" or not ((array >= 0) & (array <= largest)).all():
            raise ValueError(f"{name}: expected 0 to {largest} of each vehicle, got {brief(value)}")
        if array.shape not in ((), (self.n,)):
            raise ShapeError(f"{name}: expected shape ({self.n},) or (), got {array.shape}")
        return np.broadcast_to(array.astype(np.int64), (self.n,))[:, None]


def _rise_time(definition: Definition, slew_time: float) -> float:
    match definition:
        case Sum(rise_time=rise_time):
            return rise_time
        case Multirotor():
            return slew_time
        case _:
            return 0.0


def _takes_thrust(definition: Definition) -> bool:
    """Return whether outputs take a thrust, so that they are off unless a vehicle is armed."""
    match definition:
        case Sum(controls):
            return any((control.group, control.index) in _THRUSTS for control in controls)
        case _:
            return isinstance(definition, (Multirotor, Helicopter))


def _duration(name: str, value: float) -> float:
    seconds = float(finite_array(name, value, "s"))
    if seconds < 0:
        raise ValueError(f"{name}: expected at least 0 [s], got {brief(value)}")
    return seconds


def _failsafe_values(values: ArrayLike | None, count: int) -> Array | None:
    if values is None:
        return None
    array = finite_array("failsafe", values, "1", 1.0)
    if array.shape != (count,):
        raise ShapeError(f"failsafe: expected shape ({count},), got {array.shape}")
    return array
