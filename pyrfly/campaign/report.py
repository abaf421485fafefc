"""Reports of campaigns: success rates, errors and the worst runs, as text and plots."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.campaign.folder import folder_of
from pyrfly.campaign.losses import classes, losses, lost_runs, swept_arguments
from pyrfly.campaign.results import Rate, Results, success_rate
from pyrfly.errors import CampaignError, require_kind
from pyrfly.files import path_of, replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_results", "summary", "write_report"]

_QUANTILES = (0.0, 0.5, 0.95, 1.0)
_POINTS = 40  # of the grid that are plotted
_LABELLED = 8  # at most this many curves have a name
_LONGEST = 28  # characters of a name in a plot; of longer ones the number of the table is there
_BINS = 30
_PLOTTED = 1e100  # larger magnitudes are left out: Matplotlib computes their ranges
_LOST = "lost, 95 % interval"
_INK, _LIMIT = "#0072B2", "#D55E00"


def write_report(
    results: Results,
    folder: str | os.PathLike[str] | None = None,
    *,
    error: str | None = None,
    worst: int = 10,
) -> str:
    """Write ``report.md`` and ``report.png``; return the text.

    Parameters
    ----------
    results : Results
        The runs, also of a campaign that is not complete.
    folder : str or path-like, optional
        Where to; by default that of the results.
    error : str, optional
        The measure that makes a run bad; see `Results.error`.
    worst : int
        Number of the worst runs that are listed.

    Raises
    ------
    CampaignError
        No run is done, or there is no such measure.
    """
    text = summary(results, error=error, worst=worst)
    into = results.folder if folder is None else folder_of(folder)
    with replacing(into / "report.md") as temporary:
        temporary.write_text(f"{text}\n\n![Success and errors](report.png)\n", encoding="utf-8")
    plot_results(results, into / "report.png", error=error)
    return text


def summary(results: Results, *, error: str | None = None, worst: int = 10) -> str:
    """Return tables of success rates, measures and the worst runs; see `write_report`."""
    _require_runs(results)
    name = _error(results, error)
    rates = {point: success_rate(results["success"][rows]) for point, rows in _points(results)}
    measures = _measure_rows(results)
    by = "" if name is None else f" by {name}"
    blocks = [
        f"{len(results)} of {results.size} runs are done: success {_rate(results.success_rate)}.",
        _table(["point", "runs", "success, 95 % interval"], _rate_rows(rates)),
        *_loss_blocks(results),
        _table(["measure", "least", "median", "95 %", "largest", "limit"], measures)
        if measures
        else "The runs have no measures besides success.",
        f"Worst runs{by}; `Campaign.replay(run)` flies one again:",
        _table(*_worst_rows(results, name, worst)),
    ]
    return "\n\n".join(blocks)


def plot_results(
    results: Results, path: str | os.PathLike[str] | None = None, *, error: str | None = None
) -> Figure:
    """Plot success rates, the distribution of an error by point, and those of all measures.

    Of arguments of faults and boundaries the share of lost runs over their values, too.

    Parameters
    ----------
    results : Results
        The runs.
    path : str or path-like, optional
        File for the figure.
    error : str, optional
        The measure; see `Results.error`.

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot, so it need not be closed.

    Raises
    ------
    CampaignError
        No run is done, or there is no such measure.
    """
    from matplotlib.figure import Figure

    _require_runs(results)
    name, measures = _error(results, error), results.measures
    points = _points(results)[:_POINTS]
    lost = losses(results)
    rows = max(1, -(-(len(lost) + len(measures)) // 4))
    height = 2.5 + 0.18 * len(points)
    figure = Figure(figsize=(11, height + 2.0 * rows), layout="constrained")
    halves: Any = figure.subfigures(2, 1, height_ratios=(height, 2.0 * rows))
    above, below = halves
    left, right = above.subplots(1, 2)
    _plot_rates(left, results, points)
    if name is None:
        right.set_axis_off()
    else:
        _plot_errors(right, results, points, name)
    panels = below.subplots(rows, 4, squeeze=False).ravel()
    for axes, (argument, rates) in zip(panels, lost.items(), strict=False):
        _plot_losses(axes, argument, rates)
    for axes, measure in zip(panels[len(lost) :], measures, strict=False):
        _plot_measure(axes, results, measure)
    for axes in panels[len(lost) + len(measures) :]:
        axes.set_axis_off()
    if path is not None:
        with replacing(path_of("path", path)) as temporary:
            figure.savefig(temporary, dpi=110)
    return figure


def _require_runs(results: Results) -> None:
    require_kind("results", results, Results)
    if not len(results):
        raise CampaignError("results: expected at least one run that is done, got none")


def _error(results: Results, error: str | None) -> str | None:
    """Return the measure that makes a run bad; None where nothing is measured."""
    return None if error is None and not results.measures else results.error(error)


def _points(results: Results) -> list[tuple[str, NDArray[np.bool_]]]:
    """Return the name of each point and its rows; with a number where plots are too narrow."""
    points = list(results.points().items())
    if max((len(name) for name, _ in points), default=0) <= _LONGEST:
        return points
    return [(f"{number}: {name}", rows) for number, (name, rows) in enumerate(points, 1)]


def _label(name: str) -> str:
    """Return what a plot shows of a name of a point."""
    return name if len(name) <= _LONGEST else name[: _LONGEST - 3] + "..."


# --- text ---


def _rate(rate: Rate) -> str:
    return f"{rate.share:.1%} ({rate.low:.1%} to {rate.high:.1%})"


def _rate_rows(rates: Mapping[str, Rate]) -> list[list[str]]:
    return [[point, f"{rate.successes}/{rate.runs}", _rate(rate)] for point, rate in rates.items()]


def _loss_blocks(results: Results) -> list[str]:
    """Return tables of lost runs by arguments of faults and boundaries, and by the first two."""
    rows = [
        [name, value, *cells]
        for name, rates in losses(results).items()
        for value, *cells in _rate_rows(rates)
    ]
    if not rows:
        return []
    blocks = [
        "Lost runs by faults and boundaries:",
        _table(["argument", "value", "lost", _LOST], rows),
    ]
    if len(names := swept_arguments(results)) > 1:
        first, second = names[:2]
        table = _table(*_share_rows(results, first, second))
        blocks += [f"Share of lost runs by {first} (rows) and {second}:", table]
    return blocks


def _share_rows(results: Results, first: str, second: str) -> tuple[list[str], list[list[str]]]:
    """Return heading and rows of shares of lost runs by two arguments."""
    lost, across = lost_runs(results), classes(results[second])
    rows = []
    for one in classes(results[first]):
        found = [success_rate(lost[one.rows & other.rows]) for other in across]
        rows.append([one.name, *(f"{rate.share:.1%}" if rate.runs else "" for rate in found)])
    return [first, *(other.name for other in across)], rows


def _measure_rows(results: Results) -> list[list[str]]:
    limits = results.description["limits"]
    rows = []
    for name in results.measures:
        values = _finite(results[name])
        with np.errstate(over="ignore", invalid="ignore"):  # between the largest numbers
            numbers = np.quantile(values, _QUANTILES) if values.size else [np.nan] * len(_QUANTILES)
        limit = f"{limits[name]:.4g}" if name in limits else ""
        rows.append([name, *(f"{number:.4g}" for number in numbers), limit])
    return rows


def _worst_rows(
    results: Results, error: str | None, count: int
) -> tuple[list[str], list[list[str]]]:
    """Return heading and rows of the worst runs: what they were, and how they ended."""
    texts = [name for name in results.columns if results[name].dtype.kind not in "biuf"]
    ended = [name for name in texts if name not in results.description["swept"]]
    by = [] if error is None else [error]
    names = ["run", "seed", *results.description["swept"], "success", *by, *ended]
    index = {run: row for row, run in enumerate(results["run"].tolist())}
    rows = [index[run] for run in results.worst(count, error).tolist()]
    return names, [[_cell(results[name][row]) for name in names] for row in rows]


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, (float, np.floating)) else str(value)


def _table(heading: list[str], rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(f"{c:{w}}" for c, w in zip(cells, widths, strict=True)) + " |"

    return "\n".join([line(heading), line(["-" * width for width in widths]), *map(line, rows)])


# --- plots ---


def _finite(values: NDArray[Any]) -> NDArray[np.float64]:
    numbers = values.astype(np.float64)
    return numbers[np.isfinite(numbers)]


def _plottable(values: NDArray[Any]) -> NDArray[np.float64]:
    numbers = _finite(values)
    return numbers[np.abs(numbers) <= _PLOTTED]


def _shares(rates: Sequence[Rate]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return shares, and the lengths of their bars below and above."""
    share, low, high = np.array([(rate.share, rate.low, rate.high) for rate in rates]).T
    return share, np.abs([share - low, high - share])


def _plot_losses(axes: Axes, name: str, rates: Mapping[str, Rate]) -> None:
    share, bars = _shares(list(rates.values()))
    places = np.arange(len(rates))
    axes.errorbar(places, share, yerr=bars, fmt="o", color=_LIMIT, capsize=3)
    axes.set_xticks(places, [_label(value) for value in rates], rotation=45, ha="right", fontsize=7)
    axes.set_ylim(-0.02, 1.02)
    axes.set_title(f"lost, by {_label(name)}", loc="left", fontsize=9)


def _plot_rates(axes: Axes, results: Results, points: list[tuple[str, NDArray[np.bool_]]]) -> None:
    share, bars = _shares([success_rate(results["success"][rows]) for _, rows in points])
    places = np.arange(len(points))
    axes.errorbar(share, places, xerr=bars, fmt="o", color=_INK, capsize=3)
    axes.set_yticks(places, [_label(name) for name, _ in points])
    axes.set_ylim(len(points) - 0.5, -0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.set_title("Success rate, 95 % interval", loc="left")
    axes.grid(axis="x", alpha=0.4)


def _plot_errors(
    axes: Axes, results: Results, points: list[tuple[str, NDArray[np.bool_]]], name: str
) -> None:
    for number, (point, rows) in enumerate(points):
        values = np.sort(_plottable(results[name][rows]))
        shares = np.arange(1, values.size + 1) / int(np.count_nonzero(rows))
        axes.step(values, shares, where="post", label=_label(point) if number < _LABELLED else None)
    _plot_limit(axes, results, name)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel(name)
    axes.set_title(f"Share of runs with {name} up to a value", loc="left")
    axes.grid(alpha=0.4)
    if len(points) > 1:
        axes.legend(fontsize=7)


def _plot_measure(axes: Axes, results: Results, name: str) -> None:
    axes.hist(_plottable(results[name]), bins=_BINS, color=_INK)
    _plot_limit(axes, results, name)
    axes.set_title(name, loc="left", fontsize=9)


def _plot_limit(axes: Axes, results: Results, name: str) -> None:
    limit = results.description["limits"].get(name, math.inf)
    if abs(limit) <= _PLOTTED:
        axes.axvline(limit, color=_LIMIT, ls="--")
