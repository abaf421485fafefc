"""What a training was like: a CSV of its curve, and a picture of it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt


class Row(NamedTuple):
    """A line of the curve."""

    steps: int  # of all environments together
    seconds: float  # of training; tests not counted
    reward: float  # mean of a step
    success: float  # share of the tests


def write(path: Path, rows: list[Row]) -> None:
    """Write the rows to ``path``, and their picture beside it."""
    with path.open("w", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(Row._fields)
        lines.writerows((r.steps, *(f"{value:.4g}" for value in r[1:])) for r in rows)
    figure, axes = plt.subplots(2, 1, sharex=True, layout="constrained")
    seconds = [row.seconds for row in rows]
    for axis, name in zip(axes, ("reward", "success"), strict=True):
        axis.plot(seconds, [getattr(row, name) for row in rows], marker=".")
        axis.set_ylabel(name)
        axis.grid(visible=True)
    axes[-1].set_xlabel("training [s]")
    figure.savefig(path.with_suffix(".png"))
    plt.close(figure)
