"""Vehicles of blocks in flight without controllers: hover, glide, what a crash leaves."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.vehicles import names

Array = NDArray[np.float64]

SETS = names("gazebo_blocks")


@pytest.mark.parametrize(
    ("name", "speed", "scaling"),
    [("gz_standard_vtol", 786.0126, 1500.0), ("gz_tailsitter", 684.765, 1200.0)],
)
def test_the_channel_of_the_hover_speed_hovers(name: str, speed: float, scaling: float) -> None:
    sim = pyrfly.Sim(name)
    sim.reset(pos=[[0, 0, -20]])
    sim.arm()
    sim.gazebo_blocks.command_channels([speed / scaling] * 4 + [0.0] * 12)
    sim.motor_speed[0, :4] = speed
    sim.sleep(1.0)
    np.testing.assert_allclose(sim.motor_speed[0, :4], speed, rtol=1e-9)
    assert abs(sim.pos[0, 2] + 20) < 0.01
    assert np.abs(sim.euler[0]).max() < 0.1  # slowly, by the offset of the centre of mass


@pytest.mark.parametrize("name", [name for name in SETS if "plane" not in name])
def test_the_trim_carries_the_weight(name: str) -> None:
    sim = pyrfly.Sim(name)
    trim = sim.groups[0].family.trim(sim.groups[0].parameters)
    sim.reset(pos=[[0, 0, -500]])
    sim.arm()
    sim.channel[0] = trim
    sim.step(400)
    sim.vel[0], sim.rate[0], sim.att[0] = 0, 0, [1, 0, 0, 0]
    assert sim.accel[0, 2] == pytest.approx(0, abs=0.25)  # the slipstream drags on the segments


@pytest.mark.parametrize(
    "name", ["gz_standard_vtol", "derivative_vtol", "gz_tailsitter", "gz_quadtailsitter"]
)
def test_vehicles_with_four_rotors_have_an_equilibrium(name: str) -> None:
    """The offset of the centre of mass is balanced by the rotors before and behind it."""
    sim = pyrfly.Sim(name)
    sim.reset(pos=[[0, 0, -50]])
    point = sim.trim()
    sim.arm()
    sim.channel[:] = point.inputs["channel"]
    for column in ("att", "motor_speed", "joint_angle"):
        getattr(sim, column)[:] = point.state[column]
    np.testing.assert_allclose(sim.accel, 0, atol=1e-6)
    np.testing.assert_allclose(sim.angular_accel, 0, atol=1e-6)
    sim.sleep(1.0)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -50], atol=1e-3)


EXTREME = {
    "stall": ([6.0, 0, 9], [0.0, 0, 0]),
    "spin": ([2.0, 1, 20], [1.0, -2, 8]),
    "dive": ([5.0, 0, 60], [0.0, -1, 0]),
    "backwards": ([-15.0, 4, 3], [0.5, 0.5, 0.5]),
}


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("name", SETS)
def test_stall_spin_dive_and_ground_strike_leave_finite_states(name: str, precision: str) -> None:
    """Or a flagged vehicle."""
    sim = pyrfly.Sim(name, len(EXTREME), dt=0.002, precision=precision)
    sim.reset(pos=np.tile([0.0, 0, -40], (len(EXTREME), 1)))
    sim.arm()
    for i, (vel, rate) in enumerate(EXTREME.values()):
        sim.vel[i], sim.rate[i] = vel, rate
    sim.channel[:] = np.linspace(-1, 1, len(EXTREME))[:, None]
    for _ in range(10):
        sim.sleep(1.0)
        for field in ("pos", "vel", "att", "rate", "motor_speed", "joint_angle"):
            assert np.isfinite(getattr(sim, field)).all()


def test_a_channel_that_is_not_finite_flags_its_vehicle_alone() -> None:
    for channel in (0, 5):  # a motor, a joint
        sim = pyrfly.Sim("gz_standard_vtol", 3)
        sim.reset(pos=np.tile([0.0, 0, -40], (3, 1)))
        sim.arm()
        sim.channel[1, channel] = np.nan
        sim.step(5)
        assert sim.check().invalid == (2,)


def test_a_disarmed_plane_stands() -> None:
    sim = pyrfly.Sim("gz_plane")
    sim.reset(pos=[[0, 0, 0]])
    sim.channel[:] = 1.0
    sim.sleep(2.0)
    np.testing.assert_allclose(sim.pos, 0, atol=1e-3)
    np.testing.assert_array_equal(sim.motor_speed, 0)


def test_the_plane_stands_on_contact_points() -> None:
    sim = pyrfly.Sim("gz_plane")
    sim.set_contact_points()
    sim.reset()
    sim.sleep(2.0)
    assert np.linalg.norm(sim.vel) < 1e-3
    assert abs(sim.euler[0, :2]).max() < 0.05


def test_a_joint_with_a_lag_follows_its_channel() -> None:
    sim = pyrfly.Sim("gz_plane", 2)
    sim.reset(pos=np.tile([0.0, 0, -500], (2, 1)))
    sim.arm()
    sim.joint_lag[1, :] = 0.05
    sim.channel[:, 7] = 0.4
    sim.step(50)
    np.testing.assert_allclose(sim.joint_angle[:, 3], [0.4, 0.4 * (1 - np.exp(-1))], rtol=1e-6)
    sim.channel[:, 7] = -1.0
    sim.step(1000)
    np.testing.assert_allclose(sim.joint_angle[:, 3], -0.53, rtol=1e-6)


def test_vehicles_of_different_parts_fly_as_alone() -> None:
    """A block of lanes evaluates what one of its vehicles has: the others do not notice."""
    sims = []
    for both in (True, False):
        sim = pyrfly.Sim("gz_standard_vtol", 8 if both else 1)
        sim.reset(pos=np.tile([0.0, 0, -100], (sim.n, 1)))
        sim.arm()
        sim.motor_count[0], sim.joint_count[0], sim.surface_count[0] = 4, 2, 2
        sim.vel[:], sim.rate[:] = [12, 1, 2], [0.3, 0.2, -0.1]
        sim.channel[:] = 0.4
        sim.step(500)
        sims.append(sim)
    for name in ("pos", "vel", "att", "rate", "motor_speed", "joint_angle"):
        np.testing.assert_array_equal(getattr(sims[0], name)[0], getattr(sims[1], name)[0])
