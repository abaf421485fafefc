"""Vehicles with more than 8 motors, joints or surfaces, which are of a wider type of the core."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly import ParameterError, ParameterWarning, vehicles
from pyrfly.vehicles import FAMILIES, VehicleParameters, from_sdf
from pyrfly.vehicles.gazebo_blocks.rules import ROOM, smallest_type

from ..conftest import widened
from .conftest import BODY, CHANNEL, CORNERS, FLAP, MOTOR, ROTOR, WING, parts, sdf
from .forces import wrench_of

Write = Callable[..., Path]
Place = tuple[float, float, str]

SPAN = [0.2 * (k - 3.5) for k in range(8)]
"""Places of the pieces of a wing [m]."""

CONTROLLER = """
<plugin filename='gz-sim-joint-position-controller-system' name='flap_{n}'>
  <joint_name>flap_joint</joint_name></plugin>
"""


def rotors(places: Sequence[Place], shares: Sequence[int]) -> tuple[str, str, str]:
    """Return links, plug-ins and channels of motors: at each place several of the same sum."""
    links, plugins, channels = [], [], []
    each = zip(places, shares, strict=True)
    for n, ((x, y, turn), share) in enumerate(e for e in each for _ in range(e[1])):
        link, motor = ROTOR.format(n=n, x=x, y=y), MOTOR.format(n=n, turn=turn)
        for old in ("0.1", "1e-4", "2e-4"):
            link = link.replace(f">{old}</", f">{float(old) / share!r}</")
        for old in ("1.2e-5", "1e-4"):
            motor = motor.replace(f">{old}</", f">{float(old) / share!r}</")
        rolling = f"<rollingMomentCoefficient>{1e-6 / share!r}</rollingMomentCoefficient></plugin>"
        links.append(link)
        plugins.append(motor.replace("</plugin>", rolling))
        channels.append(
            CHANNEL.format(name=f"rotor_{n}", index=n, scaling=800, armed=100, kind="velocity")
        )
    return "".join(links), "".join(plugins), "".join(channels)


def wing(places: Sequence[float], shares: Sequence[int], area: float = 0.4) -> str:
    """Return plug-ins of a wing: at each place along the span several of the same sum."""
    return "".join(
        WING.replace("-0.05 0 0.02", f"-0.05 {y!r} 0.02").replace(
            "<area>0.4", f"<area>{area / len(places) / share!r}"
        )
        for y, share in zip(places, shares, strict=True)
        for _ in range(share)
    )


def model(motors: Sequence[int], pieces: Sequence[int], flap: int = 12) -> str:
    """Return a file of a quadrotor with a wing: as many motors per arm and pieces per place."""
    links, plugins, channels = rotors(CORNERS, motors)
    channels += CHANNEL.format(
        name="flap", index=flap, scaling=0.5, armed=0, kind="position_kinematic"
    )
    interface = (
        "<plugin name='mavlink_interface' filename='libgazebo_mavlink_interface.so'>"
        f"<control_channels>{channels}</control_channels></plugin>"
    )
    return sdf(BODY, links, FLAP, wing(SPAN, pieces), plugins, interface)


def read(path: Path) -> VehicleParameters:
    """Return the vehicle of a file without anything left out or assumed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return from_sdf(path, strict=True)


@pytest.fixture
def both(write: Write) -> tuple[VehicleParameters, VehicleParameters]:
    """Return a vehicle of 4 motors and 8 surfaces, and the same one of 12 and of 20."""
    few = read(write(model([1] * 4, [1] * 8)))
    many = read(write(model([3] * 4, [3, 3, 2, 2, 2, 2, 3, 3])))
    counts = [
        [float(v.columns[f"{kind}_count"][0]) for kind in ("motor", "joint", "surface")]
        for v in (few, many)
    ]
    assert counts == [[4, 1, 8], [12, 1, 20]]
    assert many.c_type != few.c_type == vehicles.load("gz_plane").c_type
    return few, many


def test_twenty_surfaces_and_twelve_motors_fly_as_eight_and_four(
    both: tuple[VehicleParameters, VehicleParameters],
) -> None:
    sims = [pyrfly.Sim(vehicle) for vehicle in both]
    for sim in sims:
        sim.reset(pos=[[0, 0, -20]])
        sim.wind[:] = [4.0, -2.0, 0.5]
        sim.arm()
        sim.command_position([3.0, -2.0, -22.0], 0.7)
        sim.sleep(3.0)
        assert sim.check().ok
        assert np.abs(sim.rate).max() > 1e-3
    few, many = sims
    for name in ("pos", "vel", "att", "rate", "thrust", "rate_integral"):
        np.testing.assert_allclose(getattr(many, name), getattr(few, name), rtol=0, atol=1e-8)
    speeds = np.repeat(few.motor_speed[0, :4], 3)
    np.testing.assert_allclose(many.motor_speed[0], speeds, rtol=1e-9)
    np.testing.assert_allclose(many.channel[0, :12], np.repeat(few.channel[0, :4], 3), rtol=1e-9)


@pytest.mark.slow
def test_their_trims_and_linear_models_are_the_same(
    both: tuple[VehicleParameters, VehicleParameters],
) -> None:
    points, models = [], []
    for vehicle in both:
        sim = pyrfly.Sim(vehicle)
        sim.reset(pos=[[0, 0, -20]])
        sim.wind[:] = [3.0, 1.0, 0.0]
        points.append(sim.trim(1))
        models.append(sim.linearize(1, point=points[-1]))
    np.testing.assert_allclose(points[1].state["att"], points[0].state["att"], atol=1e-7)
    speeds = [point.state["motor_speed"][0] for point in points]
    np.testing.assert_allclose(speeds[1], np.repeat(speeds[0][:4], 3), rtol=1e-5)
    body, rows = slice(0, 12), slice(3, 12)
    few, many = (model.A[rows] for model in models)
    np.testing.assert_allclose(many[:, body], few[:, body], rtol=1e-5, atol=1e-5)
    arms = [model.states.index("motor_speed[0]") for model in models]
    by_arm = many[:, arms[1] : arms[1] + 12].reshape(9, 4, 3).sum(axis=2)
    np.testing.assert_allclose(by_arm, few[:, arms[0] : arms[0] + 4], rtol=1e-5, atol=1e-8)
    assert np.abs(by_arm).max() > 1e-3


@pytest.mark.parametrize("roll_rate", [0.0, 1.5])
def test_their_forces_are_the_sums_over_all_parts(write: Write, roll_rate: float) -> None:
    """Strips of a straight wing in a roll, and thrusts on a circle, by closed forms."""
    circle = [(0.6 * cos(k * pi / 6), 0.6 * sin(k * pi / 6), "ccw") for k in range(12)]
    links, plugins, channels = rotors(circle, [1] * 12)
    interface = (
        "<plugin name='mavlink_interface' filename='libgazebo_mavlink_interface.so'>"
        f"<control_channels>{channels}</control_channels></plugin>"
    )
    span = np.linspace(-1.9, 1.9, 20)
    strips = wing(span.tolist(), [1] * 20, 2.0).replace("<cda>0.6", "<cda>0")
    strips = re.sub(r"(?s)<control_joint_name>.*?</control_joint_rad_to_cl>", "", strips)
    for name in ("rotorDragCoefficient", "rollingMomentCoefficient"):
        plugins = re.sub(f"<{name}>[^<]*<", f"<{name}>0<", plugins)
    plugins = plugins.replace("<maxRelativeAirspeed>20", "<maxRelativeAirspeed>1e9")
    sim = pyrfly.Sim(read(write(sdf(BODY, links, strips, plugins, interface))))
    sim.reset(pos=[[0, 0, -20]])
    forward, speeds = 12.0, np.linspace(200.0, 750.0, 12)
    sim.vel[0], sim.rate[0], sim.motor_speed[0] = [forward, 0, 0], [roll_rate, 0, 0], speeds

    position = sim.groups[0].parameters.columns["surface_position"].reshape(3, 20)
    down = roll_rate * position[1]
    sideways = -roll_rate * position[2]
    sweep = forward**2 + down**2
    lift = 0.5 * 1.2041 * 0.1 * 4.5 * (0.05 + np.arctan2(down, forward))
    lift *= np.sqrt(sweep / (sweep + sideways**2))
    each = np.sqrt(sweep) * lift * np.array([down, np.zeros(20), -forward * np.ones(20)])
    thrust = 1.2e-5 * np.square(speeds)
    places = sim.groups[0].parameters.columns["motor_position"].reshape(3, 12)
    up = np.array([np.zeros(12), np.zeros(12), -thrust])
    force = each.sum(axis=1) + up.sum(axis=1)
    moment = np.cross(position.T, each.T).sum(axis=0) + np.cross(places.T, up.T).sum(axis=0)
    moment[2] += 0.03 * thrust.sum()  # counter-clockwise rotors turn it clockwise
    found = wrench_of(sim)
    np.testing.assert_allclose(found[0][0], force, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(found[1][0], moment, rtol=1e-6, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", vehicles.names("gazebo_blocks"))
def test_a_set_flies_in_the_wide_type_as_in_its_own(name: str) -> None:
    """With controllers, and with all channels moving."""
    own, wide = vehicles.load(name), widened(vehicles.load(name), list(ROOM)[-1])
    sims = [pyrfly.Sim(vehicle, 2) for vehicle in (own, wide)]
    for sim in sims:
        sim.reset(pos=[[0, 0, -60], [0, 0, -40]])
        sim.vel[:] = [14, 1, 1]
        sim.wind[:] = [1, -2, 0]
        sim.arm()
        if not (sim.control_mass[0] == 0 and sim.wing_cruise_airspeed[0] == 0):
            sim.command_position([50, 20, -50], ids=1)
        sim.channel[1] = 0.4 + 0.3 * np.resize([1, -1, 0.5], 16)
        sim.step(300)
    for column in ("pos", "vel", "att", "rate", "channel"):
        found, expected = (getattr(sim, column) for sim in reversed(sims))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", ["motor", "joint", "surface"])
def test_a_vehicle_is_of_the_smallest_type_with_room_for_its_parts(kind: str) -> None:
    ordinary, wide = ROOM
    assert ROOM[ordinary][kind] == 8
    assert smallest_type({kind: 8}) == ordinary
    assert smallest_type({kind: 9}) == wide
    assert smallest_type({kind: ROOM[wide][kind]}) == wide


def test_room_is_that_of_the_type(both: tuple[VehicleParameters, VehicleParameters]) -> None:
    few, many = (pyrfly.Sim(vehicle) for vehicle in both)
    few.surface_count, many.surface_count = 8, 20
    for sim, most in ((few, 8), (many, 20)):
        with pytest.raises(ValueError, match=rf"surface_count: expected .* at most {most} "):
            sim.surface_count = most + 1
    few.surface_joint, many.surface_joint = 7, 15
    with pytest.raises(ValueError, match=r"surface_joint: expected .* at most 7 "):
        few.surface_joint = 8


def test_its_motors_are_told_to_ground_stations(
    both: tuple[VehicleParameters, VehicleParameters],
) -> None:
    """MAV_TYPE_QUADROTOR and MAV_TYPE_DODECAROTOR."""
    family = FAMILIES[both[0].family]
    assert [family.abilities_of(vehicle).mav_type for vehicle in both] == [2, 29]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (model([3] * 4, [3, 3, 3, 2, 2, 2, 3, 3]), r"<plugin name='wing'>: .* up to 20 .*got 21"),
        (model([4, 3, 3, 3], [1] * 8, 13), r"<plugin name='motor_12'>: .* up to 12 .*got 13"),
        (model([1] * 4, [1] * 8, 16), r"<input_index>: expected a whole number to 15, got 16"),
        (
            model([1] * 4, [1] * 8).replace(
                "</control_channels>", "<channel/>" * 12 + "</control_channels>"
            ),
            r"<channel>: expected up to 16 channels, got 17",
        ),
    ],
)
def test_what_there_is_no_room_for_is_told_with_the_maximum(
    write: Write, text: str, message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        from_sdf(write(text))


@pytest.mark.filterwarnings("ignore::pyrfly.ParameterWarning")
def test_more_actuators_than_channels_are_refused(write: Write) -> None:
    """Of 12 motors and 8 servos; 4 servos have room, and fixed surfaces need no channel."""
    elements = {**parts(), "wing": wing(SPAN, [3, 3, 2, 2, 2, 2, 3, 3])}
    del elements["interface"]
    elements["rotors"], elements["motors"], _ = rotors(CORNERS, [3] * 4)
    full = sdf(*elements.values(), *(CONTROLLER.format(n=n) for n in range(8)))
    with pytest.raises(ParameterError, match="up to 16 channels, got 20: of 12 motors and 8 "):
        from_sdf(write(full))
    one = sdf(*elements.values(), CONTROLLER.format(n=0))
    with pytest.warns(ParameterWarning, match="'flap_joint': it is on the channel 12"):
        vehicle = from_sdf(write(one))
    assert vehicle.actuator_count == 13
