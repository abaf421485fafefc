"""MCAP files of logs: what a reader finds in them."""

import json

import numpy as np
import pytest

pytest.importorskip("mcap")

from mcap.reader import make_reader

from pyrfly import Sim
from pyrfly.cli import main
from pyrfly.log import Recorder, flight_columns
from pyrfly.scene import Box, Scene
from pyrfly.terrain import TerrainMap
from pyrfly.view.mcap import export_mcap


@pytest.fixture(scope="module")
def log():
    sim = Sim({"x450": 1, "otter": 1})
    sim.reset(pos=[[3, 4, -5], [20, 0, 0]], yaw=[0.0, 1.0])
    sim.environment.set_terrain(TerrainMap(np.full((300, 3), 7.0), spacing=2), ids=1)
    sim.scene.set(Scene([Box((1, 2, 4), (10, 20, -30))]))
    sim.arm()
    recorder = Recorder(sim, flight_columns(sim), every=100)
    sim.run(0.5, record=recorder)
    return recorder.log()


@pytest.fixture(scope="module")
def messages(log, tmp_path_factory):
    """Return messages by topic: times [s] and contents."""
    path = tmp_path_factory.mktemp("mcap") / "flight.mcap"
    export_mcap(log, path, origin=(47.0, 8.0, 400.0))
    found = {}
    with path.open("rb") as stream:
        for schema, channel, message in make_reader(stream).iter_messages():
            assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
            data = json.loads(message.data)
            assert data.keys() == json.loads(schema.data)["properties"].keys()
            found.setdefault(channel.topic, []).append((message.log_time / 1e9, data))
    return found


def test_poses_are_in_east_north_up(log, messages):
    assert [time for time, _ in messages["/tf"]] == pytest.approx(log.time)
    first, boat = messages["/tf"][0][1]["transforms"]
    assert (first["parent_frame_id"], first["child_frame_id"]) == ("world", "vehicle_1")
    at = first["translation"]
    assert (at["x"], at["y"]) == pytest.approx((4, 3))
    assert at["z"] == pytest.approx(5, abs=0.5)  # the middle is higher than the feet
    # forward, right, down of the vehicle are north, east and down; of the boat 1 rad further
    for pose, yaw in ((first, 0.0), (boat, 1.0)):
        axes = matrix(pose["rotation"])
        np.testing.assert_allclose(axes[:, 0], [np.sin(yaw), np.cos(yaw), 0], atol=1e-2)
        np.testing.assert_allclose(axes[:, 2], [0, 0, -1], atol=1e-2)


def matrix(q):
    w, v = q["w"], np.array([q["x"], q["y"], q["z"]])
    turned = [e + 2 * np.cross(v, np.cross(v, e) + w * e) for e in np.eye(3)]
    return np.transpose(turned)


def test_vehicles_are_drawn_and_their_columns_told(log, messages):
    ((_, scene),) = messages["/scene"]
    entities = {entity["id"]: entity for entity in scene["entities"]}
    assert {"vehicle 1", "vehicle 2"} < entities.keys()
    (mesh,) = entities["vehicle 1"]["triangles"]
    assert len(mesh["points"]) == len(mesh["colors"]) > 300
    _, state = messages["/vehicle_2/state"][-1]
    np.testing.assert_allclose(state["vel"], log["vel"][-1, 1], atol=1e-12)
    _, fix = messages["/vehicle_1/location"][0]
    assert (fix["latitude"], fix["longitude"]) == pytest.approx((47.0, 8.0), abs=1e-4)
    assert fix["altitude"] == pytest.approx(405, abs=0.01)


def test_what_stands_around_vehicles_is_drawn(messages):
    ((_, scene),) = messages["/scene"]
    found = {entity["id"]: entity["triangles"] for entity in scene["entities"]}
    corners = {
        name: np.array([[p["x"], p["y"], p["z"]] for p in found[name][0]["points"]])
        for name in ("terrain", "scene")
    }
    np.testing.assert_allclose(corners["scene"].mean(axis=0), [20, 10, 30])
    np.testing.assert_allclose(corners["terrain"][:, 2], 7)
    assert 50 < len(corners["terrain"]) < 2 * 3 * 100 * 3


def test_command_writes_it(log, tmp_path, capsys):
    log.save(tmp_path / "flight.npz")
    assert main(["export", str(tmp_path / "flight.npz"), "--format", "mcap"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'flight.mcap'}\n"
    with (tmp_path / "flight.mcap").open("rb") as stream:
        assert make_reader(stream).get_summary().statistics.channel_count >= 4
