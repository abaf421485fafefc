"""``pyrfly plot``: a saved log as a picture of curves."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyrfly.commands.logs import add_copter_id, add_log, load_log, mission_of, require_no_folder
from pyrfly.commands.progress import doing
from pyrfly.errors import Error
from pyrfly.files import prepare_folder, printable
from pyrfly.log import plot_columns, plot_flight

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly plot``."""
    add_log(parser)
    add_copter_id(parser)
    parser.add_argument("--mission", type=Path, help="the mission, to plot its path too")
    parser.add_argument(
        "--out",
        type=Path,
        help="the picture, such as .png or .pdf; by default beside the log; its folder is created",
    )


def run(options: argparse.Namespace) -> int:
    """Draw a saved log: a flight, or the columns of another one, such as that of a sensor."""
    log = load_log(options.log)
    out = options.out or options.log.with_suffix(".png")
    prepare_folder("--out", out.parent)
    require_no_folder(out)
    mission = None if options.mission is None else mission_of(log, options.mission)
    try:
        with doing(f"draws {printable(out)}"):
            if "pos" in log.columns or mission is not None:
                plot_flight(log, mission, out, options.log.stem, copter_id=options.copter_id)
            else:
                plot_columns(log, out, options.log.stem, copter_id=options.copter_id)
    except (KeyError, ValueError) as error:
        raise Error(f"{printable(options.log)}: {error.args[0]}") from None
    print(printable(out))
    return 0
