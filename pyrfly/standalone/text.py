"""Words of generated C sources: `title`, `number`."""

from __future__ import annotations

from textwrap import wrap

from pyrfly import _core
from pyrfly.standalone.vehicle import Standalone

__all__ = ["number", "quoted", "title"]


def title(vehicle: Standalone, about: str) -> str:
    """Return the comment at the head of a generated file."""
    p = vehicle.parameters
    made = f"{p.name}: {p.title}. Made by pyrfly {_core.version} of its parameter set. {about}"
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
