"""The pilot, flown on a point mass with a position loop: what it asks for and what it reports."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from pyrfly import Sim
from pyrfly.log import Recorder
from pyrfly.mission import (
    DEMO,
    ChangeSpeed,
    FlightResult,
    Land,
    Loiter,
    Mission,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    fly_mission,
    read_mission,
    summary_table,
)

EXAMPLES = Path(__file__).parents[2] / "examples" / "missions"
GRAVITY = 9.81


class Rows:
    """Some vehicles of `PointMasses`."""

    def __init__(self, sim: PointMasses, ids: Sequence[int]) -> None:
        self._sim, self._rows = sim, np.asarray(ids) - 1

    def read(self, name: str) -> NDArray[Any]:
        chosen: NDArray[Any] = getattr(self._sim, name)[self._rows]
        return chosen


class PointMasses:
    """Vehicles that are point masses under a critically damped position loop."""

    def __init__(self, n: int = 1, dt: float = 0.01) -> None:
        self.n, self.dt, self.time = n, dt, 0.0
        self.pos: NDArray[Any] = np.zeros((n, 3))
        self.vel: NDArray[Any] = np.zeros((n, 3))
        self.att: NDArray[Any] = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
        self.terrain: NDArray[Any] = np.zeros(n)
        self.status: NDArray[Any] = np.zeros(n, dtype=np.uint32)
        self.speed_limit: NDArray[Any] = np.full(n, 30.0)
        self.descent_limit: NDArray[Any] = np.full(n, 5.0)
        self.climb_limit: NDArray[Any] = np.full(n, 10.0)
        self.accel_limit: NDArray[Any] = np.full(n, 8.0)
        self.armed = np.zeros(n, dtype=bool)
        self.drag = 0.0  # 1/s, a force the loop does not know of
        self.aim = np.zeros((n, 3))
        self.aim_vel = np.zeros((n, 3))
        self.aim_acc = self.acc_sp = np.zeros((n, 3))
        self.aim_yaw = np.zeros(n)
        self.commands: list[tuple[float, NDArray[Any], NDArray[Any], float]] = []
        self.arming: list[tuple[float, bool]] = []

    def select(self, ids: Sequence[int]) -> Rows:
        return Rows(self, ids)

    def arm(self, on: bool = True, ids: Sequence[int] | None = None) -> None:
        self.armed[np.asarray(ids) - 1] = on
        self.arming.append((self.time, on))

    def command_position(
        self,
        pos: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        vel: ArrayLike | None = None,
        acc: ArrayLike | None = None,
        ids: Sequence[int] | None = None,
    ) -> None:
        rows = np.asarray(ids) - 1
        self.aim[rows], self.aim_vel[rows], self.aim_acc[rows] = pos, vel, acc
        self.aim_yaw[rows] = yaw
        self.commands.append((self.time, np.array(pos), np.array(vel), float(np.asarray(yaw))))

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            pull = 9.0 * (self.aim - self.pos) + 6.0 * (self.aim_vel - self.vel) + self.aim_acc
            fall = np.array((0.0, 0.0, GRAVITY))
            acc = np.where(self.armed[:, None], np.clip(pull, -6.0, 6.0), fall)
            self.vel += (acc - self.drag * self.vel) * self.dt
            self.pos += self.vel * self.dt
            down = self.pos[:, 2] > self.terrain
            self.pos[down, 2] = self.terrain[down]
            self.vel[down] = 0.0
            half = 0.5 * self.aim_yaw
            self.att[:, 0], self.att[:, 3] = np.cos(half), np.sin(half)
            self.time += self.dt


class Probe:
    """A recorder that calls a function."""

    def __init__(self, sample: Callable[[], None]) -> None:
        self.sample = sample


def fly(*items: MissionItem, sim: PointMasses | None = None, speed: float = 5.0) -> FlightResult:
    return fly_mission(sim or PointMasses(), Mission(items, cruise_speed=speed))


def times(result: FlightResult) -> list[float]:
    """Return the time of every item; all must have been reached."""
    return [math.nan if item.time is None else item.time for item in result.items]


UP = TakeOff((0.0, 0.0, -10.0))
DOWN = Land((0.0, 0.0, 0.0))


def test_take_off_and_landing_end_on_the_spot_with_the_rotors_off() -> None:
    sim = PointMasses()
    result = fly(UP, DOWN, sim=sim)
    assert result.completed
    assert [armed for _, armed in sim.arming] == [True, False]
    assert result.landing_error == pytest.approx(0.0, abs=1e-6)
    assert result.distance == pytest.approx(20.0, abs=0.5)
    # 10 m up at 1.5 m/s and down at 0.7 m/s, with 2 m/s^2, then half a second on the ground
    assert times(result)[0] == pytest.approx(10 / 1.5 + 1.5 / 2, abs=0.2)
    assert result.time == pytest.approx(10 / 1.5 + 1.5 / 2 + 10 / 0.7 + 0.7 / 4 + 0.5, abs=0.5)


def test_a_leg_takes_the_time_of_its_trapezoid() -> None:
    result = fly(UP, Waypoint((30.0, 40.0, -10.0), hold=0.02), DOWN)
    begin, end = times(result)[:2]
    assert end - begin == pytest.approx(50 / 5 + 5 / 2, abs=0.1)


def test_a_short_leg_is_a_triangle() -> None:
    result = fly(UP, Waypoint((2.0, 0.0, -10.0), hold=0.02), DOWN)
    begin, end = times(result)[:2]
    assert end - begin == pytest.approx(2 * math.sqrt(2.0 / 2.0), abs=0.1)


def test_feed_forward_is_the_derivative_of_the_set_point() -> None:
    sim = PointMasses()
    corner = (Waypoint((20.0, 0.0, -10.0)), Waypoint((20.0, 20.0, -14.0), radius=2.0))
    fly(UP, *corner, Loiter((0.0, 20.0, -14.0), 1.0), ReturnToLaunch(), sim=sim)
    at, pos, vel = (np.array([c[i] for c in sim.commands]) for i in range(3))
    slope = np.diff(pos, axis=0) / np.diff(at)[:, None]
    middle = 0.5 * (vel[1:] + vel[:-1])
    # a set-point made of legs with bounded acceleration: equal up to a * dt / 8 at their joints,
    # and everywhere once the drop to the ground (where the leg is cut short) is left out
    flying = np.linalg.norm(middle, axis=1) > 0.0
    flying[-30:] = False
    np.testing.assert_allclose(slope[flying], middle[flying], atol=0.03)


def test_waypoints_in_a_line_with_room_to_brake_are_passed_at_full_speed() -> None:
    sim = PointMasses()
    braking = 5.0**2 / (2 * 2.0)
    line = [Waypoint((20.0 * k, 0.0, -10.0), radius=braking + 0.5) for k in (1, 2, 3)]
    result = fly(UP, *line, DOWN, sim=sim)
    first, second = times(result)[1:3]
    speeds = [v[0] for at, _, v, _ in sim.commands if first + 0.1 < at < second]
    np.testing.assert_allclose(speeds, 5.0, atol=2.0 * 0.02)


def test_a_corner_is_cut_no_further_than_the_radius() -> None:
    for radius in (0.5, 3.0):
        sim = PointMasses()
        corner = Waypoint((20.0, 0.0, -10.0), radius=radius)
        fly(UP, corner, Waypoint((20.0, 20.0, -10.0)), DOWN, sim=sim)
        miss = min(float(np.linalg.norm(pos - corner.pos)) for _, pos, _, _ in sim.commands)
        assert miss < radius


def test_cross_track_error_is_zero_on_a_straight_leg_and_not_under_side_wind() -> None:
    leg = (Loiter((0.0, 0.0, -10.0), 5.0), Waypoint((40.0, 0.0, -10.0)))
    calm = fly(UP, *leg, DOWN)
    assert calm.cross_track_max == pytest.approx(0.0, abs=1e-3)
    sim = PointMasses()

    def gust() -> None:
        sim.vel[0, 1] += 0.02 * math.sin(sim.time)

    windy = fly_mission(sim, Mission((UP, *leg, DOWN)), recorder=Probe(gust))
    assert windy.cross_track_max is not None
    assert windy.cross_track_rms is not None
    assert 0.01 < windy.cross_track_rms < windy.cross_track_max < 1.0


def test_holds_and_loiters_last_as_long_as_they_say() -> None:
    result = fly(UP, Waypoint((5.0, 0.0, -10.0), hold=3.0), Loiter((5.0, 0.0, -10.0), 4.0), DOWN)
    _, waypoint, loiter, _ = times(result)
    assert loiter - waypoint == pytest.approx(3.0, abs=0.05)


def test_a_speed_change_holds_for_the_legs_after_it() -> None:
    sim = PointMasses()
    fly(UP, ChangeSpeed(2.0), Waypoint((10.0, 0.0, -10.0)), DOWN, sim=sim)
    fastest = max(math.hypot(v[0], v[1]) for _, _, v, _ in sim.commands)
    assert fastest == pytest.approx(2.0)


def test_steep_legs_keep_to_the_climb_and_descent_limits() -> None:
    sim = PointMasses()
    legs = (Waypoint((5.0, 0.0, -40.0), hold=1.0), Waypoint((0.0, 0.0, -10.0), hold=1.0))
    fly(UP, *legs, DOWN, sim=sim, speed=20.0)
    down = np.array([v[2] for _, _, v, _ in sim.commands])
    assert down.min() == pytest.approx(-3.0)
    assert down.max() == pytest.approx(1.5)


def test_the_heading_looks_along_the_leg_or_where_the_item_says() -> None:
    sim = PointMasses()
    result = fly(
        UP,
        Waypoint((0.0, 20.0, -10.0), hold=0.1),
        Waypoint((0.0, 40.0, -10.0), yaw=-2.0, hold=0.1),
        DOWN,
        sim=sim,
    )
    _, east, south, _ = times(result)
    yaw = {round(at, 2): value for at, _, _, value in sim.commands}
    assert yaw[round(east, 2)] == pytest.approx(math.pi / 2)
    assert yaw[round(south, 2)] == pytest.approx(-2.0)
    turns = np.diff([c[3] for c in sim.commands])
    assert np.abs(np.remainder(turns + math.pi, math.tau) - math.pi).max() <= math.radians(1.21)


def test_return_to_launch_climbs_first_and_lands_where_the_vehicle_started() -> None:
    sim = PointMasses(n=3)
    sim.pos[1] = (4.0, -3.0, 0.0)
    mission = Mission((UP, Waypoint((20.0, 0.0, -10.0)), ReturnToLaunch()))
    result = fly_mission(sim, mission, copter_id=2)
    assert result.completed
    np.testing.assert_allclose(sim.pos[1], (4.0, -3.0, 0.0), atol=0.01)
    assert result.landing_error == pytest.approx(0.0, abs=0.01)
    assert min(pos[2] for _, pos, _, _ in sim.commands) == pytest.approx(-15.0)
    np.testing.assert_array_equal(sim.pos[[0, 2]], 0.0)


def test_return_to_launch_from_high_up_does_not_descend_on_the_way() -> None:
    sim = PointMasses()
    fly(UP, Waypoint((20.0, 0.0, -30.0)), ReturnToLaunch(), sim=sim)
    away = [pos[2] for _, pos, _, _ in sim.commands if 0.5 < pos[0] < 19.0][-100:]
    np.testing.assert_allclose(away, -30.0)


def test_without_a_take_off_item_the_vehicle_climbs_before_it_leaves() -> None:
    sim = PointMasses()
    result = fly(Waypoint((50.0, 0.0, -5.0)), ReturnToLaunch(), sim=sim)
    assert result.completed
    assert all(pos[2] < -4.5 for _, pos, _, _ in sim.commands if pos[0] > 0.5 and pos[0] < 49.0)


def test_a_mission_can_land_and_take_off_again() -> None:
    sim = PointMasses()
    away = Waypoint((10.0, 0.0, -10.0))
    result = fly(UP, away, Land((10.0, 0.0, 0.0)), away, ReturnToLaunch(), sim=sim)
    assert result.completed
    assert [armed for _, armed in sim.arming] == [True, False, True, False]
    assert sorted(times(result)) == times(result)


def test_without_a_landing_the_vehicle_is_left_hovering() -> None:
    sim = PointMasses()
    result = fly(UP, Waypoint((10.0, 0.0, -10.0)), sim=sim)
    assert result.completed
    assert result.landing_error is None
    assert sim.armed[0]
    np.testing.assert_allclose(sim.pos[0], (10.0, 0.0, -10.0), atol=0.5)


def test_landing_finds_ground_that_is_not_at_home_level() -> None:
    sim = PointMasses()
    sim.terrain[0] = sim.pos[0, 2] = 6.0
    result = fly(UP, DOWN, sim=sim)
    assert result.completed
    assert sim.pos[0, 2] == 6.0


def test_a_vehicle_that_gets_nowhere_is_given_up_with_the_reason() -> None:
    sim = PointMasses()
    sim.drag = 1e3
    result = fly(UP, Waypoint((10.0, 0.0, -10.0)), DOWN, sim=sim)
    assert not result.completed
    assert result.reason.startswith("not finished after")
    assert result.items[1].time is None
    assert "not reached" in summary_table(result)


def test_a_frozen_vehicle_ends_the_flight_with_the_reason() -> None:
    sim = PointMasses()

    def fail() -> None:
        sim.status[0] = 4 if sim.time > 3.0 else 0

    result = fly_mission(sim, Mission((UP, DOWN)), recorder=Probe(fail))
    assert not result.completed
    assert result.reason == "invalid state: too fast"
    assert result.time < 3.1


def test_set_points_stay_inside_the_limits_of_the_vehicle() -> None:
    sim = PointMasses()
    sim.speed_limit[:], sim.descent_limit[:] = 2.0, 0.5
    sim.climb_limit[:], sim.accel_limit[:] = 0.8, 1.0
    legs = (Waypoint((9.0, 0.0, -10.0)), Waypoint((9.0, 9.0, -20.0)), Waypoint((0.0, 9.0, -9.0)))
    result = fly(UP, *legs, DOWN, sim=sim)
    assert result.completed
    vel = np.array([v for _, _, v, _ in sim.commands])
    assert np.hypot(vel[:, 0], vel[:, 1]).max() <= 1.8 + 1e-9
    assert vel[:, 2].min() >= -0.72 - 1e-9
    assert vel[:, 2].max() <= 0.45 + 1e-9


def test_the_recorder_is_called_at_the_start_and_every_tick() -> None:
    sim = PointMasses()
    at: list[float] = []
    result = fly_mission(sim, Mission((UP, DOWN)), recorder=Probe(lambda: at.append(sim.time)))
    np.testing.assert_allclose(np.diff(at), 0.02)
    assert at[0] == 0.0
    assert at[-1] == pytest.approx(result.time)


@pytest.mark.parametrize("copter_id", [0, 2, -1, 1.0])
def test_an_unknown_vehicle_is_named(copter_id: int) -> None:
    with pytest.raises(
        ValueError, match=rf"^copter_id: expected an integer 1..1, got {copter_id}$"
    ):
        fly_mission(PointMasses(), Mission((UP, DOWN)), copter_id=copter_id)


@pytest.mark.parametrize("dt", [0.003, 0.05])
def test_a_step_that_does_not_fit_the_tick_is_named(dt: float) -> None:
    with pytest.raises(ValueError, match=r"^sim\.dt: expected"):
        fly_mission(PointMasses(dt=dt), Mission((UP, DOWN)))


@pytest.mark.parametrize(
    "path",
    [DEMO, *sorted(EXAMPLES.glob("*.plan")), *sorted(EXAMPLES.glob("*.csv"))],
    ids=lambda path: path.stem,
)
def test_the_shipped_missions_are_flights_of_one_or_two_minutes(path: Path) -> None:
    result = fly_mission(Sim("sdk"), read_mission(path))
    assert result.completed
    assert 60.0 < result.time < 150.0 or (path.suffix == ".csv" and 40.0 < result.time < 60.0)
    assert result.cross_track_max is not None
    assert result.cross_track_max < 0.1
    assert result.landing_error is not None
    assert result.landing_error < 0.05


def test_summary_table_is_aligned_and_names_every_item() -> None:
    result = fly_mission(PointMasses(), read_mission(EXAMPLES / "survey_square.plan"))
    lines = summary_table(result).splitlines()
    assert len(lines) == 9 + len(result.items)
    column = lines[0].index("survey_square")
    assert all(line[column - 1] == " " and line[column] != " " for line in lines)
    assert any("waypoint, hold 2 s" in line for line in lines)


@pytest.mark.parametrize("vehicle", ["cf2x_l250", "hex_x", "octo_coax", "sih_quad", "tri_y_plus"])
def test_light_and_heavy_vehicles_fly_the_same_mission(vehicle: str) -> None:
    result = fly_mission(Sim(vehicle), read_mission(EXAMPLES / "square.csv"))
    assert result.completed
    assert result.cross_track_max is not None
    assert result.cross_track_max < 0.2
    assert result.landing_error is not None
    assert result.landing_error < 0.1


def test_a_vehicle_of_a_mixed_fleet_flies_and_the_others_stay() -> None:
    sim = Sim({"x450": 1, "cf2x_l250": 2}, precision="float32")
    sim.reset(pos=(1.0, 2.0, 0.0), ids=3)
    sim.step(500)
    before = np.array(sim.pos)
    result = fly_mission(
        sim, Mission((UP, Loiter((4.0, 0.0, -3.0), 1.0), ReturnToLaunch())), copter_id=3
    )
    assert result.completed
    np.testing.assert_allclose(sim.pos[2], (1.0, 2.0, 0.0), atol=0.1)
    np.testing.assert_allclose(sim.pos[:2], before[:2], atol=0.01)


def test_wind_shows_in_the_tracking_error_and_the_landing_still_hits() -> None:
    sim = Sim("x450")
    sim.wind[:] = (0.0, 6.0, 0.0)
    leg = Waypoint((30.0, 0.0, -10.0), hold=1.0)
    result = fly_mission(sim, Mission((UP, leg, ReturnToLaunch())))
    assert result.completed
    assert result.landing_error is not None
    assert result.landing_error < 0.3


def test_a_recorder_gets_the_whole_flight() -> None:
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos",))
    result = fly_mission(sim, Mission((UP, DOWN)), recorder=recorder)
    log = recorder.log()
    assert log.time[0] == 0.0
    assert log.time[-1] == pytest.approx(result.time)
    np.testing.assert_allclose(np.diff(log.time), 0.02)
