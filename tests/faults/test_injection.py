"""Faults by RflySim's numbers: what their parameters are."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim


def injected(
    sim: Sim, *numbers: int, values: tuple[float, ...] = (), ids: int = 1
) -> tuple[str, ...]:
    """Inject numbers of one or several slots, with parameters from the first on."""
    ints, floats = np.zeros((1, 8), np.int32), np.zeros((1, 20))
    ints[0, : len(numbers)] = numbers
    floats[0, : len(values)] = values
    return sim.faults.inject(ints, floats, ids=ids)


@pytest.mark.parametrize(
    ("number", "column"), [(123450, "command_factor"), (123451, "effect_left")]
)
def test_motors_and_propellers_have_a_share_each_without_a_slot_none(
    number: int, column: str
) -> None:
    sim = Sim("hex_x", 2)
    assert injected(sim, number, number, values=(1, 0.5, 0.75, 0.5), ids=2) == ()
    sim.step(2)
    assert getattr(sim, column)[:, :7].tolist() == [[1] * 7, [1, 0.5, 0.75, 0.5, 0, 0, 1]]


def test_a_number_replaces_what_it_injected_and_nothing_else() -> None:
    sim = Sim("x450")
    sim.faults.add("motor", actuator=4, effectiveness=0.9)
    injected(sim, 123450, 123450, values=(1, 0.5, 1, 1))
    injected(sim, 123450, 123450, values=(0.25, 1, 1, 1))
    sim.step(2)
    assert sim.command_factor[0, :4].tolist() == [0.25, 1, 1, 0.9]
    injected(sim, 123450, 123450, values=(1, 1, 1, 1))
    sim.step(2)
    assert sim.command_factor[0, :4].tolist() == [1, 1, 1, 0.9]
    sim.faults.clear(sources=[0])
    assert sim.faults.list() == ()


def test_a_fault_of_rflysim_ends_with_a_reset_of_the_faults_alone() -> None:
    """It latches: other inputs leave it as it is."""
    sim = Sim("x450")
    sim.enable_synthesis()
    injected(sim, 123459, 123459, values=(1, 2, 3))
    sim.command_sil(command=0)
    sim.step(2)
    assert sim.fault_wind.tolist() == [[1, 2, 3]]
    sim.faults.clear(sources=[123459])
    sim.step(2)
    assert not sim.fault_wind.any()


def test_constant_wind_comes_before_gusts() -> None:
    for order in ((123459, 123540), (123540, 123459)):
        sim = Sim("x450")
        for number in order:
            injected(sim, number, number, values=(2, 6, 0))
        assert [fault.kind for fault in sim.faults.list()] == ["wind"]


def test_gusts_have_a_frequency_per_minute_of_at_least_one() -> None:
    for frequency, period in ((6.0, 10.0), (0.1, 60.0)):
        sim = Sim("x450")
        injected(sim, 123540, values=(2, frequency))
        (fault,) = sim.faults.list()
        assert fault.values == {"wind": (2, 0, 0), "period": period}


@pytest.mark.parametrize(
    ("number", "sensor"),
    [(123544, "accelerometer"), (123545, "gyroscope"), (123546, "magnetometer")],
)
def test_a_gain_of_noise_is_a_fifth_and_four_fifths_of_it(number: int, sensor: str) -> None:
    sim = Sim("x450")
    sim.sensors.enable("imu", "magnetometer")
    injected(sim, number, values=(3,))
    (fault,) = sim.faults.list()
    assert fault[:3] == (1, "sensor_noise", (sensor,))
    assert fault.values["factor"] == pytest.approx(0.2 + 0.8 * 3)


@pytest.mark.parametrize(
    ("numbers", "values", "message"),
    [
        ((123452,), (1,), "123452 .battery time.: .* has no battery"),
        ((123544,), (2,), "accelerometer"),
        ((123450,), (-1, 1), "effectiveness"),
        ((123450,), (np.nan, 1), "finite"),
        ((123459, 123459), (1e30, 0, 0), "wind"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    numbers: tuple[int, ...], values: tuple[float, ...], message: str
) -> None:
    sim = Sim("x450")
    injected(sim, 123540, values=(2, 6))
    (refused,) = injected(sim, *numbers, values=values)
    assert re.search(message, refused)
    assert [fault.kind for fault in sim.faults.list()] == ["gusts"]


def test_more_than_there_is_room_for_leaves_what_was() -> None:
    sim = Sim("octo_x")
    for _ in range(12):
        sim.faults.add("wind", wind=[1, 0, 0])
    injected(sim, 123450, 123450, 123450, 123450, values=(0.5,) * 8)
    (refused,) = injected(sim, *[123450] * 4, values=tuple(0.1 * k for k in range(8)))
    assert "at most 16" in refused
    assert len(sim.faults.list()) == 13


ACTS: dict[int, tuple[tuple[float, ...], str, dict[str, Any]]] = {
    123452: ((2.0,), "hover_time", {"time": 120.0}),
    123453: ((), "power_off", {}),
    123454: ((0.9,), "low_voltage", {"ratio": 0.9}),
    123455: ((0.5,), "low_capacity", {"ratio": 0.5}),
    123456: ((0.2,), "load_fall", {"share": 0.2}),
    123457: ((0.2, 0.5, -1, 0), "load_shift", {"share": 0.2, "offset": (0.1125, -0.225, 0)}),
    123458: ((0.2, 0.1), "load_leak", {"share": 0.2, "leak": 0.1}),
    123547: ((10.0,), "sensor_bias", {"bias": (-120.13, 0, 0)}),
}


@pytest.mark.parametrize("number", ACTS)
def test_supply_load_and_sensors_have_their_parameters(number: int) -> None:
    parameters, kind, values = ACTS[number]
    sim = Sim("sdk")  # with arms of 0.225 m
    sim.power.enable()
    sim.sensors.enable("barometer", "gps")
    assert injected(sim, *[number] * max(1, (len(parameters) + 1) // 2), values=parameters) == ()
    (fault,) = sim.faults.list()
    assert fault.kind == kind
    assert set(fault.values) == set(values)
    for name, value in values.items():
        np.testing.assert_allclose(fault.values[name], value, rtol=1e-12)


def test_the_receiver_has_a_gain_a_fix_and_satellites() -> None:
    """The order of parameters of an example of RflySim's users: 100, 3, 10."""
    sim = Sim("sdk")
    sim.sensors.enable("gps", profile="rflysim")
    assert injected(sim, 123548, 123548, values=(6.0, 2, 7)) == ()
    noise, fix, satellites = sim.faults.list()
    assert noise.values["factor"] == pytest.approx(5.0)
    assert (fix.kind, fix.values) == ("gps_fix", {"fix": 2})
    assert (satellites.kind, satellites.values) == ("gps_satellites", {"satellites": 7})


def test_what_is_injected_again_goes_on() -> None:
    """As of a script that sends its inputs at a rate: gusts keep their waves."""
    sim = Sim("hex_x")
    for _ in range(5):
        injected(sim, 123540, values=(4, 30))
        injected(sim, 123450, 123450, 123450, values=(1, 0.5, 1, 1, 0.5, 1))
        sim.step(10)
    gusts, motor = sim.faults.list()
    assert (gusts.start, motor.start) == (0, 0)
    injected(sim, 123540, values=(5, 30))
    assert sim.faults.list()[0].start == pytest.approx(0.05)


@pytest.mark.parametrize(("number", "kind"), [(123541, "turbulence"), (123542, "shear")])
def test_winds_are_those_of_fault_in_params_times_a_gain(number: int, kind: str) -> None:
    sim = Sim("sdk", 2)
    first = 4 if number == 123541 else 6
    sim.model_params.set("FaultInParams", {first: 5.0, first + 1: 270.0}, ids=2)
    for copter_id in (1, 2):
        assert injected(sim, number, values=(2.0,), ids=copter_id) == ()
    published, given = sim.faults.list()
    assert published.kind == given.kind == kind
    angle = np.radians(1.0)
    expected = [-6 * np.cos(angle), -6 * np.sin(angle), 0]
    np.testing.assert_allclose(published.values["wind"], expected, atol=1e-12)
    np.testing.assert_allclose(given.values["wind"], [0, 10, 0], atol=1e-12)


def test_the_wind_with_priority_ends_the_others_and_keeps_them_off() -> None:
    sim, winds = Sim("sdk"), (123542, 123541, 123540, 123459)
    for number in winds:
        assert injected(sim, number, values=(2, 3)) == ()
        assert [fault.kind for fault in sim.faults.list()] == [KINDS_OF_WIND[number]]
    for number in winds[:3]:
        assert injected(sim, number, values=(2, 3)) == ()
    assert injected(sim, 123543, values=(0.5,)) == ()
    assert [fault.kind for fault in sim.faults.list()] == ["wind", "wind_noise"]


KINDS_OF_WIND = {123542: "shear", 123541: "turbulence", 123540: "gusts", 123459: "wind"}


def test_a_motor_that_shakes_is_weak_and_noisy() -> None:
    sim = Sim("sdk")
    sim.sensors.enable("imu")
    values = (1, 0.5, 1, 1, *[0] * 12, 6.0)
    assert injected(sim, 123549, 123549, values=values) == ()
    motor, noise = sim.faults.list()
    assert (motor.kind, motor.items) == ("motor", (2,))
    assert noise.items == ("accelerometer", "gyroscope")
    assert noise.values["factor"] == pytest.approx(5.0)


def test_an_offset_of_the_load_needs_arms() -> None:
    (text,) = injected(Sim("rover"), 123457, values=(0.2, 1))
    assert "expected a vehicle with arms" in text


def many(n: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Return inputs of vehicles with different numbers, patterns of motors and values."""
    ints, floats = np.zeros((n, 8), np.int32), np.zeros((n, 20))
    motors, wind, gusts, gps, bad = (np.arange(n) % 5 == k for k in range(5))
    ints[motors, :3], ints[wind, 1:3], ints[gusts, 4] = 123450, 123459, 123540
    ints[gps, :2], ints[bad, 0], ints[wind, 5] = 123548, 123452, 123540
    floats[:] = np.round(np.random.default_rng(3).uniform(0.1, 0.9, (n, 20)), 1)
    floats[motors, :2], floats[5, 3] = 1.0, np.nan
    return ints, floats


def test_many_vehicles_at_once_have_what_each_has_alone() -> None:
    ints, floats = many()
    together, alone = Sim({"hex_x": 7, "x450": 5}), Sim({"hex_x": 7, "x450": 5})
    refused: list[str] = []
    for sim in (together, alone):
        sim.sensors.enable("gps")
        sim.model_params.set("FaultInParams", {9: 90.0}, ids=3)
    for _ in range(2):
        found = together.faults.inject(ints, floats)
        refused += [
            text
            for k in range(12)
            for text in alone.faults.inject(ints[k : k + 1], floats[k : k + 1], ids=k + 1)
        ]
    assert set(found) == set(refused)
    assert len(found) == 3
    for sim in (together, alone):
        sim.step(2)
    assert together.faults.list() == alone.faults.list()
    assert {fault.copter_id for fault in together.faults.list()} == {1, 2, 3, 4, 7, 8, 9, 11, 12}


def test_a_thousand_vehicles_are_no_loop_over_vehicles() -> None:
    """Calls of functions do not grow with them: patterns of motors are few."""

    def calls(n: int) -> int:
        count = 0

        def counted(*_: Any) -> None:
            nonlocal count
            count += 1

        ints, floats = np.full((n, 8), 0, np.int32), np.ones((n, 20))
        ints[:, :3], floats[:, 2] = 123450, np.linspace(0, 0.9, n)
        sim = Sim("hex_x", n)
        sys.setprofile(counted)
        try:
            refused = sim.faults.inject(ints, floats)
        finally:
            sys.setprofile(None)
        assert refused == ()
        sim.step(2)
        np.testing.assert_allclose(sim.command_factor[:, 2], floats[:, 2])
        return count

    assert calls(1000) < 1.2 * calls(10)
