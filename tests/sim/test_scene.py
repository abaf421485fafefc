"""Rays of a `Sim`: onto the ground, against roots of its height along them; into its scene."""

import copy
import itertools
import pickle
import signal
import time

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.errors import SceneError
from pyrfly.frames import quaternion_of_euler
from pyrfly.scene import Box, Scene, Sphere, forest, write_scene
from pyrfly.sim.scene import Seen
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import FAMILIES, Hull, HullShape, names
from pyrfly.vehicles.kinds import Kind

from ..interrupts import with_timers

ON_GROUND = [names(name)[0] for name, f in FAMILIES.items() if f.abilities.kind is Kind.DRIVES]
HOUSE = Scene([Box((2, 2, 6), (10, 0, -3), name="house"), Sphere(1, (0, 8, -5))])


@pytest.fixture
def sim():
    sim = pyrfly.Sim("x450", 2)
    sim.reset(pos=[[500, 500], [520, 500]])
    return sim


def units(vectors):
    vectors = np.asarray(vectors, float)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def on_map(terrain_map):
    sim = pyrfly.Sim("x450")
    sim.environment.set_terrain(terrain_map)
    return sim


def first_meeting(terrain_map, origin, unit, reach):
    """Distance to the surface: the first root of the parabolas between two lines of the grid."""

    def above(t):
        place = origin + np.multiply.outer(t, unit)
        return -place[..., 2] - terrain_map.height(place[..., 0], place[..., 1])

    ends = [0.0, reach]
    for k in range(2):
        if unit[k]:
            nodes = terrain_map.corner[k] + terrain_map.spacing[k] * np.arange(terrain_map.shape[k])
            ends.extend((nodes - origin[k]) / unit[k])
    ends = np.array(ends)
    ends = np.unique(ends[(ends >= 0) & (ends <= reach)])
    for begin, end in itertools.pairwise(ends):
        length = end - begin
        values = above(begin + length * np.array([0.0, 0.5, 1.0]))
        curve = [2 * (values[0] - 2 * values[1] + values[2]), 0, values[0]]
        curve[1] = values[2] - values[0] - curve[0]
        roots = np.roots(curve)
        roots = roots[np.isreal(roots)].real
        roots = roots[(roots >= -1e-12) & (roots <= 1 + 1e-12)]
        if len(roots):
            return begin + length * roots.min()
    return np.inf


MAPS = {
    "rough": lambda rng: TerrainMap(rng.uniform(0, 9, (23, 37)), (2.0, 3.0)),
    "one cell": lambda rng: TerrainMap([[0, 5], [8, 1]], (10.0, 7.0), corner=(-4, 3)),
    "hills": lambda rng: TerrainMap(
        8 * np.sin(np.arange(150) / 9)[:, None] * np.cos(np.arange(90) / 7), 1.5
    ),
}


@pytest.mark.parametrize("name", MAPS)
def test_rays_meet_the_map_where_its_height_along_them_has_a_root(name):
    rng = np.random.default_rng(1)
    terrain_map = MAPS[name](rng)
    size = np.abs([terrain_map.corner, terrain_map.end]).max()
    origins = rng.uniform((-1.3 * size, -1.3 * size, -15), (1.3 * size, 1.3 * size, 2), (150, 3))
    ways = rng.normal(size=(150, 3)) * (1, 1, 0.3)
    ways[::9] *= (1, 0, 1)
    ways[1::9] *= (0, 0, 1)
    found = on_map(terrain_map).scene.raycast(origins, ways, reach=150).distance
    expected = [
        first_meeting(terrain_map, *ray, 150.0) for ray in zip(origins, units(ways), strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-5)
    assert np.isfinite(found).sum() > 50


def test_rays_far_over_a_large_map_find_what_stands_up_there():
    heights = np.zeros((700, 600))
    heights[601, 503] = 50
    sim = on_map(TerrainMap(heights, 1.0, corner=(0, 0)))
    top = np.array([601.0, 503.0, -49.0])
    origins = np.array(
        [[0, 0, -60], [699, 0, -60], [0, 599, -60], [-5000, -4000, -900], [601, 0, -49.0]]
    )
    ways = top - origins
    found = sim.scene.raycast(origins, ways)
    gap = np.linalg.norm(ways, axis=1) - found.distance
    assert (found.kind == Seen.GROUND).all()
    assert ((gap >= -1e-3) & (gap < 0.1)).all()
    past = sim.scene.raycast(origins, ways - (0, 0, 3))
    assert (past.distance > found.distance + 1)[:-1].all()


def test_rays_from_below_meet_the_ground_from_below():
    sim = on_map(TerrainMap([[0, 0], [10, 10]], 10.0, corner=(0, 0)))
    found = sim.scene.raycast([5, 5, 0], [[0, 0, -1], [0, 0, 1], [1, 0, 0]])
    np.testing.assert_allclose(found.distance, [5, np.inf, np.inf])


@pytest.mark.parametrize("spacing", [0.5, 30.0])
def test_a_level_map_is_a_plane_also_outside(spacing):
    sim = on_map(TerrainMap(np.full((9, 9), 3.0), spacing))
    angles = np.linspace(0.02, np.pi / 2, 40)
    ways = np.stack([np.cos(angles), 0.3 * np.cos(angles), np.sin(angles)], axis=-1)
    found = sim.scene.raycast([-40, 7, -13], ways)
    np.testing.assert_allclose(found.distance, 10 / units(ways)[:, 2], rtol=1e-6)


def test_ground_without_a_map_is_level_at_that_of_the_vehicles(sim):
    sim.terrain[:] = -2
    ways = [[0, 0, 1], [1, 0, 1], [1, 0, 0], [0, 0, -1]]
    found = sim.scene.raycast([0, 0, -5], ways)
    np.testing.assert_allclose(found.distance, [3, 3 * np.sqrt(2), np.inf, np.inf], rtol=1e-6)
    assert found.kind.tolist() == [Seen.GROUND, Seen.GROUND, Seen.NOTHING, Seen.NOTHING]


def test_vehicles_with_different_ground_need_a_level_for_each_origin(sim):
    sim.terrain[:] = [0, 4]
    with pytest.raises(ValueError, match="terrain: expected z of the level ground at each origin"):
        sim.scene.raycast(sim.pos, [0, 0, 1])
    places = np.array([[0, 0, -1.0], [0, 5, 1]])
    found = sim.scene.raycast(places[:, None], [[0, 0, 1], [0, 0, 2]], terrain=sim.terrain[:, None])
    assert found.distance.tolist() == [[1, 1], [3, 3]]
    assert np.isinf(sim.scene.raycast(places, [0, 0, 1], terrain=False).distance).all()


def test_of_scene_and_ground_the_nearer_counts(sim):
    sim.scene.set(HOUSE)
    ways = [[1, 0, 0], [1, 0, 0.5], [0, 0, 1], [0, 0, -1]]
    found = sim.scene.raycast([0, 0, -2], ways)
    np.testing.assert_allclose(found.distance, [9, 2 * np.sqrt(5), 2, np.inf], rtol=1e-6)
    assert found.kind.tolist() == [Seen.SHAPE, Seen.GROUND, Seen.GROUND, Seen.NOTHING]
    assert found.number.tolist() == [0, -1, -1, -1]


def test_the_bits_do_not_depend_on_threads_nor_on_other_rays(sim):
    sim.scene.set(forest(300, (100, 100), seed=2))
    rng = np.random.default_rng(3)
    sim.environment.set_terrain(TerrainMap(rng.uniform(0, 2, (64, 64)), 2.0))
    origins, ways = rng.uniform((-50, -50, -6), (50, 50, -2), (5000, 3)), rng.normal(size=(5000, 3))
    one = sim.scene.raycast(origins, ways, threads=1)
    two = sim.scene.raycast(origins, ways, threads=2)
    some = sim.scene.raycast(origins[7::501], ways[7::501])
    for a, b, c in zip(one, two, some, strict=True):
        assert np.array_equal(a, b)
        assert np.array_equal(a[7::501], c)


def test_copies_have_the_scene_and_a_snapshot_wants_it(sim):
    sim.scene.set(HOUSE)
    assert copy.deepcopy(sim).scene.current is HOUSE
    assert pickle.loads(pickle.dumps(sim)).scene.current.checksum == HOUSE.checksum
    saved = sim.snapshot()
    sim.reset()
    assert sim.scene.current is HOUSE
    sim.scene.set(None)
    with pytest.raises(ValueError, match="expected one in the scene of this Sim, got another"):
        sim.restore(saved)
    empty = sim.snapshot()
    sim.scene.set(HOUSE)
    with pytest.raises(ValueError, match="in the scene of this Sim, got one without a scene"):
        sim.restore(empty)
    sim.restore(saved)


def test_a_scene_comes_from_a_file(sim, tmp_path):
    write_scene(tmp_path / "house.toml", HOUSE)
    sim.scene.set(tmp_path / "house.toml")
    assert sim.scene.enabled
    assert sim.scene.current.checksum == HOUSE.checksum
    with pytest.raises(SceneError):
        sim.scene.set(tmp_path / "none.toml")
    assert sim.scene.current.checksum == HOUSE.checksum
    with pytest.raises(TypeError, match="scene: expected a Scene"):
        sim.scene.set(3)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"directions": [0, 0, 0]}, "directions: expected finite directions"),
        ({"directions": [0, 0, 1e30]}, "directions: expected finite directions"),
        ({"origins": [np.nan, 0, 0]}, "origins: expected finite places"),
        ({"origins": [[1, 2]]}, r"origins: expected the shape \(..., 3\)"),
        ({"terrain": np.nan}, "terrain: expected finite values"),
        ({"terrain": [1, 2, 3]}, "terrain: expected a shape that broadcasts"),
        ({"reach": 0}, "reach: expected more than 0 m"),
        ({"ignore": -1}, "ignore: expected CopterIDs"),
        ({"ignore": 1.5}, "ignore: expected numbers"),
        ({"ignore": range(10**12)}, "ignore: expected up to 100000000 numbers"),
        (
            {"origins": np.ones((9**4, 1, 3)), "directions": np.ones((9**5, 3))},
            "origins, directions: expected up to 268435456 rays",
        ),
        ({"threads": 0}, "threads: expected 1 to"),
    ],
)
def test_bad_rays_are_refused_by_name(sim, changed, message):
    arguments = {"origins": [[0, 0, -1], [0, 0, -2]], "directions": [0, 0, 1], **changed}
    with pytest.raises((ValueError, TypeError), match=message):
        sim.scene.raycast(arguments.pop("origins"), arguments.pop("directions"), **arguments)


@pytest.mark.slow
@with_timers
@pytest.mark.parametrize("around", ["scene", "vehicles"])
def test_signals_are_handled_while_rays_are_cast(sim, around):
    woods = forest(2000, (400, 400), seed=1)
    sim.scene.set(woods)
    turn = np.linspace(0, 6, 8000)
    ways = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=-1)
    origins = np.zeros((1000, 1, 3)) - [0, 0, 1]
    handled = []
    before = signal.signal(signal.SIGALRM, lambda *_: handled.append(time.perf_counter()))
    start = time.perf_counter()
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    try:
        (woods if around == "scene" else sim.scene).raycast(origins, ways, threads=1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    times = [start, *handled, time.perf_counter()]
    assert np.diff(times).max() < max(0.1, 0.5 * (times[-1] - start))


def distance_of_box(place, half):
    return np.linalg.norm(np.maximum(np.abs(place) - half, 0), axis=-1)


def first_touch(shapes, origin, unit, reach):
    """Distance to shapes (middle, half sizes, radius), by steps of the distance from them."""
    t = 0.0
    while t < reach:
        place = origin + t * unit
        gap = min(distance_of_box(place - s[:3], s[3:6]) - s[6] for s in shapes)
        if gap < 1e-9:
            return t
        t += gap
    return np.inf


def test_rays_meet_vehicles_where_the_distance_from_their_shapes_ends():
    sim = pyrfly.Sim("x450")
    rng = np.random.default_rng(5)
    quaternion = quaternion_of_euler(rng.uniform(-1, 1, 3))
    sim.reset(pos=[40, -30, -50])
    sim.att[:] = quaternion
    shapes = [(*s.position, *s.half_size, s.radius) for s in sim.groups[0].parameters.hull.shapes]
    shapes = np.array(shapes)
    rotation = Rotation.from_quat(quaternion[[1, 2, 3, 0]]).as_matrix()
    origins = sim.pos[0] + units(rng.normal(size=(400, 3))) * rng.uniform(0.5, 5, (400, 1))
    ways = sim.pos[0] + rng.uniform(-0.3, 0.3, (400, 3)) - origins
    found = sim.scene.raycast(origins, ways, terrain=False)
    expected = [
        first_touch(shapes, (o - sim.pos[0]) @ rotation, w @ rotation, 9)
        for o, w in zip(origins, units(ways), strict=True)
    ]
    np.testing.assert_allclose(found.distance, expected, atol=3e-6)
    met = np.isfinite(found.distance)
    assert 100 < met.sum() < 400
    assert (found.kind[met] == Seen.VEHICLE).all()
    assert (found.number[met] == 1).all()
    assert (found.number[~met] == -1).all()


SWARM = {"x450": 40, names(list(FAMILIES)[-1])[0]: 5, "x200": 20}


def test_rays_in_a_swarm_are_those_of_each_of_its_vehicles():
    sim = pyrfly.Sim(SWARM)
    rng = np.random.default_rng(6)
    sim.reset(pos=rng.uniform((-9, -9, -12), (9, 9, -3), (65, 3)), yaw=rng.uniform(-3, 3, 65))
    ways = rng.normal(size=(50, 3))
    found = sim.scene.raycast(
        sim.pos[:, None], ways, terrain=False, ignore=np.arange(1, 66)[:, None]
    )
    alone = []
    for i in range(65):
        origins = sim.pos.copy()
        far = pyrfly.Sim(SWARM)
        places = np.full((65, 3), [1e5, 0, -1e4])
        places[i] = origins[i]
        far.reset(pos=places)
        far.select().write("att", sim.att)
        seen = far.scene.raycast(origins[:, None], ways, terrain=False, reach=100)
        seen.distance[i] = np.inf
        alone.append(seen.distance)
    nearest = np.min(alone, axis=0)
    assert np.array_equal(found.distance, nearest)
    met = np.isfinite(nearest)
    assert met.sum() > 40
    assert np.array_equal(found.number[met], np.argmin(alone, axis=0)[met] + 1)


def test_a_vehicle_sees_others_and_not_itself():
    sim = pyrfly.Sim("x450", 3)
    sim.reset(pos=[[0, 0, -5], [6, 0, -5], [12, 0, -5]])
    both = [[1, 0, 0], [-1, 0, 0]]
    found = sim.scene.raycast(sim.pos[:, None], both, ignore=[[1], [2], [3]])
    assert found.number.tolist() == [[2, -1], [3, 1], [-1, 2]]
    near = 6 + sim.groups[0].parameters.hull.extent[0, 0]
    np.testing.assert_allclose(found.distance[0, 0], near, rtol=0.05)
    assert np.isinf(sim.scene.raycast(sim.pos[0], both, vehicles=False).distance).all()
    within = sim.scene.raycast(sim.pos[0], both)
    assert (within.number == 1).all()
    assert (within.distance < 0.3).all()


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_rays_see_the_hulls_that_vehicles_have(precision):
    sim = pyrfly.Sim("x450", 4, precision=precision)
    ball = HullShape("ball", (0.25, 0, 0), (0, 0, 0), 0.5)
    sim.collisions.set_hull(Hull((ball,)), ids=2)
    sim.collisions.set_hull(Hull(()), ids=3)
    sim.reset(pos=[[0, 0, -20], [0, 10, -20], [0, 20, -20], [0, 30, -20]])
    origins = sim.pos + np.array([9.0, 0, 0])
    seen = sim.scene.raycast(origins, [-1, 0, 0], terrain=False)
    assert seen.number.tolist() == [1, 2, -1, 4]
    np.testing.assert_allclose(seen.distance[1], 9 - 0.75, rtol=1e-6)
    np.testing.assert_allclose(seen.distance[3], seen.distance[0], rtol=1e-6)


@pytest.mark.parametrize("vehicle", ON_GROUND)
def test_rays_see_vehicles_on_the_ground_above_it(vehicle):
    sim = pyrfly.Sim(vehicle)
    hull = sim.groups[0].parameters.hull
    body = hull.shapes[0]
    top = hull.height - body.position[2] + body.half_size[2] + body.radius
    above = sim.pos + np.array([body.position[0], 0, -9.0])
    seen = sim.scene.raycast(above, [0, 0, 1])
    np.testing.assert_allclose(seen.distance, 9 - top, rtol=1e-5)


def test_a_vehicle_behind_a_wall_is_not_seen(sim):
    sim.reset(pos=[[0, 0, -2], [20, 0, -2]])
    sim.scene.set(HOUSE)
    assert sim.scene.raycast(sim.pos[0], [1, 0, 0], ignore=1).kind == Seen.SHAPE
    sim.scene.set(None)
    assert sim.scene.raycast(sim.pos[0], [1, 0, 0], ignore=1).kind == Seen.VEHICLE
