"""Driving with a trailer: circles and paths forward, backing along lines and into boxes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pyrfly import ParameterError, Sim
from pyrfly.log import Recorder, flight_columns, plot_flight
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_mission

STARTS = [(40.0, 0.0, 0.0), (45.0, 4.0, 0.0), (60.0, -8.0, 0.2), (50.0, 0.0, 0.5)]
"""Of the tractor, for a place at the origin with the heading 0: x, y, yaw."""


def backing(starts: list[tuple[float, float, float]], yaw: float = 0.0) -> Sim:
    """Return vehicles that back to the origin, turned as a whole by a heading."""
    sim = Sim("truck_trailer", len(starts))
    cosine, sine = np.cos(yaw), np.sin(yaw)
    pos = [(cosine * x - sine * y, sine * x + cosine * y, 0.0) for x, y, _ in starts]
    sim.reset(pos=pos, yaw=[yaw + own for *_, own in starts])
    sim.arm()
    sim.truck.command_backing([0.0, 0.0, 0.0], yaw, speed=1.5)
    return sim


@pytest.mark.parametrize("yaw", [0.0, 2.5])
def test_a_trailer_backs_into_a_box(yaw: float) -> None:
    """Within the box of a loading ramp: 0.3 m wider than the trailer, and 5 degrees."""
    sim = backing(STARTS, yaw)
    while sim.time < 60.0 and not sim.arrived.all():
        sim.step(500)
        assert (np.abs(sim.hitch_angle) < 1.1).all()
    assert sim.arrived.all()
    sim.sleep(5.0)
    assert (np.linalg.norm(sim.trailer_pos[:, :2], axis=1) < 0.3).all()
    error = np.angle(np.exp(1j * (sim.trailer_euler[:, 2] - yaw)))
    assert (np.abs(np.degrees(error)) < 5.0).all()
    assert np.abs(sim.vel).max() < 1e-3


@pytest.mark.parametrize("hitch", [0.6, -0.6])
def test_a_trailer_in_reverse_keeps_its_heading_where_steering_alone_would_fold_it(
    hitch: float,
) -> None:
    sim = Sim("truck_trailer")
    sim.hitch_angle[:] = hitch
    sim.arm()
    sim.truck.command_speed(-1.2, yaw=hitch)
    sim.sleep(60.0)
    assert sim.check().ok
    assert float(sim.trailer_euler[0, 2]) == pytest.approx(hitch, abs=0.01)
    assert float(sim.hitch_angle[0]) == pytest.approx(0.0, abs=0.01)
    assert float(sim.vel_body[0, 0]) == pytest.approx(-1.2, rel=0.02)


def test_the_trailer_follows_a_circle_in_reverse() -> None:
    """The hitch angle that a yaw rate of the trailer needs: sin(h) = L q / v."""
    sim = Sim("truck_trailer")
    sim.arm()
    sim.truck.command_speed(-1.2, yaw_rate=0.04)
    sim.sleep(60.0)
    assert float(sim.rate[0, 2] + sim.hitch_rate[0]) == pytest.approx(0.04, rel=0.03)
    assert np.sin(float(sim.hitch_angle[0])) == pytest.approx(8.1 * 0.04 / 1.2, rel=0.03)


@pytest.mark.parametrize("course", [0.0, 2.0, np.pi])
def test_the_tractor_follows_a_path_forward(course: float) -> None:
    """A line 5 m beside it, at 15 m/s, also to the south; the trailer comes onto it, too."""
    sim = Sim("truck_trailer")
    sim.reset(yaw=course)
    sim.arm()
    along = np.array([np.cos(course), np.sin(course), 0.0])
    across = np.array([-along[1], along[0], 0.0])
    for k in range(61):
        sim.command_position(7.5 * k * along + 5.0 * across, vel=15.0 * along)
        sim.sleep(0.5)
    assert sim.pos[0] @ across == pytest.approx(5.0, abs=0.05)
    assert sim.trailer_pos[0] @ across == pytest.approx(5.0, abs=0.05)
    assert sim.vel[0] @ along == pytest.approx(15.0, rel=0.02)


@pytest.mark.slow
def test_a_mission_with_corners_is_driven_forward() -> None:
    """Around three sides of a square, the last to the south."""
    sim = Sim("truck_trailer", dt=0.002)
    corners = [(80.0, 0.0, 0.0), (80.0, 60.0, 0.0), (0.0, 60.0, 0.0)]
    items = [TakeOff((0.0, 0.0, -2.0)), *map(Waypoint, corners), Land(corners[-1])]
    result = fly_mission(sim, Mission(items))
    assert result.completed, result.reason
    np.testing.assert_allclose(sim.pos[0, :2], [0.0, 60.0], atol=0.3)


PLACES = [(6.0, 3.0), (-8.0, 0.01), (4.0, -3.0), (0.0, 12.0), (-20.0, -5.0), (15.0, 15.0)]


def test_any_position_is_driven_to_without_a_jack_knife() -> None:
    """Beside and behind it, within its circles: by driving round."""
    sim = Sim("truck_trailer", len(PLACES), dt=0.004)
    sim.arm()
    target = np.array([(*place, 0.0) for place in PLACES])
    sim.command_position(target)
    while sim.time < 100.0 and not sim.arrived.all():
        sim.step(100)
        assert (np.abs(sim.hitch_angle) < 1.2).all()
    assert sim.arrived.all()
    assert (np.linalg.norm(sim.pos - target, axis=1) < 0.5).all()


def test_it_turns_round_to_a_velocity_with_its_heading() -> None:
    sim = Sim("truck_trailer")
    sim.arm()
    sim.command_velocity([-2.0, 0, 0], yaw=np.pi)
    sim.sleep(30.0)
    np.testing.assert_allclose(sim.vel[0, :2], (-2.0, 0), atol=0.1)


def test_the_pose_of_the_trailer_is_where_the_hitch_and_the_angle_put_it() -> None:
    """On a slope, too: the trailer turns about the down axis of the tractor."""
    sim = Sim("truck_trailer", 2)
    sim.reset(pos=[[1.0, 2.0, -3.0], [5.0, 0.0, 0.0]], yaw=[0.7, -2.0])
    sim.hitch_angle[:] = [0.4, -0.9]
    yaw = np.array([0.7, -2.0])
    heading = yaw + sim.hitch_angle
    axle = -8.1 * np.stack([np.cos(heading), np.sin(heading)], axis=1)
    hitch = -1.8 * np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    np.testing.assert_allclose(sim.trailer_pos[:, :2], sim.pos[:, :2] + hitch + axle, atol=1e-12)
    np.testing.assert_allclose(sim.trailer_euler[:, 2], heading, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(sim.trailer_att, axis=1), 1.0, atol=1e-12)
    shown = sim.displayed_actuators
    np.testing.assert_allclose(shown[:, 5], sim.hitch_angle)


@pytest.mark.parametrize("speed", [0.0, -1.0, [1.0, -2.0]])
def test_a_speed_of_backing_that_cannot_be_is_refused(speed: object) -> None:
    sim = Sim("truck_trailer", 2)
    sim.arm()
    before = sim.hash()
    with pytest.raises(ParameterError, match="speed"):
        sim.truck.command_backing([0, 0, 0], 0.0, speed=speed)  # type: ignore[arg-type]
    assert sim.hash() == before


@pytest.mark.slow
def test_logs_and_plots_of_flights_have_the_trailer(tmp_path: Path) -> None:
    sim = Sim("truck_trailer")
    recorder = Recorder(sim, flight_columns(sim), every=100)
    sim.arm()
    sim.truck.command_speed(3.0, yaw_rate=0.1)
    sim.run(5.0, record=recorder)
    log = recorder.log()
    np.testing.assert_array_equal(log["trailer_pos"][-1], sim.trailer_pos)
    np.testing.assert_array_equal(log["trailer_att"][-1], sim.trailer_att)
    track = plot_flight(log, path=tmp_path / "flight.png").axes[0]
    (trailer,) = (line for line in track.lines if line.get_label() == "trailer")
    np.testing.assert_allclose(trailer.get_ydata(), log["trailer_pos"][:, 0, 0])
    np.testing.assert_allclose(trailer.get_xdata(), log["trailer_pos"][:, 0, 1])


def test_recorders_have_the_pose_of_the_trailer_by_default() -> None:
    sim = Sim("truck_trailer")
    recorder = Recorder(sim)
    sim.run(0.2, record=recorder)
    log = recorder.log()
    np.testing.assert_array_equal(log["trailer_pos"][-1], sim.trailer_pos)
    np.testing.assert_array_equal(log["trailer_att"][-1], sim.trailer_att)


def test_a_trailer_backs_to_a_position_without_a_heading_as_it_stands() -> None:
    sim = Sim("truck_trailer")
    sim.arm()
    sim.command_position([0.0, 0.0, 0.0], yaw=2.0)  # a heading that does not count any more
    sim.command_position([-45.0, 1.0, 0.0], backward=True)
    sim.sleep(60)
    np.testing.assert_allclose(sim.trailer_pos[0, :2], [-45, 1], atol=0.3)
    assert sim.arrived[0]
