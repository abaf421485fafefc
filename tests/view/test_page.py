"""The page in a browser: what it shows, and what keys and pointer do."""

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest

pytest.importorskip("websockets")

from pyrfly import Sim, load
from pyrfly.log import Recorder
from pyrfly.scene import Box, Scene
from pyrfly.view.codec import encode_flight, encode_world
from pyrfly.view.drawings import group_of
from pyrfly.view.html import page
from pyrfly.view.replay import camera_entry, replay
from pyrfly.view.surroundings import mesh_of_scene
from pyrfly.view.world import ARMED, Frame, World

from . import browser
from .worlds import frame_at, full_world, small_world

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(browser.CHROMIUM is None, reason="chromium is not installed"),
]

CONFIG = {"title": "A <b>title</b>", "camera": camera_entry("overview", small_world())}
RATE = 20.0  # frames per second of the flights


def flight_file(folder: Path, seconds: float = 10.0, world: Any = None) -> Path:
    frames = [frame_at(k / RATE) for k in range(int(seconds * RATE) + 1)]
    text = page(CONFIG, encode_world(world or small_world()), encode_flight(frames))
    path = folder / "flight.html"
    path.write_text(text, "utf-8")
    return path


COUNT = """var pictures = 0, last = null;
const plain = WebGL2RenderingContext.prototype.drawArraysInstanced;
WebGL2RenderingContext.prototype.drawArraysInstanced = function (...args) {
  const now = document.timeline.currentTime;
  if (now !== last) { last = now; pictures++; }
  return plain.apply(this, args);
}; 1"""


def show(
    url: str,
    look: Callable[[browser.Page], Coroutine[Any, Any, Any]],
    flags: tuple[str, ...] = browser.MESA,
) -> Any:
    """Open a page, and return what a function makes of it; the page may not raise."""

    async def run() -> Any:
        async with browser.opened(url, *flags) as opened:
            await opened.until("typeof state !== 'undefined' && state.scene !== null")
            found = await look(opened)
            thrown = opened.told("Runtime.exceptionThrown")
            assert not thrown, json.dumps(thrown)[:2000]
            return found

    return asyncio.run(run())


async def places(opened: browser.Page) -> Any:
    """Return the pixels of all vehicles."""
    return await opened.value(
        "state.scene.places.map(({at}) => project(state.matrix, at, innerWidth, innerHeight))"
        ".map(({x, y}) => [x, y])"
    )


async def painted(opened: browser.Page, spots: Any) -> list[bool]:
    """Return whether there is something else at pixels if vehicles are drawn."""
    read = """(spots => {
      const {gl} = state.renderer, of = bodies => {
        const all = state.scene.bodies;
        state.scene.bodies = bodies(all);
        tick(state.shown);
        state.scene.bodies = all;
        return spots.map(([x, y]) => {
          const pixels = new Uint8Array(4 * 25);
          gl.readPixels(Math.round(x) - 2, gl.drawingBufferHeight - Math.round(y) - 2, 5, 5,
                        gl.RGBA, gl.UNSIGNED_BYTE, pixels);
          return pixels.join();
        });
      };
      const there = of(all => all), not = of(() => []);
      return there.map((pixels, k) => pixels !== not[k]);
    })(%s)"""
    return await opened.value(read % json.dumps(spots))


def test_file_shows_vehicles_where_they_are_and_asks_for_nothing(tmp_path):
    async def look(opened: browser.Page) -> None:
        await opened.value("setPlaying(false), seek(4), 1")
        await asyncio.sleep(0.5)
        frame = frame_at(4.0)
        shown = await opened.value("Array.from(state.frame.pos)")
        np.testing.assert_allclose(np.reshape(shown, (-1, 3)), frame.pos, atol=1e-3)
        await opened.value("setMode('free')")  # it stands still
        spots = await places(opened)
        inside = [240 < x < 1280 and 0 < y < 640 for x, y in spots]
        assert all(inside), spots
        assert all(await painted(opened, spots))
        assert await opened.value("document.getElementById('title').textContent") == (
            "A <b>title</b>"
        )
        assert [re.sub(r".*/", "", url) for url in opened.requests()] == ["flight.html"]

    show(flight_file(tmp_path).as_uri(), look)


def test_slider_click_and_pause(tmp_path):
    async def look(opened: browser.Page) -> None:
        await opened.until("state.time > 0.5")
        await opened.value("document.getElementById('play').click()")
        paused = await opened.value("state.time")
        await asyncio.sleep(0.4)
        assert await opened.value("state.time") == paused
        await opened.value("KEYS[',']()")
        assert paused - 2 / RATE < await opened.value("state.time") < paused
        await opened.value(
            "(s => { s.value = 7.5; s.dispatchEvent(new Event('input')); })"
            "(document.getElementById('slider'))"
        )
        assert await opened.value("state.time") == 7.5
        await asyncio.sleep(0.5)
        await opened.value("setMode('free')")  # it stands still
        await opened.press(*(await places(opened))[2])
        await opened.until("document.getElementById('who').textContent === '3 · x450'")
        await opened.until("document.getElementById('plots').children.length === 5")
        assert "3.75" in await opened.value("document.getElementById('numbers').innerText")

    show(flight_file(tmp_path).as_uri(), look)


@pytest.mark.parametrize("mode", ["follow", "nose"])
def test_cameras_go_with_a_vehicle(tmp_path, mode):
    async def look(opened: browser.Page) -> None:
        await opened.value(
            f"chooseCamera({{...config.camera, mode: '{mode}', vehicle: 2}}), setPlaying(false)"
        )
        await opened.value("seek(3)")
        await asyncio.sleep(2.0)
        at = frame_at(3.0).pos[1]
        eye, distance = await opened.value(
            "[add(state.scene.eye, state.scene.origin), state.camera.distance]"
        )
        away = float(np.linalg.norm(np.array(eye) - at))
        assert away < 0.5 if mode == "nose" else abs(away - distance) < 0.3

    show(flight_file(tmp_path).as_uri(), look)


def test_follow_camera_is_at_once_at_another_vehicle_and_has_all_of_it_in_the_picture(tmp_path):
    look_for = """(() => {
      const camera = {...makeCamera(), mode: "follow", distance: 2};
      const chosen = {i: 0, at: [500, 0, 0], radius: 9, att: [1, 0, 0, 0]};
      approach(camera, chosen, 1.2);
      aim(camera, [chosen], chosen, 0.1, 1.2);
      const matrix = matrixOf(camera, pose(camera, chosen), 1.2, [0, 0]);
      return [[9, 0, 0], [-9, 0, 0], [0, 9, 0], [0, 0, -9]]
        .map(end => project(matrix, add(chosen.at, end), 1, 1)).flatMap(({x, y}) => [x, y]);
    })()"""

    async def look(opened: browser.Page) -> None:
        spots = np.array(await opened.value(look_for))
        assert (spots > 0).all()
        assert (spots < 1).all()

    show(flight_file(tmp_path).as_uri(), look)


def test_page_fits_a_phone_and_leaves_room_for_the_vehicle_that_is_followed(tmp_path):
    edges = """['views', 'bar', 'asks', 'details'].map(id => at(id).getBoundingClientRect())
      .flatMap(({left, right}) => [left, innerWidth - right])"""

    async def look(opened: browser.Page) -> None:
        shape = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        await opened.call("Emulation.setDeviceMetricsOverride", **shape)
        await opened.value("setPlaying(false), choose(1, true)")
        await asyncio.sleep(1.0)
        assert min(await opened.value(edges)) >= 0
        y = (await places(opened))[1][1]
        assert 60 < y < await opened.value("at('details').getBoundingClientRect().top")

    show(flight_file(tmp_path).as_uri(), look)


def test_heading_is_at_least_0_and_less_than_360_degrees(tmp_path):
    async def look(opened: browser.Page) -> None:
        texts = await opened.value("[-0.01, 359.96, -90, 720.5].map(headingText)")
        assert texts == ["0.0", "0.0", "270.0", "0.5"]

    show(flight_file(tmp_path).as_uri(), look)


def test_surroundings_are_drawn(tmp_path):
    async def look(opened: browser.Page) -> None:
        await opened.value("setPlaying(false), 1")
        await asyncio.sleep(0.5)
        read = """(() => { const {gl} = state.renderer;
          const px = new Uint8Array(4 * 1280 * 720);
          tick(state.shown); gl.readPixels(0, 0, 1280, 720, gl.RGBA, gl.UNSIGNED_BYTE, px);
          return new Set(new Uint32Array(px.buffer)).size; })()"""
        assert await opened.value("state.scene.rest.length") == 2
        assert await opened.value("state.scene.lines.length") == 2
        assert await opened.value(read) > 100

    show(flight_file(tmp_path, world=full_world()).as_uri(), look)


def test_page_states_nothing_that_a_log_does_not_tell(tmp_path):
    sim = Sim("x450")
    recorder = Recorder(sim, every=50)
    sim.arm()
    sim.run(0.5, record=recorder)
    replay(recorder.log()).save(tmp_path / "flight.html")

    async def look(opened: browser.Page) -> None:
        await opened.value("choose(0, false), showDetails(), 1")
        assert await opened.value("document.getElementById('plots').children.length") == 4
        table = await opened.value("document.getElementById('numbers').textContent")
        assert "heading" in table
        assert "armed" not in table
        assert await opened.value("statusOf(config.flags.crashed)") == "crashed"
        assert await opened.value("[0, 1, 3, 5, 6].map(lostWord)") == [
            *("", "", "crashed", "faulty", "crashed"),
        ]

    show((tmp_path / "flight.html").as_uri(), look)


def test_column_is_plotted_over_all_of_the_page(tmp_path):
    sim = Sim("x450")
    recorder = Recorder(sim, ["pos", "att", "vel"], every=50)
    sim.reset(pos=[0, 0, -9])
    sim.run(1.0, record=recorder)
    replay(recorder.log()).save(tmp_path / "fall.html")

    async def look(opened: browser.Page) -> None:
        await opened.value("setPlaying(false), seek(1), addColumn('vel'), toggleDash()")
        await opened.until("document.getElementById('plots').children.length === 5")
        shown = await opened.value("Array.from(state.frame.columns.vel)")
        np.testing.assert_allclose(shown, sim.vel[0], atol=1e-3)
        assert await opened.value("document.getElementById('details').clientWidth") > 900

    show((tmp_path / "fall.html").as_uri(), look)


def test_running_simulation_is_shown_paused_and_stepped():
    sim = Sim("x450", 3)
    sim.reset(pos=[[0, 0, -4], [4, 0, -4], [0, 4, -4]], hover=True)
    sim.arm()
    sim.command_position([[3, 0, -6], [7, 2, -4], [0, 7, -5]])
    ended = threading.Event()

    def fly() -> None:
        while not ended.is_set():
            sim.step(20)

    async def look(opened: browser.Page) -> None:
        await opened.until("state.time > 1")
        await opened.value("togglePlay()")
        await opened.until("!state.playing && state.time === state.flight.span[1]")
        while not view.paused:  # the page shows it before the simulation knows
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        before = sim.time
        await asyncio.sleep(0.5)
        assert sim.time == before
        np.testing.assert_array_equal(
            await opened.value("Array.from(state.frame.pos)"), sim.pos.flat
        )
        await opened.value("setMode('free')")
        assert all(await painted(opened, await places(opened)))
        await opened.value("oneStep()")
        await opened.until(f"state.time > {before}")
        await opened.value("setSpeed(8), togglePlay()")
        await opened.until(f"state.time > {before + 4}")
        assert [urlsplit(url).netloc for url in opened.requests()] == [urlsplit(view.url).netloc]

    with sim.view(pace=1.0, open=False, port=0) as view:
        flying = threading.Thread(target=fly)
        flying.start()
        try:
            show(view.url, look)
        finally:
            ended.set()
            view.paused = False
            flying.join()


def test_many_vehicles_are_shown_at_30_frames_per_second(tmp_path, capsys):
    """300 vehicles, 1280 x 720, by the processor alone: counted by the page's own draw calls.

    What is asserted is the processor time of a picture: other programs may have the processors.
    """
    world = World((group_of(load("x450"), np.arange(1, 301)),))
    frames = [frame_at(k / 10, 300) for k in range(40)]
    path = tmp_path / "many.html"
    config = {**CONFIG, "camera": camera_entry("overview", world)}
    path.write_text(page(config, encode_world(world), encode_flight(frames)), "utf-8")

    async def measure(opened: browser.Page) -> tuple[float, float]:
        await opened.value("setSpeed(0.1)")
        await asyncio.sleep(3)  # until it has found how much detail it can draw
        await opened.value(COUNT)
        begin, spent = time.perf_counter(), opened.processor_time()
        await asyncio.sleep(2)
        count = await opened.value("pictures")
        return count / (time.perf_counter() - begin), (opened.processor_time() - spent) / count

    for name, flags in (("Mesa", browser.MESA), ("SwiftShader", browser.SWIFTSHADER)):
        rate, spent = show(path.as_uri(), measure, flags)
        with capsys.disabled():
            print(f"\n300 vehicles, {name}: {rate:.1f} pictures/s, {1e3 * spent:.0f} ms each")
        assert spent < (0.066 if name == "Mesa" else 0.5)  # two processors make 30 a second


def test_click_finds_the_nearest_vehicle_that_nothing_hides_at_any_zoom(tmp_path):
    """Two in a row to the north, another aside, and one behind a house."""
    house = mesh_of_scene(Scene([Box((1, 8, 8), (20, 10, -4), name="house")]))
    world = World((group_of(load("x450"), [1, 2, 3, 4]),), scene=house)
    pos = np.array([[0.0, 0, -4], [6, 0, -4], [0, 6, -4], [24, 10, -4]])
    turns = np.tile(np.float32([1, 0, 0, 0]), (4, 1))
    frame = Frame(0.0, pos, turns, np.zeros((4, 8), np.float32), np.full(4, ARMED, np.uint8))
    path = tmp_path / "row.html"
    path.write_text(page(CONFIG, encode_world(world), encode_flight([frame])), "utf-8")
    look_from = """(distance => {
      setMode("free");
      const target = state.scene.places[0].at;
      Object.assign(state.camera, {azimuth: 0, elevation: 0, distance, target});
      tick(state.shown);
      return state.scene.places.map(({at}) => project(state.matrix, at, innerWidth, innerHeight))
        .map(({x, y}) => vehicleUnder({clientX: x, clientY: y}));
    })(%s)"""

    async def look(opened: browser.Page) -> None:
        assert (await opened.value(look_from % 3000))[:2] == [0, 0]
        for distance in (12, 60):
            assert await opened.value(look_from % distance) == [0, 0, 2, -1]
        x, y = (await places(opened))[2]
        await opened.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        await opened.until("document.getElementById('tip').textContent === '3 · x450'")
        await opened.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y - 200)
        await opened.until("document.getElementById('tip').hidden")

    show(path.as_uri(), look)


COUNT_OBJECTS = """var alive = 0;
for (const kind of ["Buffer", "VertexArray", "Texture", "Program"]) {
  const gl = WebGL2RenderingContext.prototype;
  const make = gl[`create${kind}`], free = gl[`delete${kind}`];
  gl[`create${kind}`] = function () { alive++; return make.call(this); };
  gl[`delete${kind}`] = function (one) { if (one) alive--; return free.call(this, one); };
} 1"""


def test_view_stays_when_the_world_becomes_another():
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -4], [4, 0, -4]], hover=True)

    async def look(opened: browser.Page) -> None:
        await opened.value("choose(1, false), setMode('free'), state.camera.distance = 33, 1")
        sim.scene.set(Scene([Box((2, 2, 2), (9, 9, -1), name="house")]))
        view.show()
        await opened.until("state.scene?.rest.length === 1")
        kept = await opened.value("[state.chosen, state.camera.mode, state.camera.distance]")
        assert kept == [1, "free", 33]
        assert await opened.value("document.getElementById('who').textContent") == "2 · x450"
        await opened.value(COUNT_OBJECTS)
        for size in (3, 4, 5):
            await opened.value("var old = state.scene; 1")
            sim.scene.set(Scene([Box((size, 2, 2), (9, 9, -1), name="house")]))
            view.show()
            await opened.until("state.scene && state.scene !== old")
        assert await opened.value("alive") == 0  # what is new takes the room of what was

    with sim.view(open=False, port=0) as view:
        show(view.url, look)
