"""From messages to inputs of vehicles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pyrfly_ros.set_points import SET_POINTS, Refused, Vehicle, fleet, in_sil

from pyrfly import Sim
from pyrfly.server import Count
from pyrfly.server.execution import Executor
from pyrfly.server.link_stats import LinkStats
from pyrfly.server.orders import SetInputs, SetPoints

from .conftest import message

REST = {"linear": (0.0, 0.0, 0.0), "angular": (0.0, 0.0, 0.0)}
HERE = Vehicle("map", "vehicle_1/base_link")
EAST = (0.0, 0.0, 0.0, 1.0)


def header(frame: str = "map") -> dict:
    return {"frame_id": frame}


def pose(place=(3.0, 1.0, 4.0), turn=EAST, frame="map"):
    return message(header=header(frame), pose={"position": place, "orientation": turn})


def twist(linear=(1.0, 2.0, 3.0), angular=(0.0, 0.0, 0.5), frame="map"):
    return message(header=header(frame), twist={"linear": linear, "angular": angular})


def commanded(sim: Sim, ids, inputs) -> None:
    """Let armed vehicles fly by set-points, as a link does."""
    executor = Executor(sim, LinkStats(sim.n), math.inf, setpoints_arm=True)
    executor.act(SetPoints(np.asarray(ids), *inputs))


def flown(name: str, given, seconds: float = 6.0, vehicle: Vehicle = HERE) -> Sim:
    """Return a vehicle that has flown by a set-point, from 20 m above a home beside the origin."""
    sim = Sim("x450")
    sim.enable_synthesis()
    sim.reset(pos=[5, -5, 0], yaw=1.0)
    sim.reset(pos=[5, -5, -20], yaw=1.0, ids=1)
    commanded(sim, [1], SET_POINTS["cmd_vel"].inputs(message(**REST), vehicle))
    sim.step(3000)
    commanded(sim, [1], SET_POINTS[name].inputs(given, vehicle))
    sim.step(round(seconds * 1000))
    return sim


def test_a_pose_is_reached_in_the_map() -> None:
    sim = flown("set_point/pose", pose((3, 1, 12), EAST), 12)
    np.testing.assert_allclose(sim.pos[0], [1, 3, -12], atol=0.05)
    assert sim.euler[0, 2] == pytest.approx(math.pi / 2, abs=0.02)


@pytest.mark.parametrize("frame", ["map", ""])
def test_a_velocity_of_the_world_is_flown(frame: str) -> None:
    sim = flown("set_point/velocity", twist((1, 2, 0.5), (0, 0, 0), frame), 4)
    np.testing.assert_allclose(sim.vel[0], [2, 1, -0.5], atol=0.05)


def test_a_twist_is_flown_along_the_nose() -> None:
    sim = flown("cmd_vel", message(linear=(2, 0, 0), angular=(0, 0, 0)), 4)
    np.testing.assert_allclose(sim.vel[0], [2 * math.cos(1), 2 * math.sin(1), 0], atol=0.05)
    turning = flown("cmd_vel", message(linear=(0, 0, 0), angular=(0, 0, 0.3)), 2)
    assert turning.rate[0, 2] == pytest.approx(-0.3, abs=0.02)
    left = flown("set_point/velocity", twist((0, 2, 0), (0, 0, 0), HERE.body), 4)
    np.testing.assert_allclose(left.vel[0], [2 * math.sin(1), -2 * math.cos(1), 0], atol=0.05)


def test_an_acceleration_is_felt() -> None:
    given = message(header=header(), accel={"linear": (0, 1, 0), "angular": (0, 0, 0)})
    sim = flown("set_point/acceleration", given, 2)
    assert sim.vel[0, 0] == pytest.approx(1.8, abs=0.3)


def test_an_attitude_is_held_with_a_thrust_or_a_height() -> None:
    """Rolled to the right by 0.1 and heading east: it drifts to the south."""
    half = 0.05
    given = message(header=header(), quaternion=(math.sin(half), 0, 0, math.cos(half)))
    sim = flown("set_point/attitude", given, 2)
    np.testing.assert_allclose(sim.euler[0], [0.1, 0, math.pi / 2], atol=0.02)
    assert sim.vel[0, 0] < -1
    height = -sim.pos[0, 2]
    assert height > 17
    fallen = flown("set_point/attitude", given, 2, HERE._replace(thrust=0.0))
    assert -fallen.pos[0, 2] < height - 5


def test_inputs_are_those_of_the_udp_port() -> None:
    numbers = [3.0, 9.0, 0, 0, 0, 0, 0, 2.0**32 - 7, *np.arange(20.0)]
    (action,) = in_sil(message(data=numbers), 2)
    assert isinstance(action, SetInputs)
    assert action.ids.tolist() == [2]
    assert action.ints.tolist() == [[3, 9, 0, 0, 0, 0, 0, -7]]
    assert action.floats.tolist() == [list(range(20))]
    assert action.doubles.tolist() == [numbers]


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ([0.0] * 27, Count.BAD_LENGTH),
        ([2.0**32] + [0.0] * 27, Count.NOT_FINITE),
        ([math.nan] + [0.0] * 27, Count.NOT_FINITE),
        ([0.0] * 27 + [math.inf], Count.NOT_FINITE),
    ],
)
def test_inputs_that_the_udp_port_drops_are_refused(data, count) -> None:
    with pytest.raises(Refused) as error:
        in_sil(message(data=data), 1)
    assert error.value.count == count


BAD_NUMBERS = [math.nan, math.inf, -math.inf]


@pytest.mark.parametrize("bad", BAD_NUMBERS)
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("set_point/pose", lambda bad: pose((0, bad, 0))),
        ("set_point/pose", lambda bad: pose(turn=(0, 0, bad, 1))),
        ("set_point/velocity", lambda bad: twist((bad, 0, 0))),
        ("set_point/velocity", lambda bad: twist(angular=(0, 0, bad))),
        ("cmd_vel", lambda bad: message(linear=(0, 0, bad), angular=(0, 0, 0))),
        (
            "set_point/acceleration",
            lambda bad: message(header=header(), accel={"linear": (bad, 0, 0)}),
        ),
        ("set_point/attitude", lambda bad: message(header=header(), quaternion=(0, bad, 0, 1))),
    ],
)
def test_what_is_not_finite_is_refused(name, given, bad) -> None:
    with pytest.raises(Refused) as error:
        SET_POINTS[name].inputs(given(bad), HERE)
    assert error.value.count == Count.NOT_FINITE


@pytest.mark.parametrize(
    ("name", "given", "count", "text"),
    [
        ("set_point/pose", pose(frame="odom"), Count.UNKNOWN, "expected 'map'"),
        ("set_point/pose", pose(frame=HERE.body), Count.UNKNOWN, "expected 'map'"),
        ("set_point/velocity", twist(frame="x"), Count.UNKNOWN, "expected 'map' or 'vehicle_1"),
        ("set_point/pose", pose(turn=(0.0,) * 4), Count.NOT_FINITE, "unit quaternion"),
        ("set_point/pose", pose(turn=(0, 0, 0, 2.0)), Count.NOT_FINITE, "one of length 2"),
    ],
)
def test_what_is_no_set_point_is_refused(name, given, count, text) -> None:
    with pytest.raises(Refused, match=text) as error:
        SET_POINTS[name].inputs(given, HERE)
    assert error.value.count == count


def test_a_fleet_flies_by_rows_and_leaves_those_of_nan_alone() -> None:
    sim = Sim("x450", 3)
    sim.enable_synthesis()
    sim.reset(pos=[[0, 0, 0], [0, 5, 0], [0, 10, 0]])
    table = [[1, 2, 5, 0], [math.nan, 0, 5, 0], [4, 3, 6, math.nan]]
    chosen, inputs = fleet(message(data=np.ravel(table).tolist()), 3)
    assert chosen.tolist() == [0, 2]
    commanded(sim, chosen + 1, inputs)
    sim.step(12000)
    np.testing.assert_allclose(sim.pos[[0, 2]], [[2, 1, -5], [3, 4, -6]], atol=0.1)
    np.testing.assert_allclose(sim.euler[[0, 2], 2], [math.pi / 2, 0], atol=0.02)
    assert sim.pos[1, 2] > -0.5


@pytest.mark.parametrize(
    ("data", "count"),
    [([0.0] * 11, Count.BAD_LENGTH), ([], Count.BAD_LENGTH), ([math.inf] * 12, Count.NOT_FINITE)],
)
def test_a_fleet_of_another_size_or_at_infinity_is_refused(data, count) -> None:
    with pytest.raises(Refused) as error:
        fleet(message(data=data), 3)
    assert error.value.count == count


def test_a_fleet_without_set_points_is_none() -> None:
    chosen, inputs = fleet(message(data=[math.nan] * 12), 3)
    assert len(chosen) == len(inputs.ints) == 0
