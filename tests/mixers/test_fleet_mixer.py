"""Mixers with memory: limits of the rate, arming, failsafe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly.errors import ShapeError
from pyrfly.mixers import Arming, FleetMixer, Mixer, Pulses, controls, motor_channels, parse

ROLL = "S: 0 0 10000 10000 0 -10000 10000\n"
THRUST = "S: 0 3 10000 10000 0 -10000 10000\n"
ALT_THRUST = "S: 1 3 10000 10000 0 -10000 10000\n"


def fleet(text: str, n: int = 1, **settings: Any) -> FleetMixer:
    return FleetMixer(Mixer(parse(text.encode())), n, **settings)


def slow(seconds: float) -> str:
    return f"M: 1\nO: 10000 10000 0 -10000 10000 {round(seconds * 10000)}\n{ROLL}"


def test_a_traversal_time_limits_the_rate_of_a_sum() -> None:
    """2 s from limit to limit: at most 1 per second, of an output of -1 to 1."""
    servo = fleet(slow(2.0), 2)
    for k in range(1, 201):
        outputs = servo.update(controls(roll=[1.0, -0.35]), dt=0.01)
        np.testing.assert_allclose(outputs.values[:, 0], [min(k / 100, 1), -min(k / 100, 0.35)])
    servo.update(controls(roll=-1.0), dt=0.5)
    np.testing.assert_allclose(servo.update(controls(roll=-1.0), dt=1.5).values, [[-1], [-1]])


def test_without_a_time_there_is_no_limit() -> None:
    servo = fleet(slow(2.0))
    assert servo.update(controls(roll=1.0)).values == 1.0
    assert servo.update(controls(roll=0.0), dt=0.0).values == 1.0
    assert servo.update(controls(roll=0.0), dt=0.5).values == 0.5


def test_a_slew_time_limits_motors_from_standstill() -> None:
    motors = fleet("R: 4x\nM: 1\n" + ROLL, slew_time=0.5)
    outputs = motors.update(controls(thrust=1.0, roll=0.0), dt=0.1)
    np.testing.assert_allclose(outputs.values, [[-0.6, -0.6, -0.6, -0.6, 0]])
    np.testing.assert_allclose(
        motors.update(controls(roll=1.0), dt=0.05).values, [[-0.8, -0.8, -0.8, -0.8, 1]]
    )


def test_a_reset_forgets_outputs() -> None:
    servo = fleet(slow(2.0), 3)
    servo.update(controls(roll=1.0), dt=1.0)
    servo.reset([0, 2])
    assert servo.update(controls(roll=0.0), dt=0.25).values.tolist() == [[0.0], [0.75], [0.0]]
    servo.reset()
    assert servo.update(controls(roll=1.0), dt=0.25).values.tolist() == [[0.25]] * 3


@pytest.mark.parametrize(
    ("text", "prearmed"),
    [
        (f"M: 1\n{ROLL}", [True]),
        (f"M: 1\n{THRUST}", [False]),
        (f"M: 2\n{ROLL}{THRUST}", [False]),  # also its share of roll
        (f"M: 1\n{ALT_THRUST}", [False]),
        ("R: 4x\n", [False] * 4),
        ("H: 3\nT: 0 0 0 0 0\nP: 0 0 0 0 0\n" + "S: 0 1 1 0 -1 1\n" * 3, [False] * 4),
    ],
)
def test_outputs_with_a_thrust_need_an_armed_vehicle(text: str, prearmed: list[bool]) -> None:
    commands = controls(roll=0.5, thrust=0.5, alt_thrust=0.5)
    mixer = fleet(f"{text}Z:\n", 3)
    outputs = mixer.update(commands, arming=[Arming.DISARMED, Arming.PREARMED, Arming.ARMED])
    count = len(prearmed)
    assert outputs.driven.tolist() == [
        [False] * (count + 1),
        [*prearmed, False],
        [True] * count + [False],
    ]
    assert (outputs.values[~outputs.driven] == 0).all()
    np.testing.assert_array_equal(outputs.values[2, :count], mixer.mixer(commands)[:count])


def test_motors_start_from_standstill_when_armed() -> None:
    motors = fleet(f"R: 4x\nM: 1\nO: 10000 10000 0 -10000 10000 10000\n{THRUST}", slew_time=1.0)
    full = controls(thrust=1.0)
    for _ in range(50):
        motors.update(full, dt=0.1, arming=Arming.DISARMED)
    np.testing.assert_allclose(motors.update(full, dt=0.1).values, [[-0.8] * 5])


def test_failsafe_takes_all_outputs() -> None:
    text = f"M: 1\n{ROLL}Z:\nM: 1\n{THRUST}"
    commands = controls(roll=0.5, thrust=0.5)
    off = fleet(text, 2).update(commands, failsafe=[True, False])
    assert off.driven.tolist() == [[False] * 3, [True, False, True]]
    values = fleet(text, 2, failsafe=[0.1, -0.7, -1.0])
    outputs = values.update(commands, failsafe=[True, False])
    assert outputs.values.tolist() == [[0.1, -0.7, -1.0], [0.5, 0.0, 0.5]]
    assert outputs.driven.tolist() == [[True] * 3, [True, False, True]]
    disarmed = values.update(commands, failsafe=True, arming=Arming.DISARMED)
    assert disarmed.values.tolist() == [[0.1, -0.7, -1.0]] * 2


def test_pulses_are_those_of_px4() -> None:
    """1000 to 2000 us, 900 us where nothing is driven: also of Z:, as by PX4 1.12."""
    mixer = fleet(f"Z:\nM: 1\n{ROLL}M: 1\n{THRUST}", 3)
    outputs = mixer.update(controls(roll=[-1.0, 0.2, 1.0], thrust=0.5003), arming=[2, 1, 0])
    assert outputs.pwm().tolist() == [[900, 1000, 1750], [900, 1600, 900], [900, 900, 900]]
    servo = Pulses(minimum=1100, maximum=1900, disarmed=1500)
    assert outputs.pwm(servo).tolist() == [[1500, 1100, 1700], [1500, 1580, 1500], [1500] * 3]


def test_commands_of_motors_are_0_to_1() -> None:
    outputs = fleet(f"M: 1\n{ROLL}M: 1\n{ROLL}Z:\n").update(controls(roll=-0.5))
    assert outputs.commands([True, False, True]).tolist() == [[0.25, -0.5, 0.0]]


@pytest.mark.parametrize(
    ("types", "count"),
    # airship, coaxial, two rotors; tricopter; quadrotor, tailsitter, tiltrotor; VTOL 4 + 1; 6; 8
    [((7, 3, 19), 2), ((15,), 3), ((2, 20, 21), 4), ((22,), 5), ((13,), 6), ((14,), 8)],
)
def test_first_channels_are_motors(types: tuple[int, ...], count: int) -> None:
    for mav_type in types:
        assert motor_channels(mav_type) == tuple(range(count))


def test_channels_of_other_vehicles() -> None:
    assert motor_channels(1) == (4,)  # fixed wing
    assert motor_channels(12) == motor_channels(10) == motor_channels(0) == ()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"groups": np.zeros((3, 4, 8))}, ShapeError, r"controls: expected shape \(2, 4, 8\)"),
        ({"groups": np.zeros((1, 4, 8))}, ShapeError, r"controls: expected shape \(2, 4, 8\)"),
        ({"dt": -0.1}, ValueError, r"dt: expected at least 0 \[s\], got -0.1"),
        ({"dt": np.nan}, ValueError, "dt: expected finite"),
        ({"arming": 3}, ValueError, r"arming: .*got 3"),
        ({"arming": 0.5}, ValueError, "arming: expected 0 to 2"),
        ({"arming": [1, 2, 0]}, ShapeError, r"arming: expected shape \(2,\) or \(\)"),
        ({"failsafe": 2}, ValueError, "failsafe: expected 0 to 1"),
    ],
)
def test_a_bad_argument_changes_nothing(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    servo = fleet(slow(2.0), 2)
    servo.update(controls(roll=0.5), dt=1.0)
    with pytest.raises(error, match=message):
        servo.update(**{"groups": controls(roll=1.0), "dt": 1.0} | arguments)
    assert servo.update(controls(roll=1.0), dt=0.25).values.tolist() == [[0.75]] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, r"n: .*got 0"),
        ({"n": 1.0}, "n: expected a number"),
        ({"slew_time": -1}, "slew_time: expected at least 0"),
        ({"failsafe": [0.0]}, r"failsafe: .*got \(1,\)"),
        ({"failsafe": [2.0] * 4}, "failsafe: expected finite values up to 1"),
        ({"airmode": -1}, "airmode: expected one of"),
        ({"thrust_factor": 2}, "thrust_factor: expected 0 to 1"),
    ],
)
def test_bad_settings_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fleet("R: 4x\n", **{"n": 2} | arguments)
