"""Cars of SDF files: the packaged set, Ackermann geometry, what is refused."""

from __future__ import annotations

from math import atan, sin, tan
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError, ParameterWarning
from pyrfly.vehicles import from_sdf, load

from ..sdf_text import Write, box, elements, link, plugin, sdf, wheel, writer

pytestmark = pytest.mark.filterwarnings("ignore::pyrfly.ParameterWarning")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a file."""
    return writer(tmp_path, "car.sdf")


LIMIT = elements(lower=-0.5236, upper=0.5236, velocity=1.0)


def knuckle(side: str, x: float, y: float, limit: str = LIMIT) -> str:
    """Return a front wheel on a link that a joint about z steers."""
    return (
        link(f"{side}_steering", f"{x} {y} 0.06 0 0 0", 0.005, (1e-6, 1e-6, 1e-6))
        + f"<joint name='{side}_steering_joint' type='revolute'><parent>base_link</parent>"
        f"<child>{side}_steering</child><axis><xyz>0 0 1</xyz><limit>{limit}</limit></axis></joint>"
        + wheel(f"front_{side}", f"{x} {y} 0.06", parent=f"{side}_steering", **TYRE)
    )


TYRE = {"radius": 0.06, "mass": 0.05, "moments": (8e-5, 8e-5, 1e-4)}

SERVO = "gz-sim-joint-position-controller-system"
SERVOS = "".join(
    plugin(SERVO, joint_name=f"{side}_steering_joint", p_gain=10) for side in ("left", "right")
)
DRIVE = plugin(
    "gz-sim-joint-controller-system",
    joint_name="rear_left_joint",
    use_actuator_msg="true",
    actuator_number=0,
)


def car(*plugins: str, front: float = 0.12, limit: str = LIMIT) -> str:
    """Return PX4's Ackermann rover [@gz-models]: 3.21 kg, axles 0.12 m ahead, 0.192 m behind."""
    shell = box("0.45 0.1 0.08", "-0.03 0 0.03")
    return sdf(
        link("base_link", "0 0 0.06 0 0 0", 3, (0.01, 0.02, 0.0252), inside=shell),
        *(knuckle(side, front, y, limit) for side, y in (("left", 0.1), ("right", -0.1))),
        *(
            wheel(f"rear_{side}", f"-0.192 {y} 0.06", **TYRE)
            for side, y in (("left", 0.1), ("right", -0.1))
        ),
        *(plugins or (DRIVE, SERVOS)),
        name="ackermann",
    )


def steering(**values: object) -> str:
    usual: dict[str, object] = {
        "left_joint": "rear_left_joint",
        "right_joint": "rear_right_joint",
        "left_steering_joint": "left_steering_joint",
        "right_steering_joint": "right_steering_joint",
    }
    return plugin("gz-sim-ackermann-steering-system", **usual | values)


def test_the_car_of_px4_is_the_packaged_one(write: Write) -> None:
    vehicle = from_sdf(write(car()), strict=True)
    expected = load("rover_ackermann")
    assert vehicle.c_type == expected.c_type
    for name, numbers in expected.columns.items():
        np.testing.assert_allclose(vehicle.columns[name], numbers, rtol=0.02, err_msg=name)
    assert vehicle.sizes["body_size"] == pytest.approx(expected.sizes["body_size"])
    middle = expected.sizes["body_position"]
    assert vehicle.sizes["body_position"] == pytest.approx(middle, abs=3e-3)


def turning_radius(text: str, write: Write) -> float:
    """Return the radius of the circle of the rear axle at full steering and a slow drive [m]."""
    sim = pyrfly.Sim(from_sdf(write(text)), dt=0.002)
    sim.controllers = False
    sim.traction[0] = 0.05
    sim.steer[0] = 1.0
    sim.sleep(6)
    rear = float(sim.axle_distance[0, 1])
    assert abs(float(sim.vel_body[0, 1]) / float(sim.rate[0, 2]) - rear) < 0.01
    return float(sim.vel_body[0, 0] / sim.rate[0, 2])


def test_it_turns_on_the_circle_of_its_wheel_base(write: Write) -> None:
    """L / tan(limit) of the middle wheel, 0.312 m and 30 degrees."""
    assert turning_radius(car(), write) == pytest.approx(0.312 / tan(0.5236), rel=0.01)


def test_the_plugin_has_another_limit(write: Write) -> None:
    """AckermannSteering drives circles of L / sin(limit)."""
    text = car(steering(steering_limit=0.6, wheel_base=0.312, wheel_radius=0.06))
    assert from_sdf(write(text)).columns["steering_max"][0] == pytest.approx(atan(sin(0.6)))
    assert turning_radius(text, write) == pytest.approx(0.312 / sin(0.6), rel=0.01)


def test_limits_of_the_plugin_are_those_of_the_drive(write: Write) -> None:
    limits = {"min_velocity": -0.5, "max_velocity": 2.0, "max_acceleration": 1.0}
    vehicle = from_sdf(write(car(steering(wheel_base=0.312, wheel_radius=0.06, **limits))))
    assert vehicle.columns["speed_max"].tolist() == [2.0, 0.5]
    sim = pyrfly.Sim(vehicle, dt=0.002)
    sim.controllers = False
    sim.traction[0] = 1.0
    sim.sleep(15)
    assert sim.vel_body[0, 0] == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize(
    ("name", "length"),
    [("wheel_base", "0.312"), ("wheel_separation", "0.2"), ("wheel_radius", "0.06")],
)
def test_other_numbers_of_the_plugin_are_said(write: Write, name: str, length: str) -> None:
    with pytest.warns(ParameterWarning, match=f"<{name}>: {length} m of the wheels, not 1"):
        from_sdf(write(car(steering(**{name: 1.0}))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (car(front=-0.192), r"ahead of the others, got a wheel base of 0 m"),
        (car(front=-0.3), r"ahead of the others, got a wheel base of -0.108 m"),
        (car(front=-0.1), r"centre of mass between the axles"),
        (car(steering(left_joint="x")), r"plugin name='gz-sim-ackermann.*no joint 'x'"),
        (car(steering(steering_limit=0)), r"<steering_limit>.*: expected"),
        (car(steering(max_velocity=-1)), r"<max_velocity>.*: expected more than 0"),
        (car(steering(wheel_base="nan")), r"<wheel_base>.*: expected a finite number"),
        (car(limit=elements(lower=0, upper=0)), r"steering_joint'>: <limit>: expected a range"),
        (car(limit=elements(lower=-3, upper=3)), r"steering_joint'>: <limit>: .* up to 1.5 rad"),
        (car().replace("<mu>1.0", "<mu>0"), r"<mu>: expected tyres with friction"),
        (car().replace("<mass>3", "<mass>0"), r"<mass>.*: expected more than 0"),
        (car().replace("<radius>0.06<", "<radius>-1<"), r"<radius>.*: expected at least 0"),
        (
            car(steering()).replace("<cylinder>", "<mesh>").replace("</cylinder>", "</mesh>"),
            r"expected steered wheels and others, .* got 0 and 0",
        ),
    ],
)
def test_a_car_that_there_cannot_be_is_refused_by_its_element(
    text: str, message: str, write: Write
) -> None:
    with pytest.raises(ParameterError, match=rf"car\.sdf: .*{message}"):
        from_sdf(write(text))


def test_it_drives_to_a_place(write: Write) -> None:
    sim = pyrfly.Sim(from_sdf(write(car())), dt=0.002)
    sim.arm()
    sim.command_position([6.0, 2.0, 0.0])
    sim.sleep(15)
    assert np.hypot(*(sim.pos[0, :2] - [6.0, 2.0])) < 0.4
