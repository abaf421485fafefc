"""A mixer between control groups and the actuators of simulated vehicles: `MixedActuators`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.errors import CommandWarning, MixerError, brief, require_kind, warn
from pyrfly.mixers.controls import Array, controls
from pyrfly.mixers.desaturation import Airmode
from pyrfly.mixers.fleet_mixer import Arming, FleetMixer
from pyrfly.mixers.mixer import Mixer
from pyrfly.mixers.outputs import Outputs
from pyrfly.protocol.px4_channels import channels_of
from pyrfly.sim import Group, Ids, Part, Selection, Sim
from pyrfly.vehicles.actuators import UNUSED, Actuator

__all__ = ["MixedActuators"]

_VERSION = "1.12"
"""Of PX4, whose SITL mixers number the channels of a family."""


class MixedActuators:
    r"""A mixer that commands actuators of vehicles.

    The vehicles' own controllers must not: set ``sim.controllers = False``, or put vehicles with a
    navigator under direct actuator control (command word ``ENABLE | ARMED`` without ``SIL``).

    Motors that turn one way get (output + 1) / 2, which is 0 to 1, other actuators the output, -1
    to 1. What is not driven gets 0: all actuators of a vehicle that is not armed (``sim.arm()``),
    and those of a ``Z:``.

    The default outputs are those of PX4's simulated airframe of the family. Of a plane with
    elevons or a V-tail, which PX4 has no such airframe of, each servo gets the sum of the outputs
    to the surfaces that it moves; with ``outputs`` it gets the one that is given.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    mixer : Mixer
        The mixer.
    ids : array_like of int, optional
        CopterIDs of the vehicles that it commands; by default all.
    outputs : sequence of int or None, optional
        Output from 0 for each actuator, in the order of the columns of the vehicle; None for an
        actuator that stays at 0. By default the channels that PX4 1.12 uses for the family in SITL.
    motors : sequence of bool, optional
        Which actuators are motors that turn one way; by default those of the vehicle.
    reverse : sequence of bool, optional
        Which actuators get the negative output, as by PX4's PWM_MAIN_REV; by default none.
    airmode, thrust_factor, slew_time, failsafe
        See `FleetMixer`.

    Raises
    ------
    MixerError
        The mixer has not the output of a motor, or one that is given.
    TypeError, ValueError
        An argument is out of range, or a CopterID is given twice.

    Warns
    -----
    CommandWarning
        The mixer has not the output of a servo, which stays at 0.

    Examples
    --------
    >>> from pyrfly.mixers import MixedActuators, Mixer, parse
    >>> sim = Sim("iris", 2)
    >>> sim.controllers = False
    >>> sim.arm()
    >>> actuators = MixedActuators(sim, Mixer(parse(b"R: 4w\n")))
    >>> _ = actuators.command(roll=[0.1, 0.0], thrust=0.6)
    >>> sim.throttle.round(3)
    array([[0.55, 0.65, 0.65, 0.55],
           [0.6 , 0.6 , 0.6 , 0.6 ]])
    """

    def __init__(
        self,
        sim: Sim,
        mixer: Mixer,
        ids: Ids = None,
        *,
        outputs: Sequence[int | None] | None = None,
        motors: Sequence[bool] | None = None,
        reverse: Sequence[bool] | None = None,
        airmode: int = Airmode.DISABLED,
        thrust_factor: float = 0.0,
        slew_time: float = 0.0,
        failsafe: ArrayLike | None = None,
    ) -> None:
        require_kind("sim", sim, Sim)
        self._sim = sim
        self._vehicles = sim.select(ids)
        self._vehicles.require_distinct()
        if not len(self._vehicles):
            raise ValueError("ids: expected at least one vehicle, got none")
        wiring = _Wiring(outputs, motors, reverse)
        self._wires = [_wired(part, mixer, wiring) for part in self._vehicles]
        self._fleet = FleetMixer(
            mixer,
            len(self._vehicles),
            airmode=airmode,
            thrust_factor=thrust_factor,
            slew_time=slew_time,
            failsafe=failsafe,
        )
        self._time = sim.time
        self._ids = np.empty(len(self._vehicles), np.intp)
        for group, row, place in self._vehicles.vehicles():
            self._ids[place] = group.first_id + row

    def __repr__(self) -> str:
        return f"<MixedActuators of {len(self._vehicles)} vehicles: {self._fleet.mixer!r}>"

    def command(
        self,
        groups: ArrayLike | None = None,
        *,
        arming: ArrayLike | None = None,
        failsafe: ArrayLike = False,
        **values: ArrayLike,
    ) -> Outputs:
        """Write the actuator commands, which are constant until the next call.

        Limits of the rate count the simulated time since the last call; after the time was set
        back, by a reset, they begin anew.

        Parameters
        ----------
        groups : array_like, shape (n, 4, 8) or (4, 8), optional
            Control groups of the n vehicles, see `controls`.
        arming : array_like of int, shape (n,) or (), optional
            An `Arming` of each vehicle; by default ARMED where the column ``armed`` is 1, and
            DISARMED elsewhere.
        failsafe : array_like of bool, shape (n,) or ()
            Vehicles in failsafe.
        **values : array_like, shape () or (n,)
            Instead of ``groups``: controls by name, see `CONTROLS`; the others are 0. A
            ``parachute`` above 0 releases that of the vehicle, if it has one that is ready.

        Returns
        -------
        Outputs
            The outputs of the mixer.

        Raises
        ------
        ShapeError, TypeError, ValueError
            An argument has another shape, is unknown, non-finite or out of range, or controls are
            given in both ways; nothing is written.
        """
        if groups is not None and values:
            raise TypeError("controls: expected groups or controls by name, got both")
        whole = controls(**values) if groups is None else groups
        with self._vehicles.exclusive:
            if arming is None:
                arming = np.where(self._vehicles.read("armed"), Arming.ARMED, Arming.DISARMED)
            now = self._sim.time
            if now < self._time:
                self._fleet.reset()
            elapsed = max(now - self._time, 0.0)
            _warn_of_controllers(self._vehicles)
            results = self._fleet.update(whole, elapsed, arming=arming, failsafe=failsafe)
            self._time = now
            for part, wire in zip(self._vehicles, self._wires, strict=True):
                _write(part, wire.commands(results))
        self._release_parachutes(whole)
        return results

    def _release_parachutes(self, groups: ArrayLike) -> None:
        """Release the parachutes that the control ``parachute`` asks for by a value above 0."""
        parachute = self._sim.parachute
        asked = np.asarray(groups, np.float64)[..., 2, 7] > 0
        if not asked.any() or not parachute.enabled:
            return
        released = self._ids[asked & parachute.ready(self._ids)]
        if released.size:
            parachute.release(released)

    def reset(self) -> None:
        """Forget the outputs of all vehicles, so that limits of the rate begin anew."""
        self._fleet.reset()
        self._time = self._sim.time


class _Wiring(NamedTuple):
    """The arguments of the same names."""

    outputs: Sequence[int | None] | None
    motors: Sequence[bool] | None
    reverse: Sequence[bool] | None


class _Wires(NamedTuple):
    """How the actuators of the vehicles of a part are driven.

    Attributes
    ----------
    indices : slice or ndarray of int
        Rows of the vehicles.
    used : ndarray of int
        Actuators that are driven.
    outputs : ndarray of int
        Their outputs.
    motors : ndarray of bool
        Which of them turn one way.
    signs : ndarray
        -1 of those that are reversed.
    width : int
        Number of all actuators.
    mix : ndarray, shape (width, width), or None
        Commands of the actuators per command of those that the outputs are for.
    """

    indices: Any
    used: NDArray[np.intp]
    outputs: NDArray[np.intp]
    motors: NDArray[np.bool_]
    signs: Array
    width: int
    mix: Array | None

    def commands(self, results: Outputs) -> Array:
        """Return the commands to all actuators, shape (k, width)."""
        values, driven = (array[self.indices][:, self.outputs] for array in results)
        commands = np.zeros((len(values), self.width))
        commands[:, self.used] = Outputs(values * self.signs + 0.0, driven).commands(self.motors)
        if self.mix is None:
            return commands
        mixed: Array = np.clip(exact.row_sums(commands[:, None, :] * self.mix), -1.0, 1.0)
        return mixed


def _wired(part: Part, mixer: Mixer, wiring: _Wiring) -> _Wires:
    group = part.group
    family = group.family
    width = sum(map(_width, (group.view(name) for name in group.actuators)))
    count = min(group.parameters.actuator_count, width)
    ranges = group.ranges[:count]
    airframe, mix = family.px4_outputs(group.parameters)
    channels = channels_of(airframe, count, _VERSION)[:count]
    usual = [
        None if used == UNUSED or channel < 0 else channel
        for used, channel in zip(ranges, channels, strict=True)
    ]
    chosen = _given("outputs", wiring.outputs, count, group)
    motors = _given("motors", wiring.motors, count, group) or [
        actuator.low == 0.0 for actuator in ranges
    ]
    reverse = _given("reverse", wiring.reverse, count, group) or [False] * count
    outputs = chosen or _there(usual, ranges, mixer, group)
    used = np.flatnonzero([output is not None for output in outputs])
    return _Wires(
        part.indices,
        used,
        np.array([_checked_output(outputs[k], mixer, group) for k in used], np.intp),
        np.array(motors, np.bool_)[used],
        np.where(np.array(reverse, np.bool_)[used], -1.0, 1.0),
        width,
        mix if chosen is None else None,
    )


def _there(
    outputs: list[int | None], ranges: Sequence[Actuator], mixer: Mixer, group: Group
) -> list[int | None]:
    """Return outputs by default; None for those of servos that the mixer has not, as in PX4."""
    absent = [output is not None and output >= mixer.count for output in outputs]
    for output, actuator, missing in zip(outputs, ranges, absent, strict=True):
        if missing and actuator.one_way:
            _checked_output(output, mixer, group)
    if any(absent):
        numbers = ", ".join(str(output) for output, m in zip(outputs, absent, strict=True) if m)
        warn(
            f"mixer: no output {numbers} for servos of {group.name!r}, which stay at 0; the mixer "
            f"has {mixer.count} outputs",
            CommandWarning,
        )
    return [None if missing else output for output, missing in zip(outputs, absent, strict=True)]


def _given(name: str, values: Sequence[Any] | None, count: int, group: Group) -> list[Any] | None:
    """Return values for each actuator, None for the default ones."""
    if values is None:
        return None
    if len(values) != count:
        raise ValueError(
            f"{name}: expected one for each of the {count} actuators of {group.name!r}, "
            f"got {len(values)}"
        )
    return list(values)


def _checked_output(output: Any, mixer: Mixer, group: Group) -> int:
    if isinstance(output, bool) or not isinstance(output, (int, np.integer)) or output < 0:
        raise ValueError(f"outputs: expected numbers from 0, or None, got {brief(output)}")
    if output >= mixer.count:
        raise MixerError(
            f"mixer: expected an output {output} for an actuator of {group.name!r}, got "
            f"{mixer.count} outputs; the argument outputs chooses others"
        )
    return int(output)


def _warn_of_controllers(vehicles: Selection) -> None:
    """Warn once of vehicles whose controllers overwrite commands; not of those with navigators."""
    for group, _, _ in vehicles:
        for name in group.actuators if not group.batch.has("navigator") else ():
            group.warn_of_controllers(name)


def _write(part: Part, commands: Array) -> None:
    """Write commands (k, width) to the vehicles of a part."""
    first = 0
    for name in part.group.actuators:
        column = part.group.view(name)
        chosen = commands[:, first : first + _width(column)]
        column[part.rows] = chosen if column.ndim > 1 else chosen[:, 0]
        first += _width(column)


def _width(column: NDArray[Any]) -> int:
    return column.shape[1] if column.ndim > 1 else 1
