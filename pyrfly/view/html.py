"""The page as one file: its parts joined, with a flight inside or without."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

from pyrfly.view.codec import FRAME_ARRAYS
from pyrfly.view.fleet import LEAST
from pyrfly.view.landscape import CLEAR, HAZE, HEIGHTS, LEAST_HAZE, MURK, SHADES
from pyrfly.view.marks import COLOURS, TRAIL
from pyrfly.view.world import BITS

__all__ = ["SCRIPTS", "page"]

_FOLDER = Path(__file__).with_name("page")

SCRIPTS = (
    *("vectors", "codec", "flight", "shaders", "draw", "camera", "terrain", "scene", "plots"),
    "main",
)
"""Files of ``page/``, in the order in which they are joined."""

_LOOKS = {
    "colours": COLOURS,
    "heights": HEIGHTS,
    "shades": SHADES,
    "haze": HAZE,
    "least_haze": LEAST_HAZE,
    "murk": MURK,
    "clear": CLEAR,
    "trail": TRAIL,
    "least": LEAST,
}
"""What looks as it does in pictures."""

_KNOWN = {"looks": _LOOKS, "flags": BITS, "frame_arrays": [*FRAME_ARRAYS]}
"""What the page knows from here."""


@cache
def _joined() -> tuple[str, str]:
    """Return the page before and after its data."""
    script = "\n".join(_read(f"{name}.js") for name in SCRIPTS)
    before, after = _read("page.html").split("{data}")
    style = before.replace("{page.css}", _read("page.css"))
    return style, after.replace("{script}", f'"use strict";\n{script}')


def _read(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def page(config: dict[str, Any], world: bytes | None = None, flight: bytes | None = None) -> str:
    """Return the page, which asks for nothing else but a simulation.

    Parameters
    ----------
    config : dict
        ``title``: a text, or None; ``camera``: that of `pyrfly.view.replay.camera_entry`;
        ``untold``: columns of frames that are made up, and so not told in numbers, by default none.
    world, flight : bytes, optional
        Messages of `pyrfly.view.codec`, which it plays; without them it connects to the address
        that it comes from.
    """
    before, after = _joined()
    told = json.dumps({"untold": [], **config, **_KNOWN}).replace("<", "\\u003c")
    data = [_element("config", "application/json", told)]
    for name, message in (("world", world), ("flight", flight)):
        if message is not None:
            packed = b64encode(gzip.compress(message, 9, mtime=0)).decode()
            data.append(_element(name, "application/gzip", packed))
    return f"{before}{''.join(data)}{after}"


def _element(name: str, kind: str, text: str) -> str:
    return f'<script type="{kind}" id="{name}">{text}</script>\n'
