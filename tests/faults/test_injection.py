"""Faults by RflySim's numbers: what their parameters are."""

from __future__ import annotations

import re

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
        ((123453,), (), "123453 .power off.: there is no such fault"),
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
