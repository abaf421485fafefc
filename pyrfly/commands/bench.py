"""``pyrfly bench``: what `pyrfly.bench` measures, as a table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from pyrfly import _core
from pyrfly.bench import BENCHMARKS
from pyrfly.commands.progress import doing
from pyrfly.errors import brief
from pyrfly.options import whole_number

__all__ = ["add_arguments", "run"]

LONGEST = 3600.0
"""Maximum measuring time of a row [s]."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly bench``."""
    parser.add_argument("benchmark", choices=list(BENCHMARKS), help="benchmark to run")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument(
        "--sizes",
        type=whole_number(1, _core.limits()["vehicles"]),
        nargs="+",
        default=None,
        metavar="N",
        help="numbers of vehicles",
    )
    parser.add_argument(
        "--threads",
        type=whole_number(1, _core.limits()["threads"]),
        nargs="+",
        default=sorted({1, min(2, _core.threads), _core.threads}),
        metavar="T",
        help="maximum numbers of threads of a step",
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=None,
        help="time per row [s]; 0.3, of server 10",
    )


def run(options: argparse.Namespace) -> int:
    """Run a benchmark and print the result."""
    measure, show, sizes, seconds = BENCHMARKS[options.benchmark]
    rows = measure(
        sizes=options.sizes or sizes,
        threads=options.threads,
        seconds=options.seconds or seconds,
    )
    rows = _told(rows, options.benchmark)
    if options.json:
        for row in rows:
            print(json.dumps(row._asdict()), flush=True)
    else:
        show(rows)
    return 0


def _told(rows: Iterable[Any], name: str) -> Iterator[Any]:
    """Yield rows, and show meanwhile which one is measured."""
    left = iter(rows)
    for number in count(1):
        with doing(f"measures {name}, row {number}"):
            row = next(left, None)
        if row is None:
            return
        yield row


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= LONGEST:
        raise argparse.ArgumentTypeError(
            f"expected seconds, more than 0 and at most {LONGEST:g}, got {brief(text)}"
        )
    return value
