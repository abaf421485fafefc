"""``pyrfly campaign``: flies many runs of a description, reports on them, flies one again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pyrfly.campaign import (
    BACKENDS,
    Campaign,
    Results,
    read_campaign,
    read_results,
    write_report,
)
from pyrfly.errors import Error
from pyrfly.files import printable
from pyrfly.log import plot_flight
from pyrfly.options import whole_number

__all__ = ["add_arguments"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the commands of ``pyrfly campaign``."""
    commands = parser.add_subparsers(dest="action", required=True, metavar="action")

    flight = commands.add_parser("run", help="fly all runs that are not done; writes a report")
    _add_file(flight)
    _add_folder(flight)
    flight.add_argument(
        "--backend", choices=BACKENDS, default="local", help="where to fly (default: local)"
    )
    flight.add_argument(
        "--shard-size",
        type=whole_number(1, 2**20),
        metavar="N",
        help="runs that are flown at a time (default: 8 of missions, 1024 of others)",
    )
    flight.set_defaults(run=_run)

    table = commands.add_parser("report", help="report on the runs that are done")
    table.add_argument("folder", type=Path, help="the folder of `pyrfly campaign run`")
    table.add_argument("--error", metavar="MEASURE", help="the measure that makes a run bad")
    table.add_argument(
        "--worst", type=whole_number(0, 1000), default=10, metavar="N", help="worst runs to list"
    )
    table.set_defaults(run=_report)

    again = commands.add_parser("replay", help="fly a run again; writes its log and a plot")
    _add_file(again)
    again.add_argument("number", type=whole_number(0, 2**31), metavar="RUN", help="its number")
    _add_folder(again)
    again.set_defaults(run=_replay)


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="the description, a .toml (docs/campaign.md)")


def _add_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder (default: campaigns/, the name of the file)"
    )


def _run(options: argparse.Namespace) -> int:
    campaign = _campaign(options.file)
    results = campaign.run(_folder(options), backend=options.backend, shard_size=options.shard_size)
    _print_report(results, None, 10)
    return 0


def _report(options: argparse.Namespace) -> int:
    _print_report(read_results(options.folder), options.error, options.worst)
    return 0


def _print_report(results: Results, error: str | None, worst: int) -> None:
    print(write_report(results, error=error, worst=worst))
    for name in ("report.md", "report.png"):
        print(printable(results.folder / name))


def _replay(options: argparse.Namespace) -> int:
    campaign = _campaign(options.file)
    if options.number >= len(campaign):
        raise Error(f"RUN: expected 0 to {len(campaign) - 1}, got {options.number}")
    replay = campaign.replay(options.number)
    for name, value in replay.row.items():
        print(f"{name:24}{value}")
    folder = _folder(options)
    folder.mkdir(parents=True, exist_ok=True)
    log, picture = (folder / f"run-{options.number}{ending}" for ending in (".npz", ".png"))
    replay.log.save(log)
    plot_flight(replay.log, None, picture, f"run {options.number} of {options.file.stem}")
    print(printable(log), printable(picture), sep="\n")
    return 0


def _campaign(file: Path) -> Campaign:
    """Return the campaign of a file; modules beside it can be imported, as by ``python FILE``."""
    sys.path.insert(0, str(file.parent.resolve()))
    try:
        return read_campaign(file)
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, Error) else Error(str(error)) from None


def _folder(options: argparse.Namespace) -> Path:
    folder: Path = options.out or Path("campaigns") / options.file.stem
    return folder
