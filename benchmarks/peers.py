"""Compare the speed of pyrfly and other simulators on the same work, on one core.

Each is measured by a program beside this file, ``run_<name>.py``, in an interpreter that has it
installed: they need other versions of the same libraries, so give each its own virtual
environment. Whoever is not installed is left out and named::

    python benchmarks/peers.py --python crazyflow=/envs/crazyflow/bin/python \\
        --python l2f=/envs/l2f/bin/python --json >rows.jsonl

All are pinned to one core and take turns; of each row the best of several turns and the best
number of vehicles count. What needs compiling or caches is done before. A table says of every row
what a counted step is; ``ratio`` is the rate of pyrfly's first row of the same work over that of
the row.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from measuring import MARK, Row

PEERS = ("pyrfly", "l2f", "crazyflow", "rotorpy", "pyflyt", "pufferlib")

WORKS = {
    "physics, RK4": "an RK4 step of 10 ms of a Crazyflie, motors commanded",
    "physics, Euler": "an Euler step of 2 ms of a Crazyflie, motors commanded",
    "motors, RK4": "an environment step of a Crazyflie: motors commanded, an RK4 step of 10 ms",
    "motors, Euler": "an environment step of a quadrotor: motors commanded, an Euler step",
    "attitude, Euler": "an environment step of a Crazyflie: attitude and thrust commanded, "
    "an Euler step of 2 ms",
    "one, motors": "an environment step of one Crazyflie: motors commanded, an RK4 step of 10 ms",
    "one, rates": "an environment step of one Crazyflie: body rates and thrust commanded, "
    "six steps of 1/240 s",
}

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "JAX_PLATFORMS": "cpu",
}

TIMEOUT = 1200.0


def interpreters(options: Iterable[str]) -> dict[str, str]:
    """Return the interpreter of each peer from ``NAME=PATH`` options."""
    found = dict.fromkeys(PEERS, sys.executable)
    for option in options:
        name, equals, path = option.partition("=")
        if name not in PEERS or not equals:
            raise ValueError(f"--python: expected NAME=PATH, NAME of {', '.join(PEERS)}; "
                             f"got {option!r}")  # fmt: skip
        found[name] = path
    return found


def run(name: str, python: str, seconds: float, core: int | None) -> list[Row] | str:
    """Return the rows of a program, or why there are none."""
    program = Path(__file__).with_name(f"run_{name}.py")
    command = [python, str(program), "--seconds", str(seconds)]
    if core is not None:
        command += ["--core", str(core)]
    with tempfile.TemporaryDirectory() as folder:  # some write into the current folder
        try:
            done = subprocess.run(
                command, cwd=folder, env={**os.environ, **ONE_THREAD}, capture_output=True,
                text=True, timeout=TIMEOUT, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    return [Row(**json.loads(line.removeprefix(MARK))) for line in lines]


def key(row: Row) -> tuple[str, str, str, str]:
    """Return what rows have in common that differ in their rate and number of vehicles."""
    return row.work, row.peer, row.variant, row.precision


def best(rows: Iterable[Row]) -> list[Row]:
    """Return the fastest row of each kind, by work, pyrfly first."""
    fastest: dict[tuple[str, str, str, str], Row] = {}
    for row in rows:
        if key(row) not in fastest or row.rate > fastest[key(row)].rate:
            fastest[key(row)] = row
    order = list(WORKS)
    return sorted(fastest.values(), key=lambda r: (order.index(r.work), r.peer != "pyrfly"))


def ratios(rows: list[Row]) -> list[float]:
    """Return the rate of the first row of the same work over that of each row."""
    first: dict[str, float] = {}
    return [first.setdefault(row.work, row.rate) / row.rate for row in rows]


def table(rows: list[Row]) -> str:
    """Return rows as a table of Markdown for each work."""
    lines = []
    work = ""
    for row, ratio in zip(rows, ratios(rows), strict=True):
        if row.work != work:
            work = row.work
            lines += [
                "", f"**{work}**: {WORKS[work]}", "",
                "| | variant | vehicle | integrator | precision | observed | includes | N "
                "| steps/s | ratio |",
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
            ]  # fmt: skip
        lines.append(
            f"| {row.peer} | {row.variant} | {row.vehicle} | {row.substeps} x {row.integrator}, "
            f"{1000 * row.step_s:.3g} ms | {row.precision} | {row.observed} | {row.includes} "
            f"| {row.n} | {row.rate:,.0f} | {float(f'{ratio:.2g}'):g} |"
        )
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PATH",
                        help="interpreter of a peer; by default this one")  # fmt: skip
    parser.add_argument("--only", nargs="+", choices=PEERS, default=PEERS, help="measure these")
    parser.add_argument("--turns", type=int, default=3, help="runs of each program")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each row and turn")
    parser.add_argument("--core", type=int, default=0, help="the core to run on (Linux)")
    parser.add_argument("--json", action="store_true", help="print an object per line")
    args = parser.parse_args(argv)
    try:
        pythons = interpreters(args.python)
    except ValueError as error:
        parser.error(str(error))
    rows: list[Row] = []
    missing: dict[str, str] = {}
    for _ in range(args.turns):
        for name in args.only:
            if name in missing:
                continue
            found = run(name, pythons[name], args.seconds, args.core)
            if isinstance(found, str):
                missing[name] = found
            else:
                rows += found
    rows = best(rows)
    if args.json:
        for row in rows:
            print(json.dumps(vars(row)))
    else:
        versions = {row.peer: row.version for row in rows}
        print(", ".join(f"{peer} {version}" for peer, version in versions.items()))
        print(table(rows))
    for name, reason in missing.items():
        print(f"not measured: {name}: {reason}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
