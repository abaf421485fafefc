"""Outputs of mixers: worked examples, the outputs of PX4 itself, and the documented rules."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly.errors import MixerError, ShapeError
from pyrfly.mixers import (
    CONTROLS,
    GEOMETRIES,
    Airmode,
    Mixer,
    channel_controls,
    controls,
    load,
    parse,
)

# A flying wing and a small helicopter, written from the numbers of [@rfly-model-api 3.4].
WING = b"""Elevons on outputs 0 and 1, a motor on 3.
M: 2
S: 0 0  -8000  -8000      0 -10000 10000
S: 0 1   6000   6000      0 -10000 10000
M: 2
S: 0 0  -8000  -8000      0 -10000 10000
S: 0 1  -6000  -6000      0 -10000 10000
Z:
M: 1
S: 0 3      0  20000 -10000 -10000 10000
"""
HELICOPTER = b"""H: 3
T: 0 3000 6000 8000 10000
P: 500 1500 2500 3500 4500
S:   0 10000 10000 0 -8000 8000
S: 140 13054 10000 0 -8000 8000
S: 220 13054 10000 0 -8000 8000
M: 1
S: 0 2 10000 10000 0 -10000 10000
"""


def mixer(text: bytes | str) -> Mixer:
    return Mixer(parse(text if isinstance(text, bytes) else text.encode()))


# Airmode, thrust factor, roll, pitch, yaw and thrust, and the outputs of the mixer library of PX4
# v1.13.3, which was compiled by itself for this.
PX4 = [
    ("4x", 0, 0, (0.3, -0.2, 0.1, 0.6), (-0.414214, 1.0, 0.034314, -0.248529)),
    ("4x", 0, 0, (1, 0, 0, 0.2), (-1.0, -0.2, -0.2, -1.0)),
    ("4x", 0, 0, (0.5, 0.5, 1, 0.9), (0.414214, -0.414214, 1.0, -1.0)),
    ("4x", 1, 0, (1, 0, 0, 0.2), (-1.0, 1.0, 1.0, -1.0)),
    ("4x", 1, 0, (-0.4, 0.8, -1, 1), (1.0, -1.0, 0.265686, -0.865685)),
    ("4x", 2, 0, (0.2, 0.1, 1, 0.05), (0.717157, 1.0, -0.151471, -1.0)),
    ("4w", 0, 0, (0.4, -0.6, 0.5, 0.7), (-0.957084, 1.0, -1.0, 0.210381)),
    ("4w", 2, 0, (1, 1, 1, 0.5), (1.0, 1.0, 1.0, -1.0)),
    (
        *("6x", 0, 0.3, (0.3, 0.3, -0.5, 0.4)),
        (-0.680163, 0.476686, 0.680532, -1.0, 0.184144, -0.303001),
    ),
    ("6c", 1, 0, (-0.7, 0.2, 0.6, 0.1), (1.0, 1.0, -0.599982, -0.599982, -1.0, -1.0)),
    (
        *("8+", 2, 0.5, (0.9, -0.9, 0.3, 0.8)),
        (-1.0, 1.0, -1.0, 0.236068, 0.236068, 1.0, 1.0, -1.0),
    ),
    ("3y", 0, 0, (0.5, -0.5, 1, 0.5), (-1.0, 0.0, 1.0)),
    ("6t", 1, 0.1, (0.6, -0.4, 0.2, 0.9), (-1.0, -1.0, 1.0, 1.0, 0.926745, 0.926745)),
    ("4dc", 0, 0, (-1, 1, 0.4, 0.95), (1.0, 0.034561, 0.4, -0.749438)),
]


@pytest.mark.parametrize(("key", "airmode", "factor", "command", "outputs"), PX4)
def test_motors_are_those_of_px4(
    key: str, airmode: int, factor: float, command: tuple[float, ...], outputs: tuple[float, ...]
) -> None:
    values: dict[str, Any] = dict(zip(("roll", "pitch", "yaw", "thrust"), command, strict=True))
    found = mixer(f"R: {key}\n")(airmode=airmode, thrust_factor=factor, **values)
    np.testing.assert_allclose(found, outputs, atol=3e-6)


def test_the_flying_wing_of_the_manual() -> None:
    wing = mixer(WING)
    np.testing.assert_allclose(wing(roll=0.5, pitch=0.2, thrust=0.6), [-0.28, -0.52, 0, 0.2])
    assert wing(thrust=-0.5)[3] == -1.0  # negative counts as 0
    assert wing(thrust=1)[3] == 1.0


@pytest.mark.parametrize(
    ("command", "outputs"),
    [
        ({"pitch": 0.5}, (0.2, 0.75, -0.25, -0.25)),
        ({"roll": 0.5}, (0.2, 0.25, -0.1695, 0.6695)),
        ({"pitch": 1.0}, (0.2, 0.8, -0.75, -0.75)),  # limited to 0.8
    ],
)
def test_the_helicopter_of_the_manual(
    command: dict[str, float], outputs: tuple[float, ...]
) -> None:
    np.testing.assert_allclose(
        mixer(HELICOPTER)(thrust=0.5, yaw=0.3, **command), [*outputs, 0.3], atol=1e-4
    )


@pytest.mark.parametrize(
    ("thrust", "throttle", "collective"),
    [(0, -1, 0.05), (0.125, -0.7, 0.1), (0.625, 0.4, 0.3), (1, 1, 0.45), (-1, -1, -0.35)],
)
def test_curves_of_a_helicopter_are_straight_between_their_points(
    thrust: float, throttle: float, collective: float
) -> None:
    outputs = mixer(HELICOPTER)(thrust=thrust)
    np.testing.assert_allclose(outputs, [throttle, *[collective] * 3, 0], atol=1e-12)


def test_the_collective_pitch_is_limited() -> None:
    text = HELICOPTER.replace(b"P: 500 1500 2500 3500 4500", b"P: 500 1500 2500 9000 9000")
    assert mixer(text)(thrust=1)[1] == 0.5


def test_gains_of_a_sum_depend_on_the_sign() -> None:
    text = (
        "M: 2\nO: 5000 20000 1000 -3000 4000\nS: 0 0 10000 5000 0 -10000 10000\n"
        "S: 2 7 -10000 -10000 2000 -10000 1000\n"
    )
    found = mixer(text)(roll=[-0.4, 0.4, 0.1, -1.0], parachute=[0.5, 0.3, 0.15, 1.0])
    # sums -0.4 - 0.3, 0.2 - 0.1, 0.05 + 0.05, -1 - 0.8
    np.testing.assert_allclose(found[:, 0], [-0.25, 0.3, 0.3, -0.3])


# --- the rules of PX4's multirotor mixer, written again for one vehicle in plain Python


def gain(motors: list[float], axis: list[float], high: float) -> float:
    steps = [0.0]
    for motor, a in zip(motors, axis, strict=True):
        if abs(a) > 2.0**-23:
            if motor < 0:
                steps.append((0 - motor) / a)
            if motor > high:
                steps.append((high - motor) / a)
    return min(steps) + max(steps)


def moved(
    motors: list[float], axis: list[float], high: float = 1.0, reduce_only: bool = False
) -> list[float]:
    first = gain(motors, axis, high)
    if reduce_only and first > 0:
        return motors
    motors = [m + first * a for m, a in zip(motors, axis, strict=True)]
    second = 0.5 * gain(motors, axis, high)
    return [m + second * a for m, a in zip(motors, axis, strict=True)]


def motors_of(key: str, airmode: int, factor: float, command: list[float]) -> list[float]:
    roll, pitch, yaw, thrust = (
        max(low, min(1.0, value))
        for value, low in zip(command, (-1.0, -1.0, -1.0, 0.0), strict=True)
    )
    axes = [list(axis) for axis in zip(*GEOMETRIES[key], strict=True)]
    motors = [roll * r + pitch * p + thrust * t for r, p, _, t in GEOMETRIES[key]]
    if airmode == 2:
        motors = [m + yaw * y for m, y in zip(motors, axes[2], strict=True)]
        motors = moved(moved(motors, axes[3]), axes[2])
    else:
        if airmode == 1:
            motors = moved(motors, axes[3])
        else:
            motors = moved(motors, axes[3], reduce_only=True)
            motors = moved(moved(motors, axes[0]), axes[1])
        motors = [m + yaw * y for m, y in zip(motors, axes[2], strict=True)]
        motors = moved(moved(motors, axes[2], high=1.15), axes[3], reduce_only=True)
    if factor > 0:
        b = (1 - factor) / (2 * factor)
        motors = [math.sqrt(b**2 + max(m, 0) / factor) - b for m in motors]
    return [max(-1.0, min(1.0, 2 * m - 1)) for m in motors]


@pytest.mark.parametrize("key", sorted(GEOMETRIES))
@pytest.mark.parametrize("airmode", Airmode)
@pytest.mark.parametrize("factor", [0.0, 0.4])
def test_motors_follow_the_documented_rules(key: str, airmode: int, factor: float) -> None:
    seed = [ord(letter) for letter in key] + [airmode]
    print("seed", seed)
    commands = np.random.default_rng(seed).uniform(-1.2, 1.2, (60, 4))
    commands[:9] = [[r, p, 0.5, 0.5] for r in (-1, 0, 1) for p in (-1, 0, 1)]
    groups = np.zeros((60, 4, 8))
    groups[:, 0, :4] = commands
    found = mixer(f"R: {key}\n")(groups, airmode=airmode, thrust_factor=factor)
    expected = [motors_of(key, airmode, factor, list(map(float, row))) for row in commands]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_airmode_raises_the_thrust() -> None:
    quad = mixer("R: 4x\n")
    assert (quad(roll=0.5, thrust=0) == -1).all()
    assert quad(roll=0.5, thrust=0, airmode=Airmode.ROLL_PITCH).max() > -0.5
    assert quad(yaw=0.5, thrust=0, airmode=1).tolist() == quad(thrust=0).tolist()
    assert quad(yaw=0.5, thrust=0, airmode=Airmode.ROLL_PITCH_YAW).max() > -0.5


def test_the_thrust_factor_makes_the_thrust_linear() -> None:
    thrust = np.linspace(0, 1, 11)
    throttle = (mixer("R: 4x\n")(thrust=thrust, thrust_factor=0.6) + 1) / 2
    np.testing.assert_allclose(0.4 * throttle + 0.6 * throttle**2, thrust[:, None] * np.ones(4))


# --- fleets


@pytest.mark.parametrize("text", [WING, HELICOPTER, b"R: 6c\nR: 4w\n"])
def test_outputs_do_not_depend_on_the_other_vehicles(text: bytes) -> None:
    seed = len(text)
    print("seed", seed)
    groups = np.random.default_rng(seed).uniform(-1, 1, (37, 4, 8))
    all_at_once = mixer(text)(groups)
    one_by_one = np.array([mixer(text)(group) for group in groups])
    assert all_at_once.tobytes() == one_by_one.tobytes()


def test_controls_go_to_their_places() -> None:
    groups = controls(**{name: (k + 1) / 100 for k, name in enumerate(CONTROLS)})
    for k, place in enumerate(CONTROLS.values()):
        assert groups[place] == (k + 1) / 100
    assert np.count_nonzero(groups) == len(CONTROLS) == 29
    assert CONTROLS["thrust"] == (0, 3)
    assert CONTROLS["alt_thrust"] == (1, 3)
    assert CONTROLS["parachute"] == (2, 7)
    assert CONTROLS["rc_aux1"] == (3, 5)


def test_channels_can_be_controls() -> None:
    channels = np.arange(32).reshape(2, 16) / 100
    groups = channel_controls(channels)
    assert groups.shape == (2, 4, 8)
    assert (groups[1, 0], groups[1, 1]) == (
        pytest.approx(channels[1, :8]),
        pytest.approx(channels[1, 8:]),
    )
    assert not groups[:, 2:].any()
    np.testing.assert_array_equal(channel_controls(channels[1]), groups[1])
    for wrong in (np.zeros(8), np.zeros((2, 2, 16)), 0.0):
        with pytest.raises(ShapeError, match="channels: expected"):
            channel_controls(wrong)
    with pytest.raises(ValueError, match="channels: expected finite"):
        channel_controls([np.nan] * 16)


def test_controls_are_limited() -> None:
    quad = mixer(WING)
    assert quad(roll=7.0).tolist() == quad(roll=1.0).tolist()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rol": 1}, TypeError, "controls: expected names such as roll, .*got 'rol'"),
        ({"roll": math.nan}, ValueError, "roll: expected finite values"),
        ({"roll": "1"}, TypeError, "roll: expected"),
        ({"roll": [[1]]}, ShapeError, "controls: expected"),
        ({"roll": [1, 2], "yaw": [1, 2, 3]}, ShapeError, r"got roll \(2,\), yaw \(3,\)"),
        ({"groups": np.zeros((3, 8))}, ShapeError, r"controls: expected shape \(n, 4, 8\)"),
        ({"groups": np.zeros((4, 8)), "roll": 1}, TypeError, "expected groups or controls by name"),
        ({"groups": np.full((4, 8), np.inf)}, ValueError, "controls: expected finite values"),
        ({"airmode": 3}, ValueError, r"airmode: expected one of 0 \(DISABLED\)"),
        ({"thrust_factor": 1.1}, ValueError, "thrust_factor: expected 0 to 1, got 1.1"),
        ({"thrust_factor": math.nan}, ValueError, "thrust_factor: expected 0 to 1"),
    ],
)
def test_a_bad_argument_is_named(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        mixer("R: 4x\n")(**arguments)


# --- files


def test_outputs_of_files_follow_each_other(tmp_path: Path) -> None:
    """A VTOL: motors of hover in one file, aileron and pusher of fixed-wing flight in another."""
    main, aux = tmp_path / "vtol.main.mix", tmp_path / "vtol.aux.mix"
    main.write_text("R: 4x\n")
    aux.write_text(
        "M: 1\nS: 1 0 10000 10000 0 -10000 10000\nM: 1\nS: 1 3 0 20000 -10000 -10000 10000\n"
    )
    vtol = load(main, str(aux))
    assert vtol.count == 6
    outputs = vtol(thrust=0.4, alt_roll=0.3, alt_thrust=0.8)
    np.testing.assert_allclose(outputs, [-0.2] * 4 + [0.3, 0.6])
    assert repr(vtol) == "<Mixer with 6 outputs: Multirotor, Sum, Sum>"


def test_a_file_is_named_in_errors(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mix"
    bad.write_bytes(b"R: 4x\nM: 1\n")
    with pytest.raises(MixerError, match=r"bad\.mix, line 2: M: expected a line S:"):
        load(bad)
    with pytest.raises(MixerError, match=r"none\.mix: cannot be read: No such file"):
        load(tmp_path / "none.mix")
    with pytest.raises(MixerError, match="expected a regular file"):
        load(tmp_path)
    bad.write_bytes(b"#" * 70000)
    with pytest.raises(MixerError, match=r"expected at most 0\.065536 MB"):
        load(bad)
    with pytest.raises(MixerError, match="paths: expected at least one"):
        load()


def test_every_output_is_described() -> None:
    both = mixer(WING + HELICOPTER)
    texts = both.descriptions()
    assert len(texts) == both.count == len(list(both.each()))
    assert texts[:4] == ["-0.8 roll + 0.6 pitch", "-0.8 roll - 0.6 pitch", "nothing", texts[3]]
    assert texts[3] == "(0 or 2) thrust - 1"
    assert texts[6] == "servo 2 of the swash plate: 140 deg"
    tilt = "M: 1\nO: 5000 5000 1000 0 10000 15000\nS: 1 4 10000 10000 0 -10000 10000\n"
    assert mixer(tilt).descriptions() == ["0.5 (1 aux0) + 0.1 in [0, 1], 1.5 s from -1 to 1"]
