"""Who takes part in collisions, what they meet, and what breaks."""

from dataclasses import replace

import numpy as np
import pytest

import pyrfly
from pyrfly.errors import ParameterError
from pyrfly.mission import Land, Mission, Waypoint, fly_missions
from pyrfly.protocol.synthesis import land, take_off
from pyrfly.scene import Box, Mesh, Plane, Scene, Sphere
from pyrfly.scene.shapes import Shape
from pyrfly.sim.crashes import crash_ids
from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES, Hull, HullShape, load, names

from ..extended import EXTENDED
from .bodies import VEHICLE, bodies, hull

G = 9.80665
ON_GROUND = [name for name in EXTENDED if FAMILIES[load(name).family].afloat is None]
DRONE = names(DEFAULT_FAMILY)[-1]


def cloud(threads: int, counts: tuple[int, ...] = (90,), **options: object) -> pyrfly.Sim:
    """Return bodies that meet a lot, in one or several groups."""
    n = sum(counts)
    sim = bodies(counts, hull((0.1, 0.1, 0.0), 0.05, 0.5, 0.6), 0.0, threads=threads, **options)
    rng = np.random.default_rng(5)
    sim.reset(pos=rng.uniform(-1.2, 1.2, (n, 3)) - [0, 0, 50])
    sim.select().write("vel", rng.normal(size=(n, 3)))
    return sim


def seen(sim: pyrfly.Sim) -> bytes:
    chosen = sim.select()
    return b"".join(
        chosen.read(name).tobytes() for name in ("pos", "vel", "att", "rate", "collision_with")
    )


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_the_bits_depend_on_neither_threads_nor_groups_nor_calls(precision: str) -> None:
    one, two, three = (
        cloud(threads, counts, precision=precision)
        for threads, counts in ((1, (90,)), (3, (90,)), (2, (20, 70)))
    )
    one.step(600)
    two.step(600)
    for steps in (1, 7, 92, 500):
        three.step(steps)
    assert one.collision_count.sum() > 20
    assert seen(one) == seen(two) == seen(three)


def test_a_snapshot_goes_on_alike() -> None:
    sim = cloud(1)
    sim.step(205)
    saved = sim.snapshot()
    sim.step(400)
    then = seen(sim)
    sim.step(1000)
    sim.restore(saved)
    sim.step(400)
    assert seen(sim) == then


def test_who_takes_no_part_is_passed_through_with_the_bits_of_before() -> None:
    sims = [pyrfly.Sim(VEHICLE, 3) for _ in range(2)]
    sims[0].collisions.enable()
    sims[0].collisions.enable(False, ids=[1, 2])
    for sim in sims:
        sim.reset(pos=[[0, 0, -20], [1, 0, -20], [50, 0, -20]])
        sim.vel[:2, 0] = [5, -5]
        sim.sleep(1)
    assert (sims[0].pos == sims[1].pos).all()
    assert (sims[0].rate == sims[1].rate).all()
    assert sims[0].collisions.met() == [None] * 3


def test_vehicles_that_turn_aside_too_late_lose_rotors() -> None:
    sim = pyrfly.Sim(VEHICLE, 2)
    sim.collisions.enable()
    sim.reset(pos=[[0, 0, -20], [0, 0.5, -20]], hover=True)
    sim.vel[:, 1] = [4, -4]
    sim.sleep(3)
    assert sim.collisions.crashed().all()
    assert sim.collisions.broken_by() == ["copter 2", "copter 1"]
    assert sim.collisions.met() == ["ground", "ground"]
    assert all(sim.collisions.lost())
    assert (sim.pos[:, 2] > -1).all()


def test_a_set_without_shapes_takes_part_with_derived_ones() -> None:
    sim = pyrfly.Sim(replace(load(VEHICLE), hull=Hull()))
    sim.collisions.enable()
    derived = sim.groups[0].family.hull(sim.groups[0].parameters).shapes
    assert np.count_nonzero(sim.collision_radius) == len(derived) > 0


def test_a_reset_mends() -> None:
    sim = pyrfly.Sim(VEHICLE)
    sim.collisions.enable()
    sim.reset(pos=[0, 0, -20])
    sim.sleep(4)
    assert sim.collisions.crashed().all()
    assert sim.collisions.lost() == [list(range(sim.groups[0].parameters.actuator_count))]
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.sleep(2)
    assert not sim.collisions.crashed().any()
    assert sim.pos[0] == pytest.approx([0, 0, -20], abs=0.1)


def test_who_takes_no_part_any_more_falls_through_the_roof() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.scene.set(Scene([Box((20, 20, 4), (0, 0, -2))]))
    sim.collisions.enable()
    sim.reset(pos=[[-3, 0, -4.1], [3, 0, -4.1]])
    sim.sleep(1)
    assert sim.collisions.touching().all()
    sim.collisions.enable(False, ids=1)
    assert sim.collisions.enabled
    sim.sleep(0.5)
    assert sim.collisions.touching().tolist() == [False, True]
    assert sim.pos[0, 2] > -4.1 + 9 * 0.5**2 / 2 > sim.pos[1, 2]
    sim.collisions.enable(False)
    assert not sim.collisions.enabled
    sim.sleep(2)
    np.testing.assert_allclose(sim.pos[:, 2], 0, atol=0.05)
    sim.collisions.enable()
    assert sim.collisions.enabled


def test_a_shape_of_an_earlier_scene_has_no_name() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.scene.set(Scene([Box((20, 20, 4), (0, 0, -2), name="roof")]))
    sim.collisions.enable()
    sim.reset(pos=[[-3, 0, -4.1], [30, 0, -1]])
    sim.sleep(1.5)
    assert sim.collisions.met() == ["roof", "ground"]
    sim.scene.set(Scene([Box((20, 20, 4), (0, 0, -2), name="deck")]))  # the same, but for its name
    assert sim.collisions.met() == ["deck", "ground"]
    sim.scene.set(Scene([Box((1, 1, 1), (0, 0, -200), name="balloon")]))
    assert sim.collisions.met() == ["an earlier scene", "ground"]


def test_who_is_mended_flies_again() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.collisions.enable()
    sim.reset(pos=[[0, 0, -3], [9, 0, -3]])
    sim.sleep(2)
    assert sim.collisions.crashed().all()
    sim.collisions.mend(1)
    assert sim.collisions.crashed().tolist() == [False, True]
    assert sim.collisions.lost() == [[], [0, 1, 2, 3]]
    assert sim.collisions.broken_by() == [None, "ground"]
    sim.arm()
    sim.command_position([[0, 0, -4], [9, 0, -4]])
    sim.sleep(6)
    np.testing.assert_allclose(sim.pos[:, 2], [-4, 0], atol=0.3)
    assert sim.collisions.crashed().tolist() == [False, True]


@pytest.mark.parametrize(
    "name", ["crashed", "crashed_with", "crashed_tick", "actuators_lost", "collision_with"]
)
def test_results_are_read_only(name: str) -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.collisions.enable()
    told = rf"{name} is a result and cannot be written; sim\.collisions\.mend\(\.\.\.\) changes it"
    with pytest.raises(AttributeError, match=told):
        setattr(sim, name, 1)
    with pytest.raises(AttributeError, match=told):
        sim.select(1).write(name, 1)
    with pytest.raises(AttributeError, match=told):
        sim.at(1.0, **{name: 1})
    with pytest.raises(ValueError, match="read-only"):
        getattr(sim, name)[0] = 1
    sim.collision_group = [1, 2]


@pytest.mark.parametrize("vehicle", EXTENDED)
def test_vehicles_that_overlap_side_by_side_stay_finite(vehicle: str) -> None:
    """Symmetric: where nothing slides, and friction has no direction."""
    sim = pyrfly.Sim(vehicle, 12)
    sim.collisions.enable()
    sim.collision_group[:] = np.repeat(np.arange(6), 2)
    sim.reset(pos=[[0.0, k % 2 * 0.2 * sim.collision_reach[0] * k, 0.0] for k in range(12)])
    sim.step(60)
    assert not sim.check().invalid


@pytest.mark.slow
@pytest.mark.parametrize("vehicle", EXTENDED)
def test_vehicles_that_overlap_are_not_thrown(vehicle: str) -> None:
    """Side by side, which is symmetric, and anyhow: pushed apart with about 0.5 m/s."""
    n, rng = 8, np.random.default_rng(7)
    sim = pyrfly.Sim(vehicle, 2 * n)
    sim.collisions.enable()
    sim.collision_group[:] = np.repeat(np.arange(n), 2)
    apart, angle = sim.collision_reach[0] * rng.uniform(0.1, 0.9, n), rng.uniform(-np.pi, np.pi, n)
    angle[: n // 2] = np.pi / 2
    yaw = np.where(np.arange(2 * n) < n, 0.0, rng.uniform(-np.pi, np.pi, 2 * n))
    pos = np.zeros((2 * n, 3))
    pos[1::2, :2] = (apart * [np.cos(angle), np.sin(angle)]).T
    sim.reset(pos=pos, yaw=yaw)
    fastest = 0.0
    for _ in range(10):
        sim.sleep(0.15)
        fastest = max(fastest, np.linalg.norm(sim.vel, axis=1).max())
    assert not sim.check().invalid
    assert fastest < 5.0


@pytest.mark.parametrize("vehicle", ON_GROUND)
def test_vehicles_stand_whole_and_break_where_they_fall(vehicle: str) -> None:
    sim = pyrfly.Sim(vehicle)
    sim.collisions.enable()
    sim.reset()
    sim.sleep(2)
    assert not sim.collisions.crashed().any()
    sim.reset(pos=[0, 0, -20])
    sim.sleep(4)
    assert sim.collisions.crashed().all()
    assert sim.status.tolist() == [0]
    assert -1 < sim.pos[0, 2] < 0.5


@pytest.mark.parametrize(("height", "broken"), [(0.3, False), (1.0, True)])
def test_a_hard_landing_breaks_the_undercarriage(height: float, broken: bool) -> None:
    sim = bodies(1, Hull(landing_speed=3.0), G)
    sim.terrain[:] = 0
    sim.reset(pos=[0, 0, -height])
    sim.sleep(1)
    assert sim.collisions.broken_by() == ["ground" if broken else None]
    assert sim.collisions.crashed().tolist() == [broken]  # sqrt(2 g h) is 2.4 and 4.4 m/s


SHAPES = {
    "box": (Box((2, 2, 2), (5, 0, -20), name="it"), 4.0),
    "sphere": (Sphere(1.0, (5, 0, -20), name="it"), 4.0),
    "plane": (Plane((-1, 0, 0), (4, 0, 0), name="it"), 4.0),
    "mesh": (
        Mesh([[4, -9, -29], [4, 9, -29], [4, 0, 0]], [[0, 1, 2]], name="it"),
        4.0,
    ),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_a_scene_stops_what_flies_at_it(kind: str) -> None:
    shape, place = SHAPES[kind]
    sim = bodies(1, hull(restitution=0.0))
    sim.scene.set(Scene([shape]))
    sim.reset(pos=[0, 0, -20])
    sim.vel[:, 0] = 40.0
    farthest = 0.0
    for _ in range(50):
        sim.step(10)
        farthest = max(farthest, sim.pos[0, 0])
    assert farthest == pytest.approx(place - 0.1, abs=2e-3)
    assert sim.collisions.met() == ["it"]
    assert sim.collision_speed[0] == pytest.approx(40.0)


def test_another_scene_is_met_at_once() -> None:
    sim = bodies(1, hull(restitution=0.0))
    sim.reset(pos=[0, 0, -20])
    sim.vel[:, 0] = 1.0
    sim.step(20)
    sim.scene.set(Scene([Box((1, 1, 1), (0.75, 0, -20))]))
    sim.sleep(1)
    assert sim.collisions.met() == ["shape 0"]
    sim.scene.set(None)
    sim.vel[:, 0] = 1.0
    sim.sleep(1)
    assert sim.pos[0, 0] > 1


@pytest.mark.slow
def test_many_at_one_place_part_without_harm_to_others() -> None:
    sim = bodies(400, hull(restitution=0.0))
    sim.reset(pos=np.tile([0.0, 0.0, -50.0], (400, 1)) + np.arange(400)[:, None] * 1e-4)
    sim.step(100)
    assert np.isfinite(sim.pos).all()
    assert not sim.status.any()


def test_bodies_within_each_other_part_slowly() -> None:
    sim = bodies(2, hull(restitution=0.0))
    sim.reset(pos=[[0, 0, -20], [0.05, 0, -20]])
    sim.step(4)
    fastest = 0.0
    for _ in range(100):
        sim.step(4)
        fastest = max(fastest, np.ptp(sim.vel[:, 0]))
    assert 0.4 < fastest < 0.501
    assert np.ptp(sim.pos[:, 0]) >= 0.199  # two radii


BAD = {
    "hull: expected a pyrfly.vehicles.Hull": (TypeError, {"hull": 3}),
    "actuators: expected numbers below": (
        ValueError,
        {"hull": Hull((HullShape("arm", (0, 0, 0), actuators=(31,)),))},
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_a_wrong_hull_is_refused(message: str) -> None:
    error, arguments = BAD[message]
    sim = pyrfly.Sim(VEHICLE)
    with pytest.raises(error, match=message):
        sim.collisions.set_hull(**arguments)
    assert not sim.collisions.enabled


@pytest.mark.parametrize(
    ("name", "value"), [("friction", -1), ("friction", 11), ("restitution", 1.1), ("friction", "x")]
)
def test_a_surface_out_of_its_range_is_refused(name: str, value: object) -> None:
    with pytest.raises((ValueError, TypeError), match=name):
        pyrfly.Sim(VEHICLE).collisions.set_surface(**{name: value})


def test_vehicles_without_effects_are_refused() -> None:
    with pytest.raises(ParameterError, match="effects"):
        pyrfly.Sim(names(DEFAULT_FAMILY)[0], effects="plain").collisions.enable()


def test_crashes_are_told_as_rflysim_tells_them() -> None:
    sim = bodies(3, hull())
    sim.collision_strength[:] = 1
    sim.scene.set(Scene([Box((1, 1, 1), (10, 0, -20))]))
    sim.reset(pos=[[0, 0, -20], [1, 0, -20], [9, 0, -20]])
    sim.vel[0, 0] = sim.vel[2, 0] = 2.0
    sim.sleep(0.6)
    assert crash_ids(sim, first_id=5).tolist() == [6, 5, 0]
    assert crash_ids(sim, within=0.3).tolist() == [2, 1, -1]  # after 0.4 s and 0.2 s
    sim.reset()
    assert crash_ids(sim).tolist() == [-1] * 3


def test_a_run_ends_where_all_have_crashed() -> None:
    sim = pyrfly.Sim(VEHICLE, 2)
    sim.scene.set(Scene([Box((1, 20, 20), (3, 0, -20))]))
    sim.collisions.enable()
    sim.reset(pos=[[0, 0, -20], [0, 5, -20]], hover=True)
    sim.command_velocity([3, 0, 0])
    end = sim.run(20, until="crashed")
    assert end is not None
    assert end.reason == "2 crashed"
    assert end.time < 3


def test_who_begins_within_a_pad_on_the_ground_takes_off() -> None:
    sim = pyrfly.Sim(DRONE, 3)
    sim.scene.set(Scene([Box((99, 99, 0.05), (0, 0, -0.025))]))
    sim.collisions.enable()
    sim.reset(pos=[[0, 3 * i, 0] for i in range(3)])
    sim.arm()
    sim.command_position([[0, 3 * i, -3] for i in range(3)])
    sim.sleep(5)
    assert sim.pos[:, 2] == pytest.approx(-3, abs=0.1)
    assert not sim.collisions.crashed().any()


def test_a_fall_on_the_back_breaks_rotors() -> None:
    sim = pyrfly.Sim(DRONE)
    sim.collisions.enable()
    sim.reset(pos=[0, 0, -0.3])
    sim.att = [0, 1, 0, 0]
    sim.sleep(2)
    assert sim.collisions.lost() == [[0, 1, 2, 3]]
    assert sim.crashed[0] & 1 == 0  # sqrt(2 g h) is 2.4 m/s, and a body takes 4.9


def fine_mesh(spacing: float) -> Mesh:
    """Return level ground at z = -1, 2 m x 2 m, of many triangles."""
    n = round(2 / spacing)
    north, east = np.meshgrid(*[(np.arange(n) + 0.5) * spacing - 1] * 2)
    corners = np.stack([north.ravel(), east.ravel(), np.full(n * n, -1.0)], axis=1)
    first = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    upper = np.stack([first, first + 1, first + n], axis=1)
    return Mesh(corners, np.concatenate([upper, upper + np.array([1, n, 0])]))


def test_several_stand_on_a_fine_mesh() -> None:
    sim = bodies(4, hull((0.1, 0.1, 0.02), 0.02, 0.5, 0.0), G)
    sim.scene.set(Scene([fine_mesh(0.02)]))
    sim.reset(pos=[[x, y, -1.05] for x in (-0.5, 0.5) for y in (-0.5, 0.5)])
    sim.sleep(0.5)
    assert sim.pos[:, 2] == pytest.approx(-1.04, abs=2e-3)
    assert sim.att[:, 0] == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("column", ["att", "rate", "pos"])
def test_a_vehicle_that_is_not_finite_harms_no_other(column: str) -> None:
    sim = bodies(3, hull())
    sim.reset(pos=[[0, 0, -20], [0.25, 0, -20], [0.5, 0, -20]])
    sim.step(4)
    getattr(sim, column)[1] = np.nan
    sim.step(20)
    assert sim.status.tolist() == [0, 1, 0]
    assert np.isfinite(sim.pos[[0, 2]]).all()


def on_a_roof(top: float, height: float) -> pyrfly.Sim:
    """Return vehicles that hover: over a house, over one that stands there, and over the ground."""
    sim = pyrfly.Sim(VEHICLE, 2)
    sim.scene.set(Scene([Box((8, 8, top), (0, 0, -top / 2), name="house")]))
    sim.collisions.enable()
    sim.reset(pos=[[0, 0, -height], [20, 0, -height]], hover=True)
    return sim


def test_who_lands_on_a_roof_has_landed() -> None:
    sim = on_a_roof(5.0, 6.5)
    sim.enable_synthesis()
    ints, floats = land([np.nan, np.nan], [np.nan, np.nan])
    sim.command_sil(ints, floats)
    end = sim.run(30, until="landed")
    assert end is not None
    assert end.reason == "2 landed"
    assert sim.collision_supports.tolist() == [1, 0]
    assert sim.armed.tolist() == [0, 0]
    assert -sim.pos[0, 2] == pytest.approx(5.0, abs=0.1)
    sim.command_sil(*take_off([np.nan] * 2, [np.nan] * 2, [0, 0], armed=[1, 1]))
    sim.sleep(6)
    assert -sim.pos[0, 2] - 5 == pytest.approx(-sim.pos[1, 2], abs=0.2)
    assert not sim.collision_supports.any()


@pytest.mark.parametrize("top", [3.0, 20.0])
def test_missions_land_on_roofs(top: float) -> None:
    sim = on_a_roof(top, top + 4)
    items = Waypoint((0, 0, -top - 6)), Land((0, 0, 0))
    results = fly_missions(sim, {1: Mission(items)})
    assert results[1].completed
    assert -sim.pos[0, 2] == pytest.approx(top, abs=0.1)


def test_who_leans_on_a_wall_has_not_landed() -> None:
    sim = bodies(1, hull(friction=0.3, restitution=0.0))
    sim.scene.set(Scene([Box((2, 9, 20), (1.1, 0, -50))]))
    sim.reset(pos=[0, 0, -50])
    sim.set_load(force=[5, 0, 0])
    sim.sleep(0.5)
    assert sim.collisions.touching().tolist() == [True]
    assert sim.collision_force[0] == pytest.approx([-5, 0, 0], abs=1e-6)
    assert sim.collision_supports.tolist() == [0]


@pytest.mark.parametrize("vehicle", ON_GROUND)
@pytest.mark.parametrize("shape", [Plane(), Box((90, 90, 4), (0, 0, 2)), Plane(position=(0, 0, 1))])
def test_a_scene_no_higher_than_the_ground_changes_nothing(vehicle: str, shape: Shape) -> None:
    with_scene, without = pyrfly.Sim(vehicle, 2), pyrfly.Sim(vehicle, 2)
    with_scene.scene.set(Scene([shape]))
    for sim in (with_scene, without):
        sim.collisions.enable()
        sim.reset(pos=[[0, 0, 0], [9, 0, -0.5]])
        sim.step(900)
    assert seen(with_scene) == seen(without)


def test_a_pad_above_the_ground_is_stood_on() -> None:
    sim = pyrfly.Sim(VEHICLE)
    sim.scene.set(Scene([Box((2, 2, 0.1), (0, 0, -0.05), name="pad")]))
    sim.collisions.enable()
    sim.reset(pos=[0, 0, -0.5])
    sim.sleep(1.5)
    assert sim.collisions.met() == ["pad"]
    assert 0.1 < -sim.pos[0, 2] < 0.3
