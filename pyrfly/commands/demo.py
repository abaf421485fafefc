"""``pyrfly demo``: the zoo, as a page for a browser or a moving picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyrfly.commands.logs import require_no_folder
from pyrfly.commands.progress import Progress
from pyrfly.commands.zoo import Zoo
from pyrfly.errors import Error
from pyrfly.files import prepare_folder, printable
from pyrfly.log import Recorder, flight_columns
from pyrfly.options import number
from pyrfly.view import FORMATS, animate
from pyrfly.view.live import SimSource
from pyrfly.view.logged import LogSource
from pyrfly.view.screen import open_browser

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly demo``."""
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        default=Path("pyrfly-demo.html"),
        metavar="FILE",
        help=f"what to write: {', '.join(FORMATS)} (default: %(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=number(1, 600, "s"),
        default=60.0,
        metavar="S",
        help="how long the vehicles move (default: 60)",
    )
    parser.add_argument("--no-browser", action="store_true", help="only write the file")


def run(options: argparse.Namespace) -> int:
    """Fly the zoo, write what is seen of it, and show it."""
    if options.out.suffix.lower() not in FORMATS:  # before it flies
        raise Error(f"--out: expected {', '.join(FORMATS)} as suffix, got {printable(options.out)}")
    prepare_folder("--out", options.out.parent)
    require_no_folder(options.out)
    with Progress() as progress:
        flown = _flown(options.seconds, progress)
        animate(flown, options.out, fps=20.0, told=progress.written(printable(options.out)))
    print(printable(options.out))
    if options.out.suffix.lower() == ".html" and not options.no_browser:
        open_browser(options.out.resolve().as_uri())
    return 0


def _flown(seconds: float, progress: Progress) -> LogSource:
    """Return a log of the zoo, in its world."""
    zoo = Zoo()
    recorder = Recorder(zoo.sim, flight_columns(zoo.sim))
    while zoo.sim.time < seconds:
        if progress.due:
            progress.show(f"{zoo.sim.time:.0f} of {seconds:.0f} s flown")
        recorder.sample()
        zoo.step()
    recorder.sample()
    return LogSource(recorder.log(), SimSource(zoo.sim).world())
