"""`Sim.faults` with arguments of all kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly import ParameterError, ShapeError, Sim
from pyrfly.columns import fields_of_part
from pyrfly.protocol.bits import FaultKind, FaultySensor
from pyrfly.sim.fault_kinds import KINDS, Value
from pyrfly.vehicles import FAMILIES, names


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"kind": "moter", "actuator": 1}, ValueError, "'motor'|motor"),
        ({"kind": 3}, ValueError, "kind"),
        ({"kind": "motor"}, TypeError, "actuator: expected"),
        ({"kind": "motor", "actuator": 9}, ParameterError, "actuator: expected 1 to 4"),
        ({"kind": "motor", "actuator": 0}, ParameterError, "actuator: expected 1 to 4"),
        ({"kind": "motor", "actuator": 1.5}, TypeError, "actuator"),
        ({"kind": "motor", "actuator": ()}, TypeError, "actuator"),
        ({"kind": "motor", "actuator": 1, "sensor": "gps"}, ValueError, "sensor: expected None"),
        ({"kind": "motor", "actuator": 1, "effectiveness": np.nan}, ValueError, "effectiveness"),
        ({"kind": "motor", "actuator": 1, "effectiveness": -1}, ValueError, "effectiveness"),
        ({"kind": "motor", "actuator": 1, "efectiveness": 1}, TypeError, "efectiveness.*effect"),
        ({"kind": "motor", "actuator": 1, "at": -1}, ValueError, "at: expected 0 s"),
        ({"kind": "motor", "actuator": 1, "at": [1, 2, 3]}, ShapeError, "at"),
        ({"kind": "motor", "actuator": 1, "duration": 0}, ValueError, "duration"),
        ({"kind": "motor", "actuator": 1, "rate": -1}, ValueError, "rate"),
        ({"kind": "motor", "actuator": 1, "ramp": np.inf}, ValueError, "ramp"),
        ({"kind": "motor", "actuator": 1, "ids": 3}, ValueError, "ids: expected"),
        ({"kind": "motor", "actuator": 1, "ids": [1, 1]}, ValueError, "once"),
        ({"kind": "actuator_stuck", "actuator": 1}, TypeError, "value: expected"),
        ({"kind": "gps_fix", "ramp": 1}, ValueError, "ramp: expected 0 for 'gps_fix'"),
        ({"kind": "wind", "wind": [1, 2]}, ShapeError, "wind"),
        ({"kind": "gusts", "wind": [1, 2, 3], "period": 0}, ValueError, "period"),
        ({"kind": "sensor_scale", "sensor": "gps", "factor": 2}, ValueError, "sensor: expected"),
        ({"kind": "sensor_bias", "sensor": "gyro", "bias": 1}, ValueError, "gyroscope"),
        ({"kind": "sensor_bias", "sensor": "range", "bias": 1}, ParameterError, "range"),
        ({"kind": "sensor_bias", "sensor": "gps", "bias": 1}, ShapeError, "bias"),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    sim = Sim("x450", 2)
    sim.sensors.enable("gps", profile="ideal")
    with pytest.raises(error, match=message):
        sim.faults.add(**arguments)
    assert sim.faults.list() == ()


@pytest.mark.parametrize("vehicle", [names(family)[0] for family in FAMILIES])
def test_actuators_that_move_nothing_have_no_faults(vehicle: str) -> None:
    sim = Sim(vehicle)
    ranges = sim.groups[0].ranges
    there = [number for number, a in enumerate(ranges, start=1) if a.low < a.high]
    for number in range(1, len(ranges) + 1):
        if number in there:
            sim.faults.add("actuator_stuck", actuator=number, value=0.1)
            continue
        with pytest.raises(ParameterError, match=f"actuator: expected .*{there[-1]}"):
            sim.faults.add("actuator_stuck", actuator=number, value=0.1)
    assert [fault.items for fault in sim.faults.list()] == [(number,) for number in there]


def test_no_vehicles_have_no_faults() -> None:
    sim = Sim("x450")
    sim.faults.add("wind", ids=[], wind=[1, 0, 0])
    sim.faults.add("wind", wind=[1, 0, 0])
    sim.faults.replace([], [{"kind": "power_off"}], 1, ended={0})
    assert sim.faults.list([]) == ()
    assert [fault.kind for fault in sim.faults.list()] == ["wind"]


@pytest.mark.filterwarnings("ignore::pyrfly.ParameterWarning")
def test_the_plain_model_has_no_faults() -> None:
    with pytest.raises(ParameterError, match="faults"):
        Sim("cs2019", effects="plain").faults.add("motor", actuator=1)


def test_a_vehicle_has_sixteen_faults_at_a_time() -> None:
    sim = Sim("x450", 2)
    for _ in range(16):
        sim.faults.add("wind", wind=[1, 0, 0], ids=1)
    with pytest.raises(ParameterError, match="at most 16"):
        sim.faults.add("wind", wind=[1, 0, 0])
    assert len(sim.faults.list()) == 16
    sim.step(2)
    assert sim.fault_wind[:, 0].tolist() == [16, 0]


def test_every_kind_of_the_core_has_its_name() -> None:
    names = {name.upper(): kind.number for name, kind in KINDS.items()}
    assert names == {str(kind.name): kind for kind in FaultKind if kind}


def test_words_of_no_kind_do_nothing() -> None:
    sim = Sim("x450")
    sim.enable_part("faults")
    sim.fault_kind = 4_000_000_000
    sim.fault_items = 2**32 - 1
    sim.fault_strength = 1e300
    sim.step(4)
    assert not sim.faults_active.any()
    assert (sim.command_factor == 1).all()


def vehicle() -> Sim:
    """Return a hovering vehicle that may have all kinds of faults."""
    sim = Sim("x450", precision="float32")
    sim.environment.enable("atmosphere", "magnetic")
    sim.sensors.enable("imu", "magnetometer", "barometer", "airspeed", "gps", "range")
    sim.power.enable()
    sim.estimator.enable()
    sim.reset(pos=[0, 0, -30], hover=True)
    return sim


def arguments_of(kind: str, number: Callable[[Value], float]) -> dict[str, Any]:
    """Return arguments of a kind with a number for each of its values."""
    row = KINDS[kind]
    values: dict[str, Any] = {
        name: [number(value)] * 3 if value.width == 3 else number(value)
        for name, value in row.values.items()
    }
    sensor = "gyroscope" if row.sensors & FaultySensor.GYROSCOPE else None
    first = {"actuator": 1, "sensor": sensor, "link": "rc"}
    return {**values, row.of: first[row.of]} if row.of else values


@pytest.mark.parametrize("removed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_left_of_a_fault(kind: str, removed: bool) -> None:
    progress = {"fault_share", "fault_onset", "fault_next", "fault_runs", "faults_drawn"}
    names = {field.name for field in fields_of_part("faults")} - progress
    sim = vehicle()
    sim.enable_part("faults")
    sim.step(2)
    before = {name: np.array(getattr(sim, name)) for name in names}
    some = arguments_of(kind, lambda value: min(max(0.5, value.minimum), value.maximum))
    sim.faults.add(kind, **some, duration=None if removed else 0.1)
    sim.sleep(0.1)
    assert any(not np.array_equal(getattr(sim, name), before[name]) for name in names)
    if not removed:
        sim.sleep(0.1)
    sim.faults.clear()
    sim.sleep(0.1)
    for name in names:
        np.testing.assert_array_equal(getattr(sim, name), before[name], name)
