"""A flight in a page of its own: `replay`, `Replay`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from html import escape
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.files import path_of, replacing
from pyrfly.log import Log
from pyrfly.view.camera import Camera
from pyrfly.view.codec import MAXIMUM_ROWS, encode_flight, encode_world
from pyrfly.view.frames import MAXIMUM_FRAMES, frames_of
from pyrfly.view.html import page
from pyrfly.view.logged import LogSource
from pyrfly.view.pictures import Seen, source_of
from pyrfly.view.world import Frame, World

__all__ = ["WIDEST", "Replay", "camera_entry", "inside", "notebook_address", "replay"]

SHOWN = ("pos", "att", "euler", "displayed_actuators")
"""Columns of logs that are plotted anyway."""

WIDEST = 12
"""Maximum number of values of a vehicle in a column that is plotted."""

MAXIMUM_NUMBERS = 2_000_000
"""Of these columns: a page has some 2 bytes of each before they are compressed."""

HEIGHT = 520
"""Height of a page in a notebook [pixels]."""


class Replay:
    """A page that plays a flight; a notebook shows it.

    Attributes
    ----------
    html : str
        The page: one file, which asks for nothing else.
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced."""
        with replacing(path_of("path", path)) as temporary:
            temporary.write_text(self.html, "utf-8")

    def __repr__(self) -> str:
        return f"<Replay of {len(self.html) / 1e6:.2f} MB: save it, or let a notebook show it>"

    def _repr_html_(self) -> str:
        return inside(f'srcdoc="{escape(self.html)}"')


def inside(source: str) -> str:
    """Return the element that shows a page in another one, by an attribute that says which."""
    style = f"width:100%;height:{HEIGHT}px;border:0;border-radius:8px"
    return f'<iframe {source} style="{style}" allowfullscreen></iframe>'


def notebook_address(url: str) -> str:
    """Return the address of a page on this machine for a notebook, which may be seen elsewhere.

    With jupyter-server-proxy it is a path of the notebook's own server, else it stays.
    """
    if find_spec("jupyter_server_proxy") is None:
        return url
    address, base = urlsplit(url), os.environ.get("JUPYTERHUB_SERVICE_PREFIX", "/")
    return f"{base}proxy/{address.port}/?{address.query}"


def camera_entry(camera: str | Camera, world: World) -> dict[str, Any]:
    """Return what pages of a world are told of a camera.

    Raises
    ------
    ValueError
        It is none, or of a vehicle that is not there.
    """
    chosen = Camera.of(camera)
    ids = [number for group in world.groups for number in group.ids.tolist()]
    if chosen.vehicle is not None and chosen.vehicle not in ids:
        known = ", ".join(map(str, ids))
        raise ValueError(f"camera: expected a CopterID of {known:.60}, got {chosen.vehicle}")
    return {
        "mode": chosen.mode,
        "vehicle": chosen.vehicle,
        "azimuth": chosen.azimuth,
        "elevation": chosen.elevation,
        "distance": chosen.distance,
    }


def replay(
    source: Seen,
    *,
    fps: float = 15.0,
    camera: str | Camera = "overview",
    start: float | None = None,
    stop: float | None = None,
    title: str | None = None,
    told: Callable[[float], object] | None = None,
) -> Replay:
    """Return a page in which a flight plays: offline, in any browser.

    Parameters
    ----------
    source : Sim, Log, str or path-like
        What is seen: a log or its file; a simulation, which is stepped up to ``stop``.
    fps : float
        Frames per second of the flight that the page has; between them it takes what is halfway.
        A long flight gets fewer: 100,000, and of many vehicles 1.5 million poses in all.
    camera, start, stop, told
        As of `pyrfly.view.animate`.
    title : str, optional
        What the page says in its corner.

    Examples
    --------
    >>> from pyrfly import Sim
    >>> sim = Sim("x450", 2)
    >>> replay(sim, stop=sim.time + 1).save("flight.html")  # doctest: +SKIP
    """
    if not isinstance(fps, (int, float)) or not 0 < fps <= 1000:
        raise ValueError(f"fps: expected a number above 0, up to 1000, got {brief(fps)}")
    found = source_of(source)
    world = found.world()
    step = 1.0 / fps
    if isinstance(found, LogSource):
        begin, end = found.span
        rows = max(1, min(MAXIMUM_FRAMES - 1, MAXIMUM_ROWS // max(1, world.count)))
        step = max(step, (end - begin) / rows)
    frames = list(frames_of(found, step, start, stop, told))
    columns = _columns(found.log, world, frames) if isinstance(found, LogSource) else {}
    fields = [found.log.fields[name] for name in columns]
    untold = found.untold if isinstance(found, LogSource) else []
    config = {"title": title, "camera": camera_entry(camera, world), "untold": untold}
    return Replay(page(config, encode_world(world, fields), encode_flight(frames, columns)))


def _columns(log: Log, world: World, frames: Sequence[Frame]) -> dict[str, NDArray[Any]]:
    """Return columns of a log that frames do not have, to be plotted; not all of a long one."""
    ids = [number for group in world.groups for number in group.ids.tolist()]
    vehicles = [log.row_of(number) for number in ids]
    times = [frame.time for frame in frames]
    rows = np.maximum(np.searchsorted(log.time, times, side="right") - 1, 0)
    left = MAXIMUM_NUMBERS // (len(rows) * len(ids))
    found = {}
    for name, field in log.fields.items():
        if name not in SHOWN and field.width <= min(WIDEST, left):
            left -= field.width
            found[name] = log[name][rows][:, vehicles].astype(np.float64)
    return found
