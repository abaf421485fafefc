"""MAV_CMD_INJECT_FAILURE, PX4's failure injection: `FailureInjection`.

What PX4 v1.16.1 and its simulator make of a unit and a type is a fault of `pyrfly.Sim.faults`
[@px4 v1.16.1 SimulatorMavlink.cpp check_failure_injections, mavlink_receiver.cpp]. Of types that
its simulator leaves out, those are added that its guide describes and that are a fault here
[@px4-guide failure_injection].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pyrfly.autopilot.parameters import Parameters
from pyrfly.errors import ParameterError
from pyrfly.mavlink.constants import FailureType, FailureUnit, Result, Severity
from pyrfly.sim import Group, Sim
from pyrfly.sim.fault_arguments import actuators_of
from pyrfly.sim.fault_kinds import KINDS
from pyrfly.sim.present_faults import Fault

__all__ = ["FAILURES", "Failure", "FailureInjection", "failures_at", "source_of"]

Table = Mapping[str, Any]
Tables = Mapping[FailureType, Table]
"""Arguments of `pyrfly.sim.faults.Faults.add` without actuators, by type of failure."""

_FIRST_SOURCE = 420_000
_WHOLE = 0
"""Instance that stands for all."""


def source_of(unit: FailureUnit) -> int:
    """Return the ``fault_source`` of a unit: 420, the number of the command, and its three digits.

    Examples
    --------
    >>> source_of(FailureUnit.SYSTEM_MOTOR)
    420101
    """
    return _FIRST_SOURCE + unit


def _sensor(name: str, deviation: float) -> dict[FailureType, Table]:
    """Return the failures of a sensor; garbage has a standard deviation in SI units.

    The rate of one that is slow, the delay and the outages are estimated.
    """
    return {
        FailureType.OFF: {"kind": "sensor_dropout", "sensor": name},
        FailureType.STUCK: {"kind": "sensor_freeze", "sensor": name},
        FailureType.GARBAGE: {"kind": "sensor_noise", "sensor": name, "deviation": deviation},
        FailureType.SLOW: {"kind": "sensor_rate", "sensor": name, "period_factor": 10.0},
        FailureType.DELAYED: {"kind": "sensor_delay", "sensor": name, "delay": 0.5},
        FailureType.INTERMITTENT: {"kind": "sensor_outages", "sensor": name, "period": 1.0},
    }


def _link(name: str) -> dict[FailureType, Table]:
    """Return the failures of a link; the numbers are estimated."""
    return {
        FailureType.OFF: {"kind": "link_loss", "link": name},
        FailureType.DELAYED: {"kind": "link_delay", "link": name, "delay": 0.5},
        FailureType.INTERMITTENT: {"kind": "packet_loss", "link": name, "share": 0.5},
    }


_BLOCKED_TUBE = {"kind": "sensor_scale", "sensor": "airspeed", "factor": 0.3, "ramp": 1.0}
"""PX4's blocked pitot tube [@px4 v1.16.1 SimulatorMavlink.cpp update_sensors]."""

_HELD = {"kind": "actuator_freeze"}
"""An actuator that keeps the command that it has when it fails."""

_ALIKE = {"actuator_stuck": "actuator_freeze"}
"""Kinds of faults that are the same failure as others."""

# The deviations of garbage are estimated: some tenths of the range of usual sensors.
FAILURES: Mapping[FailureUnit, Tables] = MappingProxyType(
    {
        FailureUnit.SENSOR_GYRO: _sensor("gyroscope", 10.0),
        FailureUnit.SENSOR_ACCEL: _sensor("accelerometer", 50.0),
        FailureUnit.SENSOR_MAG: _sensor("magnetometer", 1e-4),
        FailureUnit.SENSOR_BARO: _sensor("barometer", 1e4),
        FailureUnit.SENSOR_GPS: _sensor("gps", 1e3),
        FailureUnit.SENSOR_DISTANCE_SENSOR: _sensor("range", 10.0),
        FailureUnit.SENSOR_AIRSPEED: {
            **_sensor("airspeed", 1e3),
            FailureType.WRONG: _BLOCKED_TUBE,
        },
        FailureUnit.SYSTEM_MOTOR: {
            FailureType.OFF: {"kind": "motor"},
            FailureType.STUCK: _HELD,
        },
        FailureUnit.SYSTEM_BATTERY: {FailureType.OFF: {"kind": "battery_gauge", "ratio": 0.0}},
        FailureUnit.SYSTEM_RC_SIGNAL: _link("rc"),
        FailureUnit.SYSTEM_MAVLINK_SIGNAL: _link("station"),
        FailureUnit.SYSTEM_SERVO: {FailureType.OFF: _HELD, FailureType.STUCK: _HELD},
    }
)
"""What each type of failure of a unit is; all others but OK are unsupported."""

_MOTORS: Mapping[FailureUnit, bool] = MappingProxyType(
    {FailureUnit.SYSTEM_MOTOR: True, FailureUnit.SYSTEM_SERVO: False}
)
"""Units that are actuators, and whether these are motors."""


class FailureInjection:
    """Lets sensors and systems of vehicles fail, and puts them right again.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    parameters : Parameters
        Their PX4 parameters: SYS_FAILURE_EN allows it.
    say : callable
        Told what a vehicle has to say: row, severity, text.
    """

    def __init__(
        self,
        sim: Sim,
        parameters: Parameters,
        say: Callable[[int, Severity, str], object],
    ) -> None:
        self._sim = sim
        self._parameters = parameters
        self._say = say

    def inject(self, row: int, unit: float, kind: float, instance: float) -> Result:
        """Let an instance of a unit of the vehicle in a row fail, from 1 on; 0: all of them.

        A failure takes the place of the one before; the type OK ends it.
        """
        if not self._parameters.get(row, "SYS_FAILURE_EN"):
            return Result.DENIED
        try:
            found, failure = FailureUnit(_whole(unit)), FailureType(_whole(kind))
        except ValueError:
            return Result.UNSUPPORTED
        if found not in FAILURES or failure not in (FailureType.OK, *FAILURES[found]):
            return Result.UNSUPPORTED
        numbers = self._numbers(row, found, _whole(instance))
        if numbers is None:
            return Result.UNSUPPORTED
        return self._replace(row, found, failure, numbers)

    def _numbers(self, row: int, unit: FailureUnit, instance: int) -> Sequence[int] | None:
        """Return the actuators of an instance, none of others; None: there is no such instance.

        There is one sensor of a kind, one battery, and one link of a kind. Motors and servos have
        the order of the commands.
        """
        if unit not in _MOTORS:
            return () if instance in (_WHOLE, 1) else None
        found = _actuators(self._group(row), unit)
        if instance == _WHOLE:
            return found or None
        known = instance in range(1, len(found) + 1)
        return [found[instance - 1]] if known else None

    def _replace(
        self, row: int, unit: FailureUnit, failure: FailureType, numbers: Sequence[int]
    ) -> Result:
        source = source_of(unit)
        tables = [] if failure is FailureType.OK else [dict(FAILURES[unit][failure])]
        if numbers:
            tables = [{**table, "actuator": numbers} for table in tables]
        try:
            self._sim.faults.replace(
                row + 1, tables, source, ended={source}, actuator=numbers or None
            )
        except ParameterError as error:
            self._say(row, Severity.CRITICAL, f"INJECT_FAILURE: {error}")
            return Result.UNSUPPORTED
        return Result.ACCEPTED

    def _group(self, row: int) -> Group:
        (group, _, _), *_ = self._sim.select(row + 1)
        return group


class Failure(NamedTuple):
    """What fails: the first three parameters of the command."""

    unit: FailureUnit
    kind: FailureType
    instance: int


def failures_at(sim: Sim, row: int) -> frozenset[Failure]:
    """Return which failures the faults are that act on the vehicle in a row at present.

    Examples
    --------
    >>> import pyrfly
    >>> sim = pyrfly.Sim("x450")
    >>> sim.faults.add("motor", actuator=2)
    >>> sim.faults.add("motor", actuator=3, effectiveness=0.9)
    >>> sim.sleep(0.01)
    >>> [(f.unit.name, f.kind.name, f.instance) for f in failures_at(sim, 0)]
    [('SYSTEM_MOTOR', 'OFF', 2)]
    """
    (group, _, _), *_ = sim.select(row + 1)
    acting = (fault for fault in sim.faults.list(row + 1) if fault.share > 0)
    return frozenset(failure for fault in acting for failure in _failures_of(fault, group))


def _failures_of(fault: Fault, group: Group) -> Iterator[Failure]:
    """Yield the failures that a fault is."""
    for unit, failures in FAILURES.items():
        for kind, table in failures.items():
            if not _is_fault_of(fault, table):
                continue
            if unit not in _MOTORS:
                yield Failure(unit, kind, _WHOLE)
                continue
            for instance, number in enumerate(_actuators(group, unit), start=1):
                if number in fault.items:
                    yield Failure(unit, kind, instance)


def _actuators(group: Group, unit: FailureUnit) -> list[int]:
    """Return the numbers of the motors or servos that there are, from 1."""
    return [k for k in actuators_of(group) if group.ranges[k - 1].is_motor == _MOTORS[unit]]


def _is_fault_of(fault: Fault, table: Table) -> bool:
    """Return whether a fault is what a table says, but for its times and its actuators."""
    row = KINDS[table["kind"]]
    items = table.get(row.of)
    values = {name: table.get(name, value.default) for name, value in row.values.items()}
    return (
        _ALIKE.get(fault.kind, fault.kind) == table["kind"]
        and (items is None or items in fault.items)
        and all(value in (None, fault.values[name]) for name, value in values.items())
    )


def _whole(value: float) -> int:
    """Return a parameter as PX4 rounds it; -1, which is nothing, if it is not finite."""
    return math.floor(value + 0.5) if math.isfinite(value) else -1
