"""The vehicles of a server in a page, which can pause it."""

import asyncio
import json

import pytest

pytest.importorskip("websockets")

from websockets.asyncio.client import connect

from pyrfly import Sim
from pyrfly.autopilot.raw_items import RawItem
from pyrfly.frames import LocalFrame
from pyrfly.mavlink.constants import MissionType
from pyrfly.server import Server
from pyrfly.server.links.page import PageLink
from pyrfly.view.codec import decode_world, kind

pytestmark = pytest.mark.slow


def waypoint(sim: Sim, number: int) -> RawItem:
    """Return an item 10 m to the north of the one before, 20 m high."""
    lat, lon, _ = LocalFrame(*sim.origin).to_lla([10.0 * number, 0, 0])
    return RawItem(3, 16, 1, (0.0, 0.0, 0.0, 0.0), lat, lon, 20.0)


def test_page_sees_the_server_and_pauses_it(first_port):
    sim = Sim("x450", 2)
    link = PageLink(sim, port=0, first_id=5, rate=1.0)
    url = link.url.replace("http", "ws").replace("/?", "/ws?")

    async def look(server) -> None:
        async with connect(url, proxy=None, max_size=None) as socket:
            state = json.loads(await socket.recv())
            assert state["commands"] == ["pause", "step", "columns"]
            assert (state["paused"], state["speed"]) == (False, 1.0)
            world = decode_world(await socket.recv())
            assert world.groups[0].ids.tolist() == [5, 6]
            await socket.send('{"seen": true, "pause": true}')
            while not server.paused:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            stood = server.time
            await asyncio.sleep(0.2)
            assert server.time == stood
            await socket.send('{"step": 1}')
            await asyncio.sleep(0.3)
            assert 0 < server.time - stood < 0.1
            await socket.send('{"pause": false}')
            notes = []
            while not any(note.startswith("mavlink:") for note in notes):
                message = await socket.recv()
                if isinstance(message, bytes):
                    await socket.send('{"seen": true}')
                else:
                    notes = json.loads(message)["notes"]
            assert server.time > stood
            store = server.mavlink.autopilots.mission(0).store
            store.replace(MissionType.MISSION, [waypoint(server.sim, k) for k in range(3)])
            world = None
            while not world or not world.lines:
                message = await socket.recv()
                if isinstance(message, bytes) and kind(message) == "world":
                    world = decode_world(message)
                elif isinstance(message, bytes):
                    await socket.send('{"seen": true}')
            (line,) = world.lines
            assert line.points[1:, 0] == pytest.approx([0, 10, 20], abs=0.01)

    with Server(sim, mode="mavlink_full", links=[link], first_port=first_port()) as server:
        link.links = server.links
        asyncio.run(asyncio.wait_for(look(server), 30))
