"""A running simulation in a page: what is seen of it, and what the page changes."""

import asyncio
import json
import threading
import time

import numpy as np
import pytest

pytest.importorskip("websockets")

from websockets.asyncio.client import connect

from pyrfly import Sim
from pyrfly.scene import Box, Scene
from pyrfly.transport import PortError
from pyrfly.view import View
from pyrfly.view.codec import decode_frame, decode_world, kind

pytestmark = pytest.mark.slow


@pytest.fixture
def sim():
    sim = Sim({"x450": 2, "otter": 1})
    sim.reset(pos=[[0, 0, -5], [3, 0, -5], [9, 0, 0]])
    return sim


def page_of(view):
    url = view.url.replace("http", "ws").replace("/?", "/ws?")
    return connect(url, proxy=None, max_size=None)


async def told(socket, what):
    """Return the next message of a kind; others are seen."""
    while True:
        message = await asyncio.wait_for(socket.recv(), 20)
        if isinstance(message, bytes):
            await socket.send('{"seen": true}')
        found = kind(message) if isinstance(message, bytes) else "state"
        if found == what:
            return message


def test_page_gets_world_and_frames(sim):
    async def look(view):
        async with page_of(view) as socket:
            world = decode_world(await told(socket, "world"))
            assert [group.name for group in world.groups] == ["x450", "otter"]
            first = decode_frame(await told(socket, "frame"))
            np.testing.assert_array_equal(first.pos, sim.pos)
            sim.step(1000)
            view.show()
            while (frame := decode_frame(await told(socket, "frame"))).time < 1:
                pass
            np.testing.assert_array_equal(frame.pos, sim.pos)
            sim.scene.set(Scene([Box((1, 1, 1), (0, 5, -0.5))]))
            view.show()
            assert decode_world(await told(socket, "world")).scene is not None

    with sim.view(open=False, port=0) as view:
        asyncio.run(look(view))
        assert view.url in view._repr_html_()
    assert view.closed
    sim.step(100)


def test_page_pauses_steps_and_sets_the_speed(sim):
    ended = threading.Event()

    def fly():
        while not ended.is_set():
            sim.step(10)

    async def look(view):
        async with page_of(view) as socket:

            async def ask(command, state):
                await socket.send(json.dumps(command))
                while not state.items() <= json.loads(await told(socket, "state")).items():
                    pass

            await ask({"pause": True}, {"paused": True})
            await asyncio.sleep(0.3)
            before = sim.time
            await asyncio.sleep(0.2)
            assert sim.time == before
            await socket.send('{"step": 2}')
            await asyncio.sleep(0.3)
            assert sim.time == pytest.approx(before + 0.04)
            await ask({"speed": 5, "pause": False}, {"paused": False, "speed": 5.0})
            begin, real = sim.time, time.perf_counter()
            await asyncio.sleep(1.0)
            rate = (sim.time - begin) / (time.perf_counter() - real)
            assert 2 < rate < 6

    with View(sim, pace=1.0, open=False, port=0) as view:
        flying = threading.Thread(target=fly)
        flying.start()
        try:
            asyncio.run(look(view))
        finally:
            ended.set()
            view.paused = False
            flying.join()


def test_page_that_does_not_read_stops_nothing(sim):
    async def look(view):
        async with page_of(view) as socket:
            await socket.recv()
            begin = sim.time
            for _ in range(50):
                sim.step(100)
                await asyncio.sleep(0.01)
            assert sim.time - begin == pytest.approx(5.0)

    with View(sim, open=False, port=0) as view:
        asyncio.run(look(view))


def test_a_frame_costs_little():
    """30 frames/s of 300 vehicles take less than 5 % of a processor."""
    sim = Sim("x450", 300)
    with View(sim, open=False, port=0) as view:
        costs = []
        for _ in range(30):
            begin = time.thread_time()
            view.show()
            costs.append(time.thread_time() - begin)
        assert np.median(costs) < 0.05 / 30


def test_wrong_arguments_are_refused(sim):
    with pytest.raises(ValueError, match="pace: expected simulated seconds per second above 0"):
        View(sim, pace=0, open=False)
    with pytest.raises(ValueError, match="camera: expected"):
        View(sim, "left", open=False)
    with View(sim, open=False, port=0) as view:
        port = int(view.url.split(":")[2].split("/")[0])
        with pytest.raises(PortError, match=f"port: expected a free TCP port, got {port}"):
            View(sim, open=False, port=port)


def test_page_gets_the_columns_that_it_asks_for(sim):
    async def look(view):
        async with page_of(view) as socket:
            world = header_of(await told(socket, "world"))
            listed = {column["name"]: column for column in world["columns"]}
            assert (listed["vel"]["width"], listed["vel"]["unit"]) == (3, "m/s")
            assert "mass" not in listed  # it rests
            await socket.send('{"columns": ["vel", "mass", "no such"]}')
            while "vel" not in (header := header_of(await told(socket, "frame")))["columns"]:
                view.show()
                await asyncio.sleep(0.02)
            assert [*header["columns"]] == ["vel"]
            assert header["arrays"][header["columns"]["vel"]] == ["f4", [3, 3]]

    with View(sim, open=False, port=0) as view:
        asyncio.run(look(view))


def header_of(message):
    length = int.from_bytes(message[8:12], "little")
    return json.loads(message[16 : 16 + length])
