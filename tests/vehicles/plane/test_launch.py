"""Planes without wheels: what they are thrown for, how fast, and that others rest."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.protocol import synthesis
from pyrfly.vehicles import names

LAUNCHED = [name for name in names("plane") if pyrfly.Sim(name).launch_airspeed[0] > 0]
every_set = pytest.mark.parametrize("name", LAUNCHED)


def standing(name: str, wind: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> pyrfly.Sim:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.wind[:] = wind
    sim.arm()
    return sim


def forward(sim: pyrfly.Sim) -> float:
    """Return the airspeed along the nose [m/s]."""
    nose = Rotation.from_quat(np.roll(sim.att[0], -1)).apply([1.0, 0.0, 0.0])
    return float(nose @ (sim.vel[0] - sim.wind[0]))


def take_off(sim: pyrfly.Sim) -> None:
    sim.enable_synthesis()
    sim.command_sil(*synthesis.take_off([0.0], [0.0], [-40.0], armed=[True]))


RISING: dict[str, Callable[[pyrfly.Sim], object]] = {
    "position": lambda sim: sim.command_position([300.0, 0.0, -50.0]),
    "height": lambda sim: sim.plane.command_course(0.0, 50.0),
    "velocity": lambda sim: sim.command_velocity([18.0, 0.0, -2.0]),
    "line": lambda sim: sim.plane.command_line([0.0, 0.0, 0.0], [1.0, 0.0, -0.1]),
    "attitude": lambda sim: sim.plane.command_attitude(0.0, 0.2),
    "throttle": lambda sim: sim.plane.command_attitude(0.0, 0.15, 0.9),
    "rate": lambda sim: sim.plane.command_rate([0.0, 0.05, 0.0], 0.9),
    "take-off": take_off,
}
RESTING: dict[str, Callable[[pyrfly.Sim], object]] = {
    "nothing": lambda sim: None,
    "position": lambda sim: sim.command_position([300.0, 0.0, 0.0]),
    "velocity": lambda sim: sim.command_velocity([18.0, 0.0, 0.0]),
    "course": lambda sim: sim.plane.command_course(1.0, 0.0),
    "disarmed": lambda sim: (sim.arm(False), sim.command_position([300.0, 0.0, -50.0])),
    "nose down": lambda sim: sim.plane.command_attitude(0.0, -0.1, 0.9),
}


@pytest.mark.parametrize("command", RISING.values(), ids=RISING)
def test_every_set_point_that_rises_throws_it(command: Callable[[pyrfly.Sim], object]) -> None:
    sim = standing("skywalker_x8")
    command(sim)
    sim.sleep(3)
    assert sim.pos[0, 2] < -2.5
    assert forward(sim) > sim.minimum_airspeed[0]
    assert sim.launch_accel[0] == 0


@pytest.mark.parametrize("command", RESTING.values(), ids=RESTING)
def test_other_set_points_leave_it_where_it_is(command: Callable[[pyrfly.Sim], object]) -> None:
    sim = standing("skywalker_x8")
    sim.plane.command_course(0.0, 0.0)
    with np.errstate(all="ignore"):
        command(sim)
    sim.sleep(2)
    assert sim.launch_accel[0] == 0
    if command is not RESTING["nose down"]:  # a throttle that is commanded is the throttle
        assert np.linalg.norm(sim.pos[0]) < 0.01


@every_set
@pytest.mark.parametrize("wind", [(0, 0, 0), (0, 8, 0), (5, 0, 0), (-14, 0, 0)])
def test_it_is_released_at_the_airspeed_along_its_nose(
    name: str, wind: tuple[float, float, float]
) -> None:
    """From rest at a constant acceleration a: a t = V_L - V_0 for a nose that points 15 deg up."""
    sim = standing(name, wind)
    accel, wanted = float(sim.catapult_accel[0]), float(sim.launch_airspeed[0])
    take_off(sim)
    sim.step(5)
    while sim.launch_accel[0] > 0:
        sim.step(5)
        assert sim.time < 10
    released = forward(sim)
    period = 0.02  # of the path loop, and of what is seen here
    if wind[0] >= 0:
        assert wanted <= released + 0.3 < wanted + accel * period + 0.6
        along = np.cos(np.pi / 12) * wind[0]
        assert sim.time == pytest.approx((wanted + along) / accel, abs=0.06)
    assert released > wanted - 0.3
    low = sim.pos[0, 2]
    sim.sleep(4)
    assert sim.pos[0, 2] < low - 8.0
    assert forward(sim) > sim.minimum_airspeed[0]


def test_in_thin_air_it_is_thrown_faster() -> None:
    sim = standing("skywalker_x8")
    sim.origin = (47.0, 8.0, 3000.0)
    sim.environment.enable("atmosphere", "density")
    wanted = float(sim.launch_airspeed[0])
    take_off(sim)
    sim.step(5)
    while sim.launch_accel[0] > 0:
        sim.step(5)
        assert sim.time < 10
    ratio = float(sim.air_density[0]) / 1.225
    assert forward(sim) == pytest.approx(wanted / np.sqrt(ratio), abs=0.6)
    assert ratio < 0.8


def test_one_that_slides_is_thrown_when_it_has_stopped() -> None:
    sim = standing("skywalker_x8")
    sim.vel[0, 0] = 6.0
    sim.command_position([300.0, 0.0, -50.0])
    sim.sleep(0.5)
    assert sim.launch_accel[0] == sim.propeller_throttle[0] == 0
    assert 1.0 < sim.vel[0, 0] < 6.0
    sim.sleep(4)
    assert sim.pos[0, 2] < -5.0


def test_ground_that_rises_as_steeply_ends_the_push() -> None:
    """Carried 15 deg up over ground of 20 deg ahead it gets no height; it is let go at 2 V_L."""
    sim = standing("skywalker_x8")
    sim.set_ground_plane(gradient=[-0.36, 0.0])
    wanted, accel = float(sim.launch_airspeed[0]), float(sim.catapult_accel[0])
    take_off(sim)
    sim.sleep(2.0 * wanted / accel + 1.0)
    assert sim.launch_accel[0] == 0
    assert np.linalg.norm(sim.vel[0]) < 2.5 * wanted


def test_it_is_thrown_from_a_moving_deck() -> None:
    sim = standing("skywalker_x8")
    sim.set_ground_plane(velocity=[5.0, 0.0, 0.0])
    sim.sleep(2)
    assert sim.vel[0, 0] == pytest.approx(5.0, abs=0.2)
    take_off(sim)
    sim.sleep(4)
    assert sim.pos[0, 2] < -8.0


@pytest.mark.slow
@pytest.mark.parametrize("name", names("plane"))
def test_a_climb_keeps_its_pitch_and_its_height_is_captured(name: str) -> None:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.arm()
    sim.enable_synthesis()
    sim.command_sil(*synthesis.take_off([0.0], [0.0], [-50.0], armed=[True]))
    pitch, height, climbs = [], [], []
    for _ in range(400):
        sim.sleep(0.1)
        climbs.append(int(sim.navigator_mode[0]) == synthesis.Mode.TAKEOFF)
        pitch.append(float(sim.euler[0, 1]))
        height.append(-float(sim.pos[0, 2]))
    end = len(climbs) - climbs[::-1].index(True)
    assert max(np.degrees(pitch)[:end]) < 15.0 + 5.5
    assert 50.0 < max(height) < 53.0
    assert min(height[end + 5 :]) > 47.0
