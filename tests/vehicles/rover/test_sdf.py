"""Rovers of SDF files: the packaged set, geometry, what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError, ParameterWarning
from pyrfly.vehicles import from_sdf, load

from ..sdf_text import Write, box, link, plugin, run_example, sdf, wheel, writer

pytestmark = pytest.mark.filterwarnings("ignore::pyrfly.ParameterWarning")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a file."""
    return writer(tmp_path, "rover.sdf")


def controller(joint: str, number: int) -> str:
    """Return a controller of the speed of a wheel."""
    return plugin(
        "gz-sim-joint-controller-system",
        joint_name=joint,
        sub_topic="command/motor_speed",
        control_type="velocity",
        use_actuator_msg="true",
        actuator_number=number,
    )


SIDES = (("left", 0.3, 1), ("right", -0.3, 0))


def rover(drive: str | None = None) -> str:
    """Return PX4's differential rover [@gz-models]: two wheels and two casters without friction."""
    caster = (0.016, 0.016, 0.016)
    body = link(
        "base_link", "0 0 0.1 0 0 0", 5, (0.0302, 0.1083, 0.1302), middle="-0.2 0 0",
        inside=box("1 0.5 0.1"),
    )  # fmt: skip
    casters = [
        wheel(f"caster{x}", f"{x} 0 0.075", radius=0.075, mass=1, friction=0, moments=caster,
              shape="sphere")
        for x in (0.25, -0.3)
    ]  # fmt: skip
    wheels = [wheel(side, f"-0.2 {y} 0.1") for side, y, _ in SIDES]
    controllers = "".join(controller(f"{side}_joint", n) for side, _, n in SIDES)
    return sdf(body, *wheels, *casters, controllers if drive is None else drive, name="rover")


def diff_drive(**values: object) -> str:
    usual: dict[str, object] = {"left_joint": "left_joint", "right_joint": "right_joint"}
    return plugin("gz-sim-diff-drive-system", **usual | values)


def test_the_example_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_example("Rovers and cars")


def test_the_rover_of_px4_is_the_packaged_one(write: Write) -> None:
    vehicle = from_sdf(write(rover()), strict=True)
    expected = load("rover_differential")
    assert vehicle.c_type == expected.c_type
    for name, numbers in expected.columns.items():
        np.testing.assert_allclose(vehicle.columns[name], numbers, rtol=2e-3, err_msg=name)
    assert vehicle.sizes["body_size"] == pytest.approx(expected.sizes["body_size"])
    assert vehicle.sizes["wheel_size"] == pytest.approx(expected.sizes["wheel_size"])
    assert vehicle.sizes["body_position"][0] == pytest.approx(0.2)


def test_limits_of_the_plugin_are_those_of_the_wheels(write: Write) -> None:
    """1.5 m/s on wheels of 0.1 m; 2 m/s^2 of 8 kg by two of them."""
    drive = diff_drive(max_linear_velocity=1.5, max_acceleration=2, wheel_separation=0.6)
    vehicle = from_sdf(write(rover(drive)))
    assert vehicle.columns["wheel_speed_max"][0] == pytest.approx(15.0)
    assert vehicle.columns["wheel_torque"].tolist() == pytest.approx([0.8, 1.6])
    sim = pyrfly.Sim(vehicle, dt=0.002)
    sim.controllers = False
    sim.drive[0] = [1.0, 1.0]
    sim.sleep(4)
    assert sim.vel_body[0, 0] == pytest.approx(1.5, rel=0.01)


def test_it_turns_by_its_track(write: Write) -> None:
    """Wheels of 0.1 m with 4 rad/s against each other, 0.6 m apart: 1.33 rad/s to the right."""
    sim = pyrfly.Sim(from_sdf(write(rover())), dt=0.002)
    sim.controllers = False
    sim.drive[0] = [0.2, -0.2]
    sim.sleep(3)
    assert sim.rate[0, 2] == pytest.approx(2 * 0.4 / 0.6, rel=0.01)


def test_other_numbers_of_the_plugin_are_said(write: Write) -> None:
    with pytest.warns(ParameterWarning, match="<wheel_separation>: 0.6 m of the wheels, not 1.25"):
        from_sdf(write(rover(diff_drive(wheel_separation=1.25))))


def test_four_wheels_of_two_commands_steer_by_their_sides(write: Write) -> None:
    corners = [(x, side, y, n) for x in (0.15, -0.15) for side, y, n in SIDES]
    text = sdf(
        link("base_link", "0 0 0.1 0 0 0", 20, (0.4, 0.4, 0.5), inside=box("0.4 0.4 0.25")),
        *(wheel(f"{side}{x}", f"{x} {y} 0.1") for x, side, y, _ in corners),
        *(controller(f"{side}{x}_joint", n) for x, side, _, n in corners),
        name="skid",
    )
    vehicle = from_sdf(write(text))
    assert vehicle.columns["track"][0] == pytest.approx(0.6)
    assert vehicle.columns["friction"][0] == pytest.approx(1.0)


def test_a_caster_of_the_body_carries_its_lever(write: Write) -> None:
    """Wheels 0.2 m behind the centre of mass, a caster 0.6 m ahead: 3/4 of the weight on them."""
    ball = (
        "<collision name='ball'><pose>0.6 0 -0.05 0 0 0</pose><geometry><sphere><radius>0.05"
        "</radius></sphere></geometry></collision>"
    )
    text = sdf(
        link("base_link", "0 0 0.1 0 0 0", 20, (0.4, 0.4, 0.5), inside=box("0.4 0.4 0.05") + ball),
        *(wheel(side, f"-0.2 {y} 0.1", mass=1e-6) for side, y, _ in SIDES),
        diff_drive(),
        name="tricycle",
    )
    assert from_sdf(write(text)).columns["friction"][0] == pytest.approx(0.75, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (rover(diff_drive(left_joint="x")), r"plugin name='gz-sim-diff.*no joint 'x' of the body"),
        (rover(diff_drive().replace("left_joint", "x")), r"<left_joint>: missing"),
        (
            rover().replace("<xyz>0 0 1</xyz>", "<xyz>1 0 0</xyz>", 1),
            r"left_joint.*<axis>: expected one to the left",
        ),
        (rover(diff_drive(max_velocity=0)), r"<max_velocity>.*: expected more than 0"),
        (rover(controller("left_joint", 0)), r"wheels on both sides, .* got"),
        (rover().replace("<actuator_number>1", "<actuator_number>0"), r"a command for each side"),
        (rover().replace("-0.2 -0.3 0.1", "-0.2 0.3 0.1"), r"wheels on both sides, .* got"),
        (rover().replace("<radius>0.1</radius>", "<radius>0</radius>"), r"wheels on both sides"),
        (rover().replace("<mu>1.0", "<mu>0"), r"<mu>: expected driven wheels with friction"),
        (rover().replace("<mu>1.0", "<mu>-1"), r"<mu>.*: expected at least 0"),
        (rover().replace("<mass>5", "<mass>-5"), r"<mass>.*: expected more than 0"),
        (
            rover().replace("<izz>0.1302", "<izz>-0.1302"),
            r"<izz>.*: expected at least 0",
        ),
        (rover().replace("<radius>0.1<", "<radius>inf<"), r"<radius>.*: expected a finite number"),
    ],
)
def test_a_rover_that_there_cannot_be_is_refused_by_its_element(
    text: str, message: str, write: Write
) -> None:
    with pytest.raises(ParameterError, match=rf"rover\.sdf: .*{message}"):
        from_sdf(write(text))


def test_wheels_that_roll_aside_are_refused(write: Write) -> None:
    corners = [(x, side, y) for x in (0.25, -0.25) for side, y, _ in SIDES]
    text = sdf(
        link("base_link", "0 0 0.1 0 0 0", 20, (0.4, 0.4, 0.5), inside=box("0.4 0.4 0.05")),
        *(wheel(f"{side}{x}", f"{x} {y} 0.1") for x, side, y in corners),
        *(controller(f"{side}{x}_joint", n) for n, (x, side, _) in enumerate(corners)),
        name="mecanum",
    )
    with pytest.raises(ParameterError, match="actuator 0, actuator 2; wheels that roll aside"):
        from_sdf(write(text))


def test_it_drives_to_a_place(write: Write) -> None:
    sim = pyrfly.Sim(from_sdf(write(rover())), dt=0.002)
    sim.arm()
    sim.command_position([4.0, 2.0, 0.0], yaw=0.0)
    sim.sleep(15)
    assert np.hypot(*(sim.pos[0, :2] - [4.0, 2.0])) < 0.2


def test_a_wheel_that_turns_the_other_way_is_told(write: Write) -> None:
    text = rover().replace("<xyz>0 0 1</xyz>", "<xyz>0 0 -1</xyz>", 1)
    with pytest.raises(ParameterError, match=r"left out:\n.*left_joint.*<axis>"):
        from_sdf(write(text), strict=True)
