"""Parameter files of blocks: shared entries, names of parts, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError
from pyrfly.vehicles import load, names
from pyrfly.vehicles.gazebo_blocks.rules import CAPACITY, KINDS, RANGES

HEAD = """
family = "gazebo_blocks"
name = "mine"

[mass]
value = 1.0
unit = "kg"

[inertia]
value = [0.1, 0.1, 0.15, 0.0, 0.0, 0.0]
unit = "kg m^2"
"""
MOTOR = """
[[motor]]
name = "front"
channel = { value = 2, unit = "1" }
scaling = { value = 900, unit = "rad/s" }
limit = { value = 900, unit = "rad/s" }
lags = { value = [0.02, 0.03], unit = "s" }
position = { value = [0.3, 0.0, 0.0], unit = "m" }
direction = { value = 1, unit = "1" }
thrust = { value = 1e-5, unit = "N s^2" }
moment = { value = 0.02, unit = "m" }
"""
JOINT = """
[[joint]]
name = "elevator"
channel = { value = 5, unit = "1" }
scaling = { value = 0.5, unit = "rad" }
limit = { value = [-0.4, 0.4], unit = "rad" }
"""
SURFACES = """
[surfaces]
stall = { value = 0.3, unit = "rad" }
lift = { value = 4.5, unit = "1/rad" }
drag = { value = 0.6, unit = "1/rad" }
lift_stalled = { value = -3.0, unit = "1/rad" }
drag_stalled = { value = -0.9, unit = "1/rad" }
zero_lift = { value = 0.05, unit = "rad" }

[[surface]]
position = { value = [0.0, -0.4, 0.0], unit = "m" }
area = { value = 0.3, unit = "m^2" }

[[surface]]
position = { value = [-0.5, 0.0, 0.0], unit = "m" }
area = { value = 0.05, unit = "m^2" }
lift = { value = 4.0, unit = "1/rad" }
joint = "elevator"
joint_lift = { value = -2.0, unit = "1/rad" }
"""
FULL = HEAD + MOTOR + JOINT + SURFACES

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a file."""

    def written(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_parts_share_entries_and_have_their_own(write: Write) -> None:
    columns = load(write(FULL)).columns
    assert [columns[f"{kind}_count"][0] for kind in CAPACITY] == [1, 1, 2, 0, 0]
    np.testing.assert_array_equal(columns["surface_lift"][:2], [4.5, 4.0])
    np.testing.assert_array_equal(columns["surface_joint"], [-1, 0, *[-1] * 6])
    np.testing.assert_array_equal(columns["surface_position"].reshape(3, 8)[0, :2], [0, -0.5])
    np.testing.assert_array_equal(columns["surface_upward"].reshape(3, 8)[:, 0], [0, 0, -1])
    assert load(write(FULL)).actuator_count == 6


def test_directions_are_normalized(write: Write) -> None:
    text = FULL.replace(
        "direction = {", 'axis = { value = [3.0, 0.0, -4.0], unit = "1" }\ndirection = {'
    )
    axis = load(write(text)).columns["motor_axis"].reshape(3, 8)[:, 0]
    np.testing.assert_allclose(axis, [0.6, 0, -0.8], rtol=1e-15)


def test_upward_is_made_square_to_forward(write: Write) -> None:
    tilted = 'upward = { value = [0.0005, 0.0, -1.0], unit = "1" }\narea = { value = 0.3,'
    columns = load(write(FULL.replace("area = { value = 0.3,", tilted))).columns
    upward = columns["surface_upward"].reshape(3, 8)[:, 0]
    np.testing.assert_allclose(upward, [0, 0, -1], atol=1e-15)


def test_a_file_flies(write: Write) -> None:
    sim = pyrfly.Sim(write(FULL))
    sim.reset(pos=[[0, 0, -50]])
    sim.arm()
    sim.vel[0] = [12, 0, 0]
    sim.sleep(0.5)
    assert sim.check().ok


def test_sets_have_a_source_on_every_value() -> None:
    for name in names("gazebo_blocks"):
        vehicle = load(name)
        assert vehicle.sources.keys() == vehicle.columns.keys()
        for column, source in vehicle.sources.items():
            assert "not given" not in source, (name, column)


def test_ranges_are_of_columns() -> None:
    columns = load("gz_plane").columns
    assert RANGES.keys() <= columns.keys()
    assert {f"{kind}_{key}" for kind, rules in KINDS.items() for key in rules} <= columns.keys()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (FULL[len(HEAD) :], "", "expected at least one motor, surface, segment or"),
        ("[mass]\nvalue = 1.0", "[mass]\nvalue = 0.0", "mass: value: expected more than 0"),
        (
            "[0.1, 0.1, 0.15",
            "[0.1, 0.1, 0.5",
            "inertia: expected a tensor with positive principal moments",
        ),
        (
            'joint = "elevator"',
            'joint = "rudder"',
            r"surface 2: joint: .* \(elevator\), got 'rudder'",
        ),
        (
            "direction = { value = 1,",
            "direction = { value = 0,",
            "direction: expected -1 or 1, got 0",
        ),
        ("channel = { value = 2,", "channel = { value = 2.5,", "channel: expected a whole number"),
        (
            "channel = { value = 2,",
            "channel = { value = 16,",
            "channel: value: expected at least 0",
        ),
        ("[0.02, 0.03]", "[0.0, 0.03]", "motor 1: lags: value: expected more than 0"),
        ("[-0.4, 0.4]", "[0.4, -0.4]", "joint 1: limit: expected a minimum up to the maximum"),
        ("area = { value = 0.3,", "area = { value = 0.0,", "surface 1: area: value: expected more"),
        ("area = { value = 0.3", "surface = { value = 0.3", "surface 1: unknown key 'surface'"),
        ('thrust = { value = 1e-5, unit = "N s^2" }\n', "", "motor 1: thrust: missing"),
        ('name = "front"', "name = 3", "motor 1: name: expected a text"),
        ("[surfaces]", "[wings]", "unknown key 'wings'"),
        (SURFACES, "surfaces = 3", "unknown key|expected a table"),
        ("[[joint]]", "[joint]", r"joint: expected up to 16 \[\[joint\]\] tables"),
        (MOTOR, MOTOR + MOTOR, "motor 2: name: expected another one, got 'front' again"),
        (MOTOR, MOTOR.replace('name = "front"\n', "") * 13, "motor: expected up to 12 .*, got 13"),
        (
            "limit = { value = [-0.4",
            'effects = { value = [0, 0, 0, 0, 0, 1], unit = "1/rad" }\nlimit = { value = [-0.4',
            r"joint 1: effects: expected a table \[aero\] for them",
        ),
    ],
)
def test_impossible_sets_are_refused(write: Write, old: str, new: str, message: str) -> None:
    assert old in FULL
    with pytest.raises(ParameterError, match=f"mine.toml: (.*){message}"):
        load(write(FULL.replace(old, new, 1)))


def test_channels_are_checked() -> None:
    sim = pyrfly.Sim("gz_plane", 2)
    with pytest.raises(ValueError, match="channels: expected finite values"):
        sim.gazebo_blocks.command_channels([np.nan] * 16)
    with pytest.raises(ValueError, match=re.escape("channels: expected shape")):
        sim.gazebo_blocks.command_channels([0.0] * 8)
    sim.gazebo_blocks.command_channels(np.full((1, 16), 0.25), ids=2)
    assert sim.channel[:, 3].tolist() == [0, 0.25]
