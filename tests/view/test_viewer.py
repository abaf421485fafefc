"""A running simulation in a page: what is seen of it, and what the page changes."""

import asyncio
import gc
import json
import threading
import time

import numpy as np
import pytest

pytest.importorskip("websockets")

from websockets.asyncio.client import connect

from pyrfly import Sim
from pyrfly.scene import Box, Scene
from pyrfly.transport import OptionError, PortError
from pyrfly.view import View
from pyrfly.view import screen as module
from pyrfly.view.codec import decode_frame, decode_world, kind
from pyrfly.view.world import Line

slow = pytest.mark.slow


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


@slow
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


@slow
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


@slow
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


@slow
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


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"pace": 0}, ValueError, "pace: expected simulated seconds per second above 0, got 0"),
        ({"camera": "left"}, ValueError, "camera: expected"),
        ({"lines": [1]}, TypeError, r"lines\[0\]: expected Line, got 1"),
        ({"lines": 1}, TypeError, "lines: expected a sequence of Line, got 1"),
        ({"title": 1}, TypeError, "title: expected str, got 1"),
        ({"port": -1}, OptionError, "port: expected 0 to 65535, got -1"),
        ({"port": 70000}, OptionError, "port: expected 0 to 65535, got 70000"),
        ({"port": "a"}, TypeError, "port: expected a whole number, got 'a'"),
        ({"host": ""}, OptionError, "host: expected an address or a host name, got ''"),
        ({"host": "no..name"}, PortError, "host: no address for 'no..name'"),
        ({"allow": ["x"]}, OptionError, "allow: expected an IPv4 address or .*, got 'x'"),
        ({"allow": "10.0.0.1"}, OptionError, "allow: expected addresses, got '10.0.0.1'"),
    ],
)
def test_wrong_arguments_are_refused_before_a_process_starts(
    sim, monkeypatch, options, error, message
):
    monkeypatch.setattr(module, "_started", lambda: pytest.fail("a process was started"))
    with pytest.raises(error, match=message):
        View(sim, open=False, **options)


@slow
def test_port_that_is_taken_is_named(sim):
    with View(sim, open=False, port=0) as view:
        port = int(view.url.split(":")[2].split("/")[0])
        with pytest.raises(PortError, match=f"port: expected a free TCP port, got {port}"):
            View(sim, open=False, port=port)


@slow
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


def process_of(view):
    return view._process


@slow
def test_process_ends_when_simulation_and_view_are_dropped():
    sim = Sim("x450")
    view = sim.view(open=False, port=0)
    process = process_of(view)
    del view
    gc.collect()
    sim.step(100)
    assert process.poll() is None  # the simulation is still there, and is shown
    del sim
    gc.collect()
    assert process.poll() is not None


@slow
def test_process_ends_when_a_view_fails(sim, monkeypatch):
    ended = []
    end = module._end
    monkeypatch.setattr(module, "_end", lambda *ends: ended.append(ends) or end(*ends))
    with pytest.raises(ValueError, match="could not convert"):
        View(sim, open=False, port=0, lines=[Line("no points", "x", (0, 0, 0))])
    ((process, _),) = ended
    assert process.poll() is not None


@slow
def test_close_wakes_a_step_that_waits_for_its_pace(sim):
    with View(sim, pace=1.0, open=False, port=0) as view:
        view.pace = 0.004  # the next look waits for 5 s
        stepping = threading.Thread(target=sim.step, args=(40,))
        stepping.start()
        time.sleep(0.2)
        assert stepping.is_alive()
        begin = time.perf_counter()
        view.close()
        stepping.join()
        assert time.perf_counter() - begin < 3
        view.show()  # of which nothing is seen
