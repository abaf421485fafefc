"""Pictures of simulations and logs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Log, Recorder
from pyrfly.log.flight_columns import flight_columns
from pyrfly.scene import Box, Scene
from pyrfly.view import Camera, picture
from pyrfly.view.live import SimSource
from pyrfly.view.logged import LogSource
from pyrfly.view.painter import Painter
from pyrfly.view.poses import origins
from pyrfly.view.world import ARMED, CRASHED, FAULTY

SIZE = (320, 240)


@pytest.fixture(scope="module")
def sim() -> Sim:
    made = Sim({"x450": 3, "aerosonde": 1})
    made.reset(pos=[[0, 0, -3], [4, 0, -3], [0, 6, -5], [9, -4, -9]])
    made.arm()
    made.command_position([[3, 0, -5], [5, 2, -3], [0, 5, -4]], ids=[1, 2, 3])
    return made


@pytest.fixture(scope="module")
def log(sim: Sim) -> Log:
    recorder = Recorder(sim, flight_columns(sim), every=20)
    sim.run(1.0, record=recorder)
    return recorder.log()


def test_vehicles_are_where_they_are(sim):
    source = SimSource(sim)
    frame, world = source.frame(), source.world()
    shot = Painter(world, SIZE, least=0.0).shoot(frame)
    places = origins(world, frame)
    for k, (x, y, ahead) in enumerate(shot.view.project(places, SIZE)):
        rows, columns = np.nonzero(shot.ids == k + 1)
        assert len(rows) > 5
        assert abs(columns.mean() + 0.5 - x) < 3
        assert abs(rows.mean() + 0.5 - y) < 3
        assert abs(np.median(shot.distances[shot.ids == k + 1]) - ahead) < 1.5


def test_a_picture_has_shape_and_contents(sim, log):
    for seen in (sim, log):
        drawn = picture(seen, SIZE)
        assert drawn.shape == (240, 320, 3)
        assert drawn.dtype == np.uint8
        assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 100


def test_cameras_and_times_differ(log):
    pictures = [
        picture(log, SIZE, "follow:1"),
        picture(log, SIZE, "follow:1", time=0.2),
        picture(log, SIZE, "nose:4"),
        picture(log, SIZE, Camera(azimuth=1.0)),
    ]
    assert len({drawn.tobytes() for drawn in pictures}) == 4


def test_a_log_is_seen_as_the_simulation_was(sim, log):
    live, logged = SimSource(sim), LogSource(log)
    a, b = live.frame(), logged.frame()
    assert a.time == pytest.approx(b.time)
    for name in ("pos", "att", "displayed", "flags", "pos_sp"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-6, err_msg=name)
    for one, other in zip(live.world().groups, logged.world().groups, strict=True):
        assert (one.name, one.radius, one.rise) == (other.name, other.radius, other.rise)
        assert one.ids.tolist() == other.ids.tolist()


def test_rotors_change_pixels_where_they_are():
    """Of a vehicle that hovers: from picture to picture its rotors alone are others."""
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -5], hover=True)
    source = SimSource(sim)
    world = source.world()
    painter = Painter(world, SIZE, Camera("follow", elevation=1.2), trail=0.0)
    first = painter.shoot(source.frame())
    sim.step(50)
    second = painter.shoot(source.frame())
    changed = (first.colours != second.colours).any(axis=2) & (first.ids == 1)  # no shadows
    assert changed.sum() > 20
    rows, columns = np.nonzero(changed)
    spots = [
        first.view.project([origins(world, source.frame())[0] + piece.joints[0].at], SIZE)[0]
        for piece in world.groups[0].pieces
        if piece.joints
    ]
    away = [np.hypot(columns + 0.5 - x, rows + 0.5 - y) for x, y, _ in spots]
    rotor = world.groups[0].pieces[1]
    radius = np.linalg.norm(rotor.mesh.vertices - rotor.joints[0].at, axis=1).max()
    reach = first.view.focal(SIZE) * radius / min(ahead for _, _, ahead in spots) + 1
    assert (np.min(away, axis=0) < reach).all()


def test_small_vehicles_are_enlarged():
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -5], [900, 0, -5]])
    source = SimSource(sim)
    sizes = [
        np.count_nonzero(Painter(source.world(), SIZE, least=least).shoot(source.frame()).ids == 1)
        for least in (0.0, 12.0)
    ]
    assert sizes[0] < 5
    assert sizes[1] > 60


def test_a_vehicle_that_has_crashed_is_marked():
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -3])
    source = SimSource(sim)
    marks = []
    for bits in (ARMED, ARMED | CRASHED, FAULTY):
        frame = replace(source.frame(), flags=np.array([bits], np.uint8))
        drawn = Painter(source.world(), SIZE).draw(frame).astype(int)
        marks.append(np.count_nonzero(np.abs(drawn - (190, 20, 20)).max(axis=2) < 30))
    assert marks[0] == 0
    assert min(marks[1:]) > 20


def test_a_scene_hides_what_is_behind_it():
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -2])
    camera = Camera("follow", azimuth=0.0, elevation=0.0, distance=8.0)
    for wall, seen in (([3, 0, -2], True), ([-3, 0, -2], False)):
        sim.scene.set(Scene([Box((0.2, 20, 20), wall)]))
        source = SimSource(sim)
        shot = Painter(source.world(), SIZE, camera).shoot(source.frame())
        assert (shot.ids == 1).any() == seen


@pytest.mark.parametrize("given", [None, 3, {}], ids=str)
def test_other_things_are_refused(given):
    with pytest.raises(TypeError, match="source: expected a Sim, a Log or its file, got"):
        picture(given)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": (8, 240)}, "size: expected width and height, 16 to 4096 pixels, got"),
        ({"size": 640}, "size: expected width and height"),
        ({"camera": "follow:7"}, "camera: expected a CopterID of 1, 2, 3, 4, got 7"),
        ({"labels": "all"}, "labels: expected ids, names or nothing, got 'all'"),
        ({"time": 1.0}, "time: expected none of a Sim"),
        ({"trail": -1}, "trail: expected a number of at least 0"),
        ({"least": np.nan}, "least: expected finite values"),
    ],
)
def test_wrong_arguments_are_named(sim, changes, message):
    with pytest.raises(ValueError, match=message):
        picture(sim, **changes)
