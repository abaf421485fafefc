"""Words of generated files: `title`, `number`, and `is_export`, which tells what has the title."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import wrap

from pyrfly import _core
from pyrfly.files import read_regular
from pyrfly.standalone.vehicle import Standalone

__all__ = ["MARK", "is_export", "number", "quoted", "title"]

MARK = "Made by pyrfly"
"""In every exported file, in sources perhaps over two lines."""

_MARKED = re.compile(MARK.replace(" ", r"[\s*]+").encode())
_LARGEST = 1 << 26  # bytes, more than any export


def is_export(path: Path) -> bool:
    """Return whether a file is one that pyrfly has exported."""
    try:
        return _MARKED.search(read_regular(path, _LARGEST)) is not None
    except ValueError:
        return False


def title(vehicle: Standalone, about: str) -> str:
    """Return the comment at the head of a generated file."""
    p = vehicle.parameters
    made = f"{p.name}: {p.title}. {MARK} {_core.version} of its parameter set. {about}"
    lines = [f" * {line}" for line in wrap(made.replace("*/", "* /"), 110)]
    head = ["/* SPDX-License-Identifier: BSD-3-Clause", " * Copyright (c) 2026, pyrfly developers"]
    return "\n".join([*head, " *", *lines, " */"])


def number(value: float) -> str:
    """Return a number in C, with all its bits."""
    if value != value:
        return "NAN"
    if value in (float("inf"), float("-inf")):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def quoted(text: str) -> str:
    """Return a text as a string of C."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if " " <= c < "\x7f" else "?" for c in escaped) + '"'
