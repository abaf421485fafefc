"""``pyrfly compare``: how much two flights differ, and how well they correlate."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from pathlib import Path

from pyrfly.commands.logs import LONGEST, add_copter_id, add_span, reading
from pyrfly.commands.progress import Progress
from pyrfly.compare import Comparison, compare, comparison_table, write_report
from pyrfly.compare.names import names_of
from pyrfly.compare.report import REPORTS
from pyrfly.errors import Error
from pyrfly.files import prepare_folder, printable
from pyrfly.log import FlightData, read_flight_data
from pyrfly.log.readers import LOG_FILES
from pyrfly.options import number

__all__ = ["add_arguments", "run"]

_AUTO, _OFF = "auto", "off"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly compare``."""
    for name, which in (("a", "the first"), ("b", "the second")):
        parser.add_argument(
            name,
            type=Path,
            metavar=name.upper(),
            help=f"log of {which} flight: {LOG_FILES}; logs of its sensors beside it are read with "
            "it",
        )
    parser.add_argument(
        "--signals",
        type=_names,
        metavar="NAME,...",
        help="signals to compare, such as roll,pos_down (default: all that both have)",
    )
    parser.add_argument(
        "--align",
        default=_AUTO,
        metavar="SIGNAL",
        help="signal whose cross-correlation tells the shift in time; auto: the best one; off: no "
        "shift (default: auto)",
    )
    parser.add_argument(
        "--shift",
        type=number(-LONGEST, LONGEST, "s"),
        metavar="S",
        help="known shift: time by which B is later [s]",
    )
    parser.add_argument(
        "--max-shift",
        type=number(1e-9, LONGEST, "s"),
        default=math.inf,
        metavar="S",
        help="maximum of the shift that is looked for [s]",
    )
    parser.add_argument(
        "--rate",
        type=number(1e-6, 1e6, "Hz"),
        default=math.inf,
        metavar="HZ",
        help="maximum rate at which signals are compared (default: the lower one of both)",
    )
    for name in "ab":
        parser.add_argument(
            f"--mapping-{name}",
            type=Path,
            metavar="FILE",
            help=f"TOML file that says what the columns of {name.upper()}, a table of another "
            "program, are (docs/compare.md)",
        )
    _add_parts(parser)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help=f"write a report with figures, too: {' or '.join(REPORTS)}; its folder is created",
    )


def _add_parts(parser: argparse.ArgumentParser) -> None:
    """Define the options of what of the flights is compared."""
    add_span(parser, "of A that is compared")
    parser.add_argument(
        "--relative",
        action="store_true",
        help="compare positions from the first common sample on: flights at different places",
    )
    add_copter_id(parser)
    add_copter_id(parser, "--copter-id-b", "that of --copter-id")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def run(options: argparse.Namespace) -> int:
    """Compare two logs; print the table, or JSON; write a report."""
    if options.out is not None:
        _require_report(options.out)
    with Progress() as progress:
        result = _compared(options, progress)
        if options.out is not None:
            write_report(result, options.out, told=lambda title: progress.show(f"draws {title}"))
    if options.json:
        print(json.dumps(result.to_dict(), indent=2))
    else:
        print(comparison_table(result))
    return 0


def _require_report(path: Path) -> None:
    if path.suffix.lower() not in REPORTS or path.is_dir():
        suffixes = " or ".join(REPORTS)
        raise Error(f"--out: expected a file with the suffix {suffixes}, got {printable(path)}")
    prepare_folder("--out", path.parent)


def _compared(options: argparse.Namespace, progress: Progress) -> Comparison:
    other = options.copter_id if options.copter_id_b is None else options.copter_id_b
    progress.show(f"reads {printable(options.a)}")
    a = _read(options.a, options.copter_id, options.mapping_a)
    progress.show(f"reads {printable(options.b)}")
    b = _read(options.b, other, options.mapping_b)
    progress.show("compares signals")
    called_a, called_b = names_of(options.a, options.b)
    try:
        return compare(
            replace(a, name=called_a),
            replace(b, name=called_b),
            signals=options.signals,
            align_by={_AUTO: True, _OFF: False}.get(options.align, options.align),
            shift=options.shift,
            max_shift=options.max_shift,
            rate=options.rate,
            span=_span(options),
            relative=options.relative,
        )
    except ValueError as error:
        text = str(error).replace("align_by:", "--align:").replace("signals:", "--signals:", 1)
        raise Error(text) from None


def _span(options: argparse.Namespace) -> tuple[float, float]:
    begin = -math.inf if options.begin is None else options.begin
    return begin, math.inf if options.end is None else options.end


def _read(path: Path, copter_id: int | None, mapping: Path | None) -> FlightData:
    with reading(path):
        return read_flight_data(path, copter_id, mapping)
