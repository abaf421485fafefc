"""``pyrfly animate``: saved logs as moving pictures."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyrfly.commands.logs import add_log, add_span, load_log, mission_of, require_no_folder
from pyrfly.commands.progress import Progress
from pyrfly.errors import Error
from pyrfly.files import prepare_folder, printable
from pyrfly.log import Log
from pyrfly.options import number
from pyrfly.view import FORMATS, Camera, animate
from pyrfly.view.draping import with_lines
from pyrfly.view.logged import LogSource
from pyrfly.view.missions import mission_lines

__all__ = ["add_arguments", "add_camera", "log_source", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly animate``."""
    add_log(parser)
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help=f"what to write: {', '.join(FORMATS)}; by default a .gif beside the log; its folder is"
        " created",
    )
    parser.add_argument("--mission", type=Path, help="the mission, to draw its path and fence too")
    parser.add_argument(
        "--size", type=_size, default=(640, 480), metavar="WxH", help="pixels (default: 640x480)"
    )
    parser.add_argument(
        "--fps",
        type=number(0.1, 60, "pictures"),
        default=15.0,
        help="pictures per second (default: 15)",
    )
    parser.add_argument(
        "--speed", type=number(1e-3, 1e4, "times"), default=1.0, help="times real time (default: 1)"
    )
    add_camera(parser)
    add_span(parser, "that is shown")


def add_camera(parser: argparse.ArgumentParser) -> None:
    """Define from where vehicles are seen."""
    parser.add_argument(
        "--camera",
        type=_camera_text,
        default="overview",
        help="overview (default), follow:ID or nose:ID, with the CopterID of a vehicle",
    )


def run(options: argparse.Namespace) -> int:
    """Write a moving picture of a log."""
    log = load_log(options.log)
    out = options.out or options.log.with_suffix(".gif")
    prepare_folder("--out", out.parent)
    require_no_folder(out)
    source = log_source(log, options.mission)
    chosen = {name: getattr(options, name) for name in ("size", "fps", "speed", "camera")}
    chosen |= {"start": options.begin, "stop": options.end}
    try:
        with Progress() as progress:
            animate(source, out, told=progress.written(printable(out)), **chosen)
    except ValueError as error:
        raise Error(f"{printable(options.log)}: {error}") from None
    print(printable(out))
    return 0


def log_source(log: Log, mission: Path | None) -> LogSource:
    """Return the log, with the mission that was flown."""
    try:
        source = LogSource(log)
    except ValueError as error:
        raise Error(str(error)) from None
    if mission is None:
        return source
    lines = mission_lines(mission_of(log, mission), source.frame(source.span[0]).pos[0])
    return LogSource(log, with_lines(source.world(), lines))


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT in pixels, got {text!r}")
    return int(width), int(height)


def _camera_text(text: str) -> str:
    """Read what `Camera.of` takes."""
    try:
        Camera.of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("camera: ")) from None
    return text
