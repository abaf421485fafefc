"""``pyrfly identify``: the parameters of a vehicle from a log of its flight."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyrfly.commands.logs import add_copter_id, add_log, add_span, reading
from pyrfly.commands.progress import Progress, doing
from pyrfly.errors import brief
from pyrfly.identify import (
    METHODS,
    Battery,
    Identification,
    identify,
    identify_battery,
    write_report,
)
from pyrfly.transport import OptionError

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly identify``."""
    add_log(parser)
    parser.add_argument(
        "--set",
        default="sdk",
        metavar="SET",
        help="parameter set from which the search begins, a name or a .toml file: its rotors, mass "
        "and laws are known (default: sdk)",
    )
    parser.add_argument("-o", "--out", type=Path, help="write the identified set, a .toml file")
    parser.add_argument("--report", type=Path, help="write estimates and residuals, an .html file")
    parser.add_argument(
        "--method",
        choices=METHODS,
        default=METHODS[0],
        help="compare with outputs that are simulated from the begin of each segment, or with the "
        f"equations of motion at each sample (default: {METHODS[0]})",
    )
    parser.add_argument(
        "--free",
        type=_names,
        metavar="NAME,...",
        help="parameters to identify (default: those that a flight can tell)",
    )
    parser.add_argument(
        "--known",
        type=_known,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter that is known, such as mass=1.52; may be given more than once",
    )
    parser.add_argument(
        "--battery",
        type=float,
        metavar="AH",
        help="identify the battery instead, of this rated capacity [A h]",
    )
    parser.add_argument(
        "--cells", type=int, default=4, help="of the battery in series (default: 4)"
    )
    parser.add_argument("--segment", type=float, metavar="S", help="length of a segment of the log")
    add_copter_id(parser)
    add_span(parser, "of the log that is used")


def run(options: argparse.Namespace) -> int:
    """Identify, print a table, and write the set."""
    with reading(options.log), Progress() as progress:
        found = _identified(options, progress)
    print(found)
    if isinstance(found, Battery):
        return 0
    if options.out is not None:
        found.save(options.out)
        print(f"written: {options.out}")
    if options.report is not None:
        with doing("draws residuals"):
            write_report(found, options.report)
        print(f"written: {options.report}")
    return 0


def _identified(options: argparse.Namespace, progress: Progress) -> Identification | Battery:
    known = dict(options.known)
    if options.battery is not None:
        _refuse_what_is_of_sets(options)
        return identify_battery(
            options.log, options.battery, options.cells, known=known, copter_id=options.copter_id
        )
    return identify(
        options.log,
        options.set,
        method=options.method,
        free=options.free,
        known=known,
        segment=options.segment,
        copter_id=options.copter_id,
        begin=options.begin,
        end=options.end,
        told=progress.show,
    )


def _refuse_what_is_of_sets(options: argparse.Namespace) -> None:
    """Raise an OptionError for options that say nothing of a battery."""
    for name in ("out", "report", "free", "segment", "begin", "end"):
        if getattr(options, name) is not None:
            option = {"begin": "from", "end": "to"}.get(name, name)
            raise OptionError(f"--{option}: expected none beside --battery, whose table is printed")


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _known(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected NAME=VALUE, such as mass=1.52, got {brief(text)}"
        ) from None
