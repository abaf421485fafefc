"""Terrain maps and scenes in the metadata of logs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Log, Recorder
from pyrfly.log.surroundings_notes import SURROUNDINGS, scene_in, terrain_in
from pyrfly.scene import Box, Scene
from pyrfly.terrain import TerrainMap


def relief(rows: int, columns: int) -> TerrainMap:
    north, east = np.arange(rows)[:, None], np.arange(columns)
    return TerrainMap(9 * np.sin(north / 40) * np.cos(east / 30), (2.0, 3.0), corner=(-70, 12.5))


def recorded(terrain: TerrainMap | None, scene: Scene | None, **more: Any) -> Recorder:
    sim = Sim("x450")
    if terrain is not None:
        sim.environment.set_terrain(terrain)
    sim.scene.set(scene)
    recorder = Recorder(sim, **more)
    recorder.sample()
    return recorder


@pytest.mark.parametrize("folder", [False, True], ids=["file", "folder"])
def test_a_log_has_terrain_and_scene(tmp_path, folder):
    terrain, scene = relief(30, 40), Scene([Box((1, 2, 3), (4, 5, -6), name="house")])
    path = tmp_path / ("flight" if folder else "flight.npz")
    if folder:
        recorded(terrain, scene, folder=path).close()
    else:
        recorded(terrain, scene).log().save(path)
    metadata = Log.load(path).metadata
    found = terrain_in(metadata)
    assert found is not None
    np.testing.assert_allclose(found.heights, terrain.heights, atol=5.01e-4)
    assert (found.spacing, found.corner) == (terrain.spacing, terrain.corner)
    (house,) = scene_in(metadata).shapes
    assert house == scene.shapes[0]


def test_without_them_a_log_says_nothing():
    log = recorded(None, None).log()
    assert SURROUNDINGS not in log.metadata
    assert terrain_in(log.metadata) is scene_in(log.metadata) is None


def test_a_large_map_is_thinned_over_its_whole_extent(tmp_path):
    terrain = relief(700, 500)
    log = recorded(terrain, None).log()
    log.save(tmp_path / "flight.npz")
    assert (tmp_path / "flight.npz").stat().st_size < 300_000
    found = terrain_in(log.metadata)
    assert found.shape == (256, 256)
    assert (found.corner, found.end) == (terrain.corner, pytest.approx(terrain.end))
    places = np.linspace(terrain.corner, terrain.end, 50).T
    np.testing.assert_allclose(found.height(*places), terrain.height(*places), atol=0.02)


def test_a_log_has_the_picture_of_the_map():
    pytest.importorskip("PIL")
    picture = np.zeros((60, 1500, 3), np.uint8)
    picture[:30, :, 0] = 200
    recorder = recorded(relief(20, 20).with_picture(picture), None)
    found = terrain_in(recorder.log().metadata).picture
    assert found.shape == (41, 1024, 3)
    assert found[5].mean(axis=0) == pytest.approx([200, 0, 0], abs=4)
    recorder.sim.environment.set_terrain(relief(4, 4))
    assert terrain_in(recorder.log().metadata).picture is None


def test_the_last_ones_are_kept():
    recorder = recorded(relief(3, 3), Scene([Box((1, 1, 1))]))
    assert terrain_in(recorder.log().metadata).shape == (3, 3)
    recorder.sim.environment.set_terrain(relief(4, 4))
    recorder.sim.scene.set(None)
    metadata = recorder.log().metadata
    assert terrain_in(metadata).shape == (4, 4)
    assert len(scene_in(metadata)) == 1


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda entry: entry | {"format": 2}, "expected format 1, got 2"),
        (lambda entry: {"terrain": entry["terrain"]}, "expected format 1, got None"),
        (lambda entry: entry | {"terrain": entry["terrain"][:40]}, "cut off"),
        (lambda entry: entry | {"terrain": "!"}, "zlib"),
        (lambda entry: entry | {"terrain": [1]}, "zlib"),
        (lambda entry: entry | {"terrain": entry["scene"]}, "expected a map"),
    ],
)
def test_a_damaged_entry_is_refused(
    damage: Callable[[dict[str, Any]], dict[str, Any]], message: str
):
    entry = recorded(relief(3, 3), Scene([Box((1, 1, 1))])).log().metadata[SURROUNDINGS]
    with pytest.raises(ValueError, match=message):
        terrain_in(json.loads(json.dumps({SURROUNDINGS: damage(entry)})))
