"""Reports of campaigns: rates, the worst runs, tables and plots; the command line."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

pytest.importorskip("pyarrow")

from pyrfly.campaign import (
    Results,
    plot_results,
    read_results,
    success_rate,
    summary,
    write_report,
)
from pyrfly.cli import main
from pyrfly.log import Log


@pytest.mark.parametrize(("successes", "runs"), [(0, 5), (5, 5), (1, 3), (47, 100), (999, 1000)])
def test_a_success_rate_has_wilsons_interval(successes: int, runs: int) -> None:
    rate = success_rate(np.arange(runs) < successes)
    expected = binomtest(successes, runs).proportion_ci(method="wilson")
    assert (rate.successes, rate.runs, rate.share) == (successes, runs, successes / runs)
    assert (rate.low, rate.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_without_runs_a_rate_is_unknown() -> None:
    assert success_rate(np.zeros(0, dtype=bool))[3:] == (0.0, 1.0)


def results_of(**changes: Any) -> Results:
    columns: dict[str, Any] = {
        "run": np.arange(6),
        "sample": np.tile([0, 1, 2], 2),
        "seed": np.arange(10, 16, dtype=np.uint64),
        "vehicle": np.repeat(["x450", "x500"], 3),
        "success": np.array([True, True, False, True, False, False]),
        "reason": np.array(["flown", "flown", "lost", "flown", "late", "lost"]),
        "time": np.array([3.0, 1.0, 2.0, 9.0, 5.0, 5.0]),
        "cross_track_max": np.array([0.1, 0.2, 0.9, 0.3, np.nan, 0.8]),
    }
    description = {"runs": 8, "samples": 3, "swept": ["vehicle"], "limits": {}}
    return Results(Path(), {**description, **changes}, columns)


def test_the_worst_runs_fail_and_have_the_largest_error() -> None:
    results = results_of()
    assert results.error() == "cross_track_max"
    assert results.worst(5).tolist() == [4, 2, 5, 3, 1]
    assert results.worst(3, "time").tolist() == [4, 5, 2]
    assert results_of(limits={"time": 4.0}).error() == "time"
    with pytest.raises(ValueError, match="error: expected a measure, such as time, got 'tme'"):
        results.error("tme")


@pytest.mark.slow
def test_runs_without_measures_have_a_report(tmp_path: Path) -> None:
    results = results_of()
    for name in ("time", "cross_track_max"):
        del results.columns[name]
    assert results.worst(4).tolist() == [2, 4, 5, 0]
    text = write_report(results, tmp_path)
    assert "no measures besides success" in text
    assert "Worst runs;" in text
    assert (tmp_path / "report.png").stat().st_size > 5000
    with pytest.raises(ValueError, match="error: expected a measure, such as none, got 'time'"):
        summary(results, error="time")


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([20240101, 20240102], ["mass=20240101", "mass=20240102"]),
        ([1.500001, 1.500002], ["mass=1.500001", "mass=1.500002"]),
        ([1.5, np.nextafter(1.5, 2)], ["mass=1.5", "mass=1.5000000000000002"]),
        ([1.0, 1.25], ["mass=1", "mass=1.25"]),
    ],
)
def test_every_point_of_the_grid_has_a_name_of_its_own(values: Any, names: list[str]) -> None:
    results = results_of(swept=["mass"])
    results.columns["mass"] = np.repeat(values, 3)
    assert list(results.points()) == names


@pytest.mark.slow
def test_points_of_a_vector_stay_readable(tmp_path: Path) -> None:
    results = results_of(swept=["wind[0]", "wind[1]", "wind[2]"], samples=1)
    for k in range(3):
        results.columns[f"wind[{k}]"] = (10.123 * results["run"]) * (k == 0) - 10.5 * (k == 1)
    names = list(results.points())
    assert names[1] == "wind=(10.123, -10.5, 0)"
    figure = plot_results(results, tmp_path / "a.svg")
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert max(map(len, labels)) <= 28
    assert len(set(labels)) == len(names)
    figure.draw_without_rendering()
    assert figure.axes[0].get_position().width > 0.2  # of the figure


def test_runs_are_a_data_frame() -> None:
    pytest.importorskip("pandas")
    frame = results_of().to_pandas()
    assert frame.index.name == "run"
    assert frame["time"].tolist() == results_of()["time"].tolist()


def test_a_summary_has_rates_measures_and_the_worst_runs() -> None:
    text = summary(results_of(limits={"time": 8.0}), worst=2)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines[0].startswith("6 of 8 runs are done: success 50.0% (18.8% to 81.2%)")
    assert "| x450 | 2/3 | 66.7% (20.8% to 93.9%) |" in lines
    assert "| time | 1 | 4 | 8 | 9 | 8 |" in lines
    assert "| cross_track_max | 0.1 | 0.3 | 0.88 | 0.9 | |" in lines
    assert lines[-2:] == [
        "| 4 | 14 | x500 | False | 5 | late |",
        "| 5 | 15 | x500 | False | 5 | lost |",
    ]


def test_a_plot_shows_rates_errors_and_measures(tmp_path: Path) -> None:
    figure = plot_results(results_of(limits={"time": 8.0}), tmp_path / "a.svg")
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles[:4] == [
        "Success rate, 95 % interval",
        "Share of runs with time up to a value",
        "time",
        "cross_track_max",
    ]
    steps = figure.axes[1].lines[1].get_xydata()
    np.testing.assert_allclose(steps, [[5, 1 / 3], [5, 2 / 3], [9, 1]])
    assert (tmp_path / "a.svg").stat().st_size > 10_000


def test_without_runs_there_is_no_report(tmp_path: Path) -> None:
    (tmp_path / "campaign.json").write_text(json.dumps(results_of().description))
    results = read_results(tmp_path)
    assert len(results) == 0
    with pytest.raises(ValueError, match="results: expected at least one run"):
        write_report(results)


@pytest.mark.parametrize("largest", [1e308, 1e200, np.inf])
@pytest.mark.slow
def test_what_is_too_large_for_a_plot_is_left_out(tmp_path: Path, largest: float) -> None:
    results = results_of(limits={"time": largest})
    results.columns["time"][:] = [largest, -largest, 1.0, 2.0, 3.0, np.nan]
    write_report(results, tmp_path)
    steps = plot_results(results, error="time").axes[1].lines[0].get_xydata()
    assert np.max(steps) <= 3


@pytest.fixture
def description(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("up.csv").write_text("x,y,z\n0,0,-1\n1,0,-1\n")
    Path("up.toml").write_text(
        'mission = "up.csv"\nvehicle = "x450"\nsamples = 2\nrandomize.mass = ["scale", 0.9, 1.1]\n'
    )
    return Path("up.toml")


@pytest.mark.slow
def test_the_command_flies_reports_and_replays(description: Path, capsys: Any) -> None:
    assert main(["campaign", "run", str(description)]) == 0
    out = capsys.readouterr().out
    assert "2 of 2 runs are done: success 100.0%" in out
    folder = Path("campaigns", "up")
    assert out.splitlines()[-2:] == [str(folder / f"report{end}") for end in (".md", ".png")]
    assert (folder / "report.md").read_text().splitlines()[0] == out.splitlines()[0]
    assert (folder / "report.png").stat().st_size > 10_000
    assert main(["campaign", "report", str(folder), "--error", "time", "--worst", "1"]) == 0
    assert "Worst runs by time" in capsys.readouterr().out
    assert main(["campaign", "replay", str(description), "1", "--out", "again"]) == 0
    shown = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[:-2])
    assert float(shown["mass"]) == read_results(folder)["mass"][1]
    log = Log.load("again/run-1.npz")
    assert log.metadata["run"] == 1
    assert log.time[-1] == pytest.approx(float(shown["time"]))
    assert Path("again/run-1.png").stat().st_size > 10_000


@pytest.mark.parametrize(("number", "status"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130)])
def test_a_signal_ends_a_campaign_with_what_was_flown(
    number: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ended_by.py").write_text(
        "import signal\ncalls = []\n"
        "def fly(sim):\n    calls.append(sim)\n    if len(calls) == 3:\n"
        f"        signal.raise_signal(signal.{number})\n    return {{}}\n"
    )
    monkeypatch.delitem(sys.modules, "ended_by", raising=False)
    Path("a.toml").write_text("function = 'ended_by:fly'\nsamples = 4\nvehicle = 'x450'\n")
    arguments = ["campaign", "run", "a.toml", "--shard-size", "1"]
    before = signal.getsignal(signal.SIGTERM)
    try:
        ended = main(arguments)
    except SystemExit as error:
        ended = error.code
    assert ended == status
    assert f"what is in {Path('campaigns', 'a')}" in capsys.readouterr().out
    assert len(read_results("campaigns/a")["run"]) == 2
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["run", "bad.toml"], "seed: expected a whole number"),
        (["replay", "up.toml", "2"], "RUN: expected 0 to 1, got 2"),
        (["report", "."], "folder: expected that of a campaign"),
        (["run", "up.toml", "--out", "."], "folder: expected a new one or that of a campaign"),
        (["run", "none.toml"], "function: expected a mapping of measures, got None"),
        (["run", "limit.toml"], "limits: expected measures, of time, distance, cross_track_rms"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    arguments: list[str], words: str, description: Path, capsys: Any
) -> None:
    Path("bad.toml").write_text(description.read_text() + "\nseed = -1")
    Path("limit.toml").write_text(description.read_text() + "\nlimits.tim = 3")
    Path("none.py").write_text("def fly(sim):\n    pass\n")
    Path("none.toml").write_text('function = "none:fly"\n')
    assert main(["campaign", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("pyrfly campaign: error: ")
    assert error.count("\n") == 1
    assert words in error
