"""``pyrfly case``: flies the cases of a file, and reports which pass."""

from __future__ import annotations

import argparse
import csv
import io
import math
from dataclasses import replace
from pathlib import Path

from pyrfly.cases import (
    MEASURES,
    Case,
    CaseResult,
    Rules,
    case_table,
    check_case,
    fly_cases,
    notes_of_cases,
    read_cases,
)
from pyrfly.commands.interruption import Interruption
from pyrfly.commands.progress import Progress
from pyrfly.files import prepare_folder, printable, replacing
from pyrfly.log import FORMATS, Recorder, flight_columns, require_format
from pyrfly.options import (
    add_battery,
    add_estimator,
    add_params,
    enable_batteries,
    enable_estimator,
    load_params,
    number,
    whole_number,
)
from pyrfly.sim import PROFILES, Sim

__all__ = ["add_arguments", "run"]

FAILED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly case``."""
    parser.add_argument("file", type=Path, help="case file: db.json of RflySim, or a text")
    parser.add_argument("--vehicle", default="sdk", metavar="NAME", help="parameter set")
    parser.add_argument(
        "--case",
        type=whole_number(0, 10**9),
        action="append",
        metavar="ID",
        help="CaseID to fly; may be given more than once (default: those that the file lists)",
    )
    parser.add_argument(
        "--limit",
        type=_limit,
        action="append",
        default=[],
        metavar="MEASURE=VALUE",
        help=f"largest value of {', '.join(MEASURES)}; may be given more than once",
    )
    for name, unit, text in _RULES:
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=number(0.01, 1e5, unit),
            default=getattr(Rules(), name),
            metavar=unit.upper(),
            help=f"{text} [{unit}] (default: %(default)g)",
        )
    parser.add_argument(
        "--sensors",
        choices=PROFILES,
        default="rflysim",
        help="what the vehicles measure (default: rflysim)",
    )
    add_estimator(parser, default=True)
    add_battery(parser)
    add_params(parser)
    parser.add_argument("--seed", type=whole_number(0, 2**64 - 1), default=0, help="of all noise")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="write a log of each case and results.csv"
    )
    parser.add_argument("--format", choices=FORMATS, default="npz", help="format of the logs")


_RULES = (
    ("crash_speed", "m/s", "descent speed near the ground that is a crash"),
    ("arrival", "m", "horizontal distance at which a position is reached"),
    ("landing", "m", "distance within which it has landed where it was told to"),
    ("patience", "s", "time that a position or a landing may take"),
)


def _limit(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name not in MEASURES:
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(MEASURES)}, got {name!r}")
    return name, number(0, 1e9, "SI")(value)


def run(options: argparse.Namespace) -> int:
    """Fly the cases, each with a vehicle of its own."""
    rules = Rules(limits=dict(options.limit))
    rules = replace(rules, **{name: getattr(options, name) for name, _, _ in _RULES})
    cases = read_cases(options.file, options.case)
    kind = Sim(options.vehicle).groups[0].abilities.kind
    for case in cases:
        check_case(case, kind)
    if options.out is not None:
        require_format(options.format)
        prepare_folder("--out", options.out)
    results: list[CaseResult] = []
    with Interruption() as interruption, Progress() as progress:
        for case in cases:
            if interruption.signal is not None:
                break
            if progress.due:
                progress.show(f"case {case.number}, {len(results)} of {len(cases)} flown")
            results.append(_flown(case, options, rules, interruption))
    print(case_table(results))
    if options.out is not None:
        with replacing(options.out / "results.csv") as path:
            path.write_bytes(_as_csv(results))
        print(printable(options.out / "results.csv"))
    passed = len(results) == len(cases) and all(result.passed for result in results)
    return interruption.exit_status or (0 if passed else FAILED)


def _flown(
    case: Case, options: argparse.Namespace, rules: Rules, interruption: Interruption
) -> CaseResult:
    sim = Sim(options.vehicle)
    sim.sensors.enable_all(options.sensors)
    enable_estimator(options, sim)
    enable_batteries(options, sim)
    load_params(options, sim)
    sim.reset(seed=options.seed)
    recorder = None if options.out is None else Recorder(sim, flight_columns(sim))

    def stop() -> str:
        found = interruption.signal
        return "" if found is None else f"interrupted by {found.name}"

    result = fly_cases(sim, {1: case}, rules=rules, recorder=recorder, stop=stop)[1]
    if recorder is not None:
        recorder.notes |= notes_of_cases({1: result})
        path = options.out / f"{options.file.stem}-{case.number}.{options.format}"
        recorder.log().save(path)
    return result


def _as_csv(results: list[CaseResult]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["case", "name", "passed", "reason", "time", "injected", "motion", *MEASURES])
    for r in results:
        injected = "" if math.isnan(r.injected) else f"{r.injected:g}"
        numbers = [f"{r.measures[name]:g}" for name in MEASURES]
        head = [r.number, r.name, int(r.passed), r.reason, f"{r.time:g}", injected, r.motion]
        writer.writerow([*head, *numbers])
    return text.getvalue().encode()
