"""``pyrfly campaign``: flies many runs of a description, reports on them, flies one again."""

from __future__ import annotations

import argparse
import shutil
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
from pyrfly.commands.interruption import ending_at_signals
from pyrfly.commands.progress import doing
from pyrfly.commands.recordings import kept_recordings
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
    campaign, folder = _campaign(options.file), _folder(options)
    try:
        with ending_at_signals():
            results = campaign.run(folder, backend=options.backend, shard_size=options.shard_size)
    except (KeyboardInterrupt, SystemExit):
        print(f"interrupted; a second run goes on with what is in {printable(folder)}")
        raise
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
    folder, name = _folder(options), f"run-{options.number}"
    log, picture = (folder / f"{name}{ending}" for ending in (".npz", ".png"))
    with ending_at_signals(), kept_recordings(folder, name) as recordings:
        with doing(f"flies run {options.number}"):
            replay = campaign.replay(options.number, folder=recordings / "flight")
        try:
            for measure, value in replay.row.items():
                print(f"{measure:24}{value}")
        finally:  # also if nobody reads that
            replay.log.save(log)
            shutil.rmtree(recordings)
    print(printable(log))
    plot_flight(replay.log, None, picture, f"run {options.number} of {options.file.stem}")
    print(printable(picture))
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
