"""Where pictures are taken from."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.view.camera import Camera, looking
from pyrfly.view.world import Frame, Group, Line, World

SIZE = (640, 480)


def world_of(*radii: float, lines: tuple[Line, ...] = ()) -> World:
    groups = [
        Group(f"set {k}", "", np.array([k + 1]), (), radius, 0.1) for k, radius in enumerate(radii)
    ]
    return World(tuple(groups), lines=lines)


def frame_of(*pos: object, att: object = (1, 0, 0, 0), time: float = 0.0) -> Frame:
    places = np.array(pos, np.float64)
    count = len(places)
    displayed, flags = np.zeros((count, 8), np.float32), np.zeros(count, np.uint8)
    return Frame(time, places, np.tile(np.float32(att), (count, 1)), displayed, flags)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("azimuth", [-0.6, 2.5])
def test_an_overview_shows_all_that_is_there(seed, azimuth):
    random = np.random.default_rng(seed)
    print("seed", seed)
    pos = random.normal(size=(6, 3)) * 10 ** random.uniform(1.5, 4)
    pos[2] = np.nan
    line = Line("fence", pos[:2] * 1.5, (255, 0, 0))
    world = world_of(*random.uniform(0.1, 3, 6), lines=(line,))
    camera = Camera(azimuth=azimuth, elevation=random.uniform(-0.2, 1.5))
    view = camera.view(world, frame_of(*pos), 4 / 3)
    there = np.concatenate([pos[[0, 1, 3, 4, 5]], line.points])
    x, y, ahead = view.project(there, SIZE).T
    assert (ahead > 0).all()
    assert ((x > 0) & (x < 640) & (y > 0) & (y < 480)).all()
    assert max(np.ptp(x) / 640, np.ptp(y) / 480) > 0.2


def test_an_overview_moves_smoothly_and_loses_nobody():
    world, camera = world_of(0.3, 0.3), Camera()
    before = camera.view(world, frame_of((0, 0, 0), (1, 0, 0)), 4 / 3)
    far = frame_of((0, 0, 0), (2, 0.6, 0))
    after = camera.view(world, far, 4 / 3, before, share=0.1)
    settled = camera.view(world, far, 4 / 3)
    middles = [view.middle for view in (before, after, settled)]
    np.testing.assert_allclose(middles[1] - middles[0], 0.1 * (middles[2] - middles[0]), atol=1e-9)
    x, y, _ = after.project(far.pos, SIZE).T
    assert ((x > 0) & (x < 640) & (y > 0) & (y < 480)).all()


def test_an_overview_does_not_leave_a_fast_vehicle_behind():
    world, camera = world_of(0.3), Camera()
    still = view = camera.view(world, frame_of((0, 0, 0)), 4 / 3)
    for k in range(1, 30):
        frame = frame_of((3.0 * k, 0, 0))
        view = camera.view(world, frame, 4 / 3, view, share=0.1)
        x, y, _ = view.project(frame.pos, SIZE)[0]
        assert 0 < x < 640
        assert 0 < y < 480
    assert view.distance < 2 * still.distance


def test_a_camera_that_follows_has_the_vehicle_in_the_middle():
    world, frame = world_of(0.3, 1.5), frame_of((0, 0, 0), (300, -20, -50))
    view = Camera.of("follow:2").view(world, frame, 4 / 3)
    x, y, ahead = view.project(frame.pos[1:] - [0, 0, 0.1], SIZE)[0]
    assert (x, y) == pytest.approx((320, 240))
    assert ahead == pytest.approx(view.distance)


def test_the_nose_looks_along_the_vehicle():
    yaw, roll = np.radians(90), np.radians(30)
    att = [np.cos(yaw / 2) * np.cos(roll / 2), np.cos(yaw / 2) * np.sin(roll / 2),
           np.sin(yaw / 2) * np.sin(roll / 2), np.sin(yaw / 2) * np.cos(roll / 2)]  # fmt: skip
    view = Camera.of("nose:1").view(world_of(0.5), frame_of((7, 0, -2), att=att), 4 / 3)
    np.testing.assert_allclose(view.axes[2], [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(view.axes[1], [np.sin(roll), 0, np.cos(roll)], atol=1e-6)
    assert 0 < view.eye[1] < 0.5


@pytest.mark.parametrize("ahead", [(0, 0, 1), (0, 0, -3), (1, 2, -2)])
def test_axes_are_a_right_handed_system(ahead):
    axes = looking(ahead)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.cross(axes[0], axes[1]), axes[2], atol=1e-12)
    assert axes[1, 2] >= 0


@pytest.mark.parametrize("text", ["", "above", "follow:x", "overview:1", "nose:-1", None, 3])
def test_what_is_no_camera_is_named(text):
    with pytest.raises(ValueError, match="camera: expected overview, follow:ID or nose:ID, got"):
        Camera.of(text)


def test_a_vehicle_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="camera: expected a CopterID of 1, 2, got 9"):
        Camera.of("follow:9").view(world_of(1, 1), frame_of((0, 0, 0), (1, 0, 0)), 1.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"at": [np.nan] * 3}, "at: expected finite values up to 1e"),
        ({"at": [1, 2]}, r"at: expected shape \(3,\)"),
        ({"distance": 1e300}, "distance: expected a length above 0, up to 1e"),
        ({"distance": 0}, "distance: expected a length above 0"),
    ],
)
def test_numbers_of_a_camera_that_are_none_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        Camera(**wrong)


def test_a_vehicle_of_a_camera_is_a_number():
    with pytest.raises(TypeError, match="vehicle: expected a CopterID, an int, got '1'"):
        Camera("follow", "1")
