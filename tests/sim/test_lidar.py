"""Lidars: what they measure of level ground, a wall, a sphere and each other; noise; arguments."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.frames import quaternion_of_euler
from pyrfly.scene import Box, Scene, Sphere
from pyrfly.sim.lidar import Lidar
from pyrfly.sim.scene import Seen

BALL = Scene([Sphere(5, (0, 0, -20))])


def vehicle(pos, n=1, attitude=(1, 0, 0, 0)):
    sim = pyrfly.Sim("x450", n)
    sim.reset(pos=pos)
    sim.att[:] = attitude
    return sim


def test_directions_of_a_turning_lidar_go_up_and_to_the_right():
    lidar = Lidar.spinning(3, 4, (-0.5, 0.5), (0, 2 * np.pi))
    assert lidar.shape == (3, 4)
    expected = [[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]]
    np.testing.assert_allclose(lidar.directions[1], expected, atol=1e-15)
    np.testing.assert_allclose(lidar.directions[0, 0], [np.cos(0.5), 0, np.sin(0.5)])
    np.testing.assert_allclose(Lidar.ring(4).directions, expected, atol=1e-15)


def test_over_level_ground_distances_are_height_over_sine():
    sim = vehicle([3, 4, -10])
    lidar = Lidar.spinning(5, 8, np.radians([-60, -10]))
    scan = sim.scene.scan(lidar)
    expected = 10 / np.sin(np.radians(np.linspace(60, 10, 5)))
    np.testing.assert_allclose(
        scan.distance[0], np.broadcast_to(expected[:, None], (5, 8)), rtol=1e-6
    )
    assert (scan.kind == Seen.GROUND).all()
    np.testing.assert_allclose(scan.points()[..., 2], 0, atol=1e-5)


def test_points_lie_on_the_ball_whatever_attitude_and_mounting():
    rng = np.random.default_rng(1)
    attitude = quaternion_of_euler(rng.uniform(-1, 1, 3))
    sim = vehicle([1, 2, -19], attitude=attitude)
    sim.scene.set(BALL)
    lidar = Lidar.spinning(6, 30, (-1.2, 1.2), position=(0.3, -0.2, 0.1), attitude=(0.4, -0.3, 2))
    scan = sim.scene.scan(lidar)
    assert (scan.kind == Seen.SHAPE).all()
    assert (scan.number == 0).all()
    np.testing.assert_allclose(np.linalg.norm(scan.points() - [0, 0, -20], axis=-1), 5, atol=1e-5)
    body = Rotation.from_quat(attitude[[1, 2, 3, 0]]).as_matrix()
    mount = Rotation.from_euler("ZYX", [2, -0.3, 0.4]).as_matrix()
    in_body = scan.points("sensor") @ mount.T + [0.3, -0.2, 0.1]
    np.testing.assert_allclose(scan.points("FRD"), in_body, atol=1e-12)
    np.testing.assert_allclose(scan.points(), in_body @ body.T + sim.pos[0], atol=1e-9)


def test_the_depth_of_a_wall_is_the_same_at_all_pixels():
    sim = vehicle([0, 0, -50])
    sim.scene.set(Scene([Box((1, 100, 100), (8.5, 0, -50))]))
    camera = Lidar.camera(16, 12, np.radians(80))
    scan = sim.scene.scan(camera)
    assert scan.depth.shape == (1, 12, 16)
    np.testing.assert_allclose(scan.depth, 8, rtol=1e-6)
    edge = camera.directions[0, 0]
    assert edge[1] / edge[0] == pytest.approx(-np.tan(np.radians(40)) * 15 / 16)
    assert edge[2] / edge[1] == pytest.approx(11 / 15)


def test_vehicles_see_each_other_and_not_themselves():
    sim = vehicle([[0, 0, -30], [5, 0, -30]], 2)
    scan = sim.scene.scan(Lidar.ring(4, maximum=20))
    assert scan.number.tolist() == [[2, -1, -1, -1], [-1, -1, 1, -1]]
    one = sim.scene.scan(Lidar.ring(4, maximum=20), ids=2)
    assert np.array_equal(one.distance, scan.distance[1:])
    assert np.isinf(sim.scene.scan(Lidar.ring(4, maximum=4)).distance).all()


def test_the_ground_is_that_of_each_vehicle():
    sim = vehicle([[0, 0, -30], [5, 0, -30]], 2)
    sim.terrain[:] = [0, -10]
    assert sim.scene.scan(Lidar([[0, 0, 1]])).distance.tolist() == [[30], [20]]


def test_limits_hold_near_surfaces_and_leave_out_far_ones():
    sim = vehicle([0, 0, -10])
    down = [[0, 0, 1]]
    assert sim.scene.scan(Lidar(down, maximum=9)).distance == np.inf
    assert sim.scene.scan(Lidar(down, maximum=9)).kind == Seen.NOTHING
    assert sim.scene.scan(Lidar(down, minimum=12, maximum=20)).distance == 12


def test_noise_has_its_deviation_and_depends_on_seed_vehicle_and_time():
    sim = vehicle([[0, 0, -10], [50, 0, -10]], 2)
    lidar = Lidar(np.broadcast_to([0, 0, 1.0], (4000, 3)), noise=0.1)
    one = sim.scene.scan(lidar)
    error = one.distance - 10
    assert abs(error.mean()) < 0.006
    assert error.std() == pytest.approx(0.1, rel=0.04)
    assert np.array_equal(one.distance, sim.scene.scan(lidar).distance)
    assert np.array_equal(one.distance[1:], sim.scene.scan(lidar, ids=2).distance)
    assert abs(np.corrcoef(error)[0, 1]) < 0.06
    sim.set_seed(8)
    assert not np.array_equal(one.distance, sim.scene.scan(lidar).distance)
    before = sim.scene.scan(lidar).distance
    sim.step()
    sim.pos[:, 2] = -10
    assert not np.array_equal(before, sim.scene.scan(lidar).distance)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Lidar([1, 0, 0]), r"directions: expected the shape \(..., 3\)"),
        (lambda: Lidar([[0, 0, 0]]), "directions: expected lengths"),
        (lambda: Lidar([[np.nan, 0, 0]]), "directions: expected finite"),
        (lambda: Lidar.ring(0), "sectors: expected 1 to"),
        (lambda: Lidar.ring(2.5), "sectors: expected a whole number"),
        (lambda: Lidar.spinning(10**6, 10**6), "channels, columns: expected up to 4194304 rays"),
        (lambda: Lidar(np.broadcast_to([1, 0, 0], (10**9, 3))), "directions: expected the shape"),
        (lambda: Lidar.ring(maximum=-1), "maximum: expected one number from 0"),
        (lambda: Lidar.ring(minimum=200), "minimum: expected less than the maximum"),
        (lambda: Lidar.ring(noise=[1, 2]), "noise: expected one number"),
        (lambda: Lidar.ring(attitude=(1, 1, 1, 1)), "attitude: expected a unit quaternion"),
        (lambda: Lidar.ring(position=(1, 2)), "position: expected 3 numbers"),
        (lambda: Lidar.camera(fov=4), "fov: expected above 0 and below pi"),
        (lambda: Lidar.camera(5000, 5000), "width, height: expected up to 4194304 rays"),
        (lambda: vehicle([0, 0]).scene.scan(3), "lidar: expected a Lidar"),
        (
            lambda: pyrfly.Sim("x450", 1025).scene.scan(Lidar.ring(1 << 18)),
            "ids: expected up to 1024 vehicles with 262144 rays each, got 1025",
        ),
        (
            lambda: vehicle([0, 0]).scene.scan(Lidar.ring(), ids=range(1, 10**12)),
            "ids: expected CopterIDs from 1 to 1, got 999999999999",
        ),
        (lambda: vehicle([0, 0]).scene.scan(Lidar.ring()).points("ENU"), "frame: expected 'NED'"),
    ],
)
def test_bad_arguments_are_refused_by_name(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()
