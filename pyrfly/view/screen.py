"""A page that shows a simulation, in a process of its own: `Screen`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import weakref
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pyrfly.errors import Error, brief, import_extra, require_kind
from pyrfly.sim import Sim
from pyrfly.transport import THIS_MACHINE, OptionError, PortError, Senders, resolved
from pyrfly.transport.ports import MAXIMUM_PORT, PAGE_PORT, require_whole
from pyrfly.view.camera import Camera
from pyrfly.view.codec import encode_frame, encode_world
from pyrfly.view.draping import with_lines
from pyrfly.view.live import SimSource
from pyrfly.view.mailbox import Mailbox
from pyrfly.view.replay import WIDEST, camera_entry
from pyrfly.view.world import Line, World

__all__ = ["MOST_COLUMNS", "Screen", "access_of", "open_browser", "tried_ports"]

PORTS = 10
"""Number of ports from there that are tried where none is asked for."""

SHOWN = 1 / 30
"""Real time between two frames [s]."""

COMMANDS = ("pause", "step", "speed")

PLOTTED = ("state", "input", "setpoint", "controller", "sensor", "flag", "output", "part")
"""Roles of columns that a page can plot: not those that rest."""

MOST_COLUMNS = 12
"""Maximum number of columns that are plotted at a time."""


class Screen:
    """Shows a simulation in pages; it waits for none of them, and nothing is stepped by it.

    Its process ends by `close`, or when nothing refers to the screen any more. Parameters,
    attributes and errors are those of `pyrfly.view.View`, which is one.
    """

    def __init__(
        self,
        sim: Sim,
        camera: str | Camera = "overview",
        *,
        pace: float | None = None,
        open: bool = True,
        port: int | None = None,
        host: str = THIS_MACHINE,
        allow: Sequence[str] = (),
        title: str | None = None,
        lines: Sequence[Line] = (),
        commands: Sequence[str] = COMMANDS,
        first_id: int = 1,
    ) -> None:
        import_extra("websockets", "view", "a view in a browser")
        self._sim, self._source = sim, SimSource(sim)
        self._first_id, self._lines = first_id, _checked_lines(lines)
        if title is not None:
            require_kind("title", title, str)
        ports, (address, _) = tried_ports(port), access_of(host, allow)
        self._paused, self._pace = False, _checked_pace(pace)
        self._commands = list(commands)
        self._steps = 0
        self._notes: list[str] = []
        self._fields = {
            field.name: field
            for field in sim.fields()
            if field.role in PLOTTED and field.width <= WIDEST
        }
        self._columns: list[str] = []
        self._shown = -SHOWN
        self._surroundings: tuple[Any, ...] = ()
        self._telling = threading.Lock()
        first, world = encode_frame(self._source.frame()), self._completed(self._source.world())
        capacity = 2 * len(first) + 65536 + 4 * MOST_COLUMNS * WIDEST * sim.n
        config = {"title": title, "camera": camera_entry(camera, world)}
        self._mailbox = Mailbox(capacity)
        self._serve(
            {
                "config": config,
                "state": self._state(),
                "mailbox": str(self._mailbox.path),
                "capacity": capacity,
                "ports": ports,
                "host": address,
                "allow": list(allow),
            }
        )
        self._follow()
        heard = (self._process, weakref.ref(self))
        threading.Thread(target=_listen, args=heard, daemon=True).start()
        try:
            if open:
                open_browser(self.url)
        except BaseException:
            self.close()
            raise

    def _serve(self, told: dict[str, Any]) -> None:
        """Begin the process of the page, which is told that."""
        self._process = _started()
        self._end = weakref.finalize(self, _end, self._process, self._mailbox)
        self._end.atexit = False  # then its input ends, too
        try:
            self._tell(told)
            self.url = _address(self._process)
            self.show()
        except BaseException:
            self._end()
            raise

    def _follow(self) -> None:
        """Begin to do what this screen does besides."""

    def _changed(self) -> None:
        """Take notice of another pace, or of a pause."""

    @property
    def closed(self) -> bool:
        """Whether nothing is served any more."""
        return not self._end.alive or self._process.poll() is not None

    @property
    def paused(self) -> bool:
        """Whether the simulation waits, or is to wait; can be set."""
        return self._paused

    @paused.setter
    def paused(self, on: bool) -> None:
        self._paused = on
        self._tell({"state": self._state()})

    @property
    def pace(self) -> float | None:
        """Simulated seconds per real second; None: as fast as it is stepped; can be set."""
        return self._pace

    @pace.setter
    def pace(self, pace: float | None) -> None:
        self._pace = _checked_pace(pace)
        self._tell({"state": self._state()})
        self._changed()

    @property
    def due(self) -> bool:
        """Whether it is time for another frame."""
        return time.perf_counter() - self._shown >= SHOWN

    def show(self) -> None:
        """Show the vehicles as they are, without a step of the simulation."""
        self._shown = time.perf_counter()
        seen = (self._sim.scene.current, self._sim.environment.terrain_map)
        if not self._surroundings or any(map(_other, seen, self._surroundings)):
            self._surroundings = seen
            world = encode_world(self._completed(self._source.world()), self._fields.values())
            self._tell({"world": len(world)}, world)
        columns = {name: getattr(self._sim, name) for name in self._columns}
        frame = encode_frame(self._source.frame(), columns)
        with suppress(ValueError):  # the mailbox was closed, maybe by another thread
            self._mailbox.put(frame)

    def draw(self, lines: Sequence[Line]) -> None:
        """Let other lines be drawn besides."""
        self._lines = _checked_lines(lines)
        self._surroundings = ()  # the world is sent anew

    def take_step(self) -> bool:
        """Return whether a step is to be made though it is paused."""
        if self._steps == 0:
            return False
        self._steps -= 1
        return True

    def tell(self, notes: Sequence[str]) -> None:
        """Let pages show lines of text."""
        if list(notes) != self._notes:
            self._notes = list(notes)
            self._tell({"state": self._state()})

    def close(self) -> None:
        """End the process of the page; the simulation goes on."""
        self._paused = False
        self._end()

    def _completed(self, world: World) -> World:
        shift = self._first_id - 1
        groups = tuple(replace(group, ids=group.ids + shift) for group in world.groups)
        return with_lines(replace(world, groups=groups), self._lines)

    def _state(self) -> dict[str, Any]:
        return {
            "paused": self._paused,
            "speed": self._pace,
            "commands": [*self._commands, "columns"],
            "notes": self._notes,
        }

    def _tell(self, told: dict[str, Any], more: bytes = b"") -> None:
        stream = self._process.stdin
        assert stream is not None
        # Where the process has ended, nothing is shown.
        with self._telling, suppress(BrokenPipeError, ValueError):
            stream.write(json.dumps(told).encode() + b"\n" + more)
            stream.flush()

    def _take(self, asked: dict[str, Any]) -> None:
        """Take what a page asks for."""
        if "step" in asked:
            self._steps += asked["step"]
            self._paused = True
        self._pace = asked.get("speed", self._pace)
        if "columns" in asked:
            self._columns = [name for name in asked["columns"] if name in self._fields]
            return
        self._paused = asked.get("pause", self._paused)
        self._changed()
        self._tell({"state": self._state()})


def tried_ports(port: int | None) -> list[int]:
    """Return the port that is asked for, or those of which the first one that is free is taken."""
    if port is None:
        return [*range(PAGE_PORT, PAGE_PORT + PORTS)]
    require_whole("port", port)
    if not 0 <= port <= MAXIMUM_PORT:
        raise OptionError(f"port: expected 0 to {MAXIMUM_PORT}, got {brief(port)}")
    return [int(port)]


def access_of(host: str, allow: Sequence[str]) -> tuple[str, Senders]:
    """Return the IPv4 address to listen on, and who may connect to it."""
    address = resolved("host", host)
    return address, Senders((THIS_MACHINE,), allow, address)


def open_browser(url: str) -> None:
    """Open a browser, but none that would take the terminal."""
    windows = sys.platform in ("win32", "darwin")
    if windows or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)


def _other(a: object, b: object) -> bool:
    return a is not b


def _checked_pace(pace: Any) -> float | None:
    if pace is None:
        return None
    if isinstance(pace, bool) or not isinstance(pace, (int, float)) or not 0 < pace <= 1e4:
        raise ValueError(f"pace: expected simulated seconds per second above 0, got {brief(pace)}")
    return float(pace)


def _checked_lines(lines: Any) -> tuple[Line, ...]:
    if not isinstance(lines, Sequence) or isinstance(lines, str):
        raise TypeError(f"lines: expected a sequence of Line, got {brief(lines)}")
    for index, line in enumerate(lines):
        require_kind(f"lines[{index}]", line, Line)
    return tuple(lines)


def _started() -> subprocess.Popen[bytes]:
    """Return the process of a page."""
    return subprocess.Popen(
        [sys.executable, "-m", "pyrfly.view.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the simulation, which ends it
    )


def _end(process: subprocess.Popen[bytes], mailbox: Mailbox) -> None:
    """End the process of a page."""
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    mailbox.close()


def _listen(process: subprocess.Popen[bytes], of: weakref.ref[Screen]) -> None:
    """Take what pages ask for, without keeping the screen, and so its simulation, alive."""
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            screen = of()
            if screen is not None:
                screen._take(json.loads(line))
            del screen


def _address(process: subprocess.Popen[bytes]) -> str:
    """Return the address that the process of a page tells."""
    assert process.stdout is not None
    line = process.stdout.readline()
    told = json.loads(line) if line else {}
    if "url" in told:
        return str(told["url"])
    process.kill()
    process.wait()
    if "error" in told:
        raise PortError(told["error"])
    raise Error("the process of the page has ended; its error is above")
