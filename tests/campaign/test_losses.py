"""Lost vehicles by the arguments of faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly.campaign import Results, plot_results, summary
from pyrfly.campaign.losses import classes, losses


def results_of(**columns: Any) -> Results:
    n = len(columns["success"])
    first = {"run": np.arange(n), "sample": np.arange(n), "seed": np.zeros(n, np.uint64)}
    description = {"runs": n, "samples": n, "swept": [], "limits": {}}
    return Results(Path(), description, {**first, **columns})


EIGHT: dict[str, Any] = {
    "loss.at": np.arange(8) // 7,
    "loss.kind": np.repeat(["motor", "propeller"], 4),
    "loss.effectiveness": np.tile([0.0, 0.5], 4),
    "wind_north": np.arange(8.0),
    "success": np.array([0, 1, 0, 1, 0, 0, 1, 1], bool),
}


def test_runs_without_success_are_lost_by_value() -> None:
    found = losses(results_of(**EIGHT))
    counts = {name: {v: r[:2] for v, r in rates.items()} for name, rates in found.items()}
    assert counts == {
        "loss.kind": {"motor": (2, 4), "propeller": (2, 4)},
        "loss.effectiveness": {"0": (3, 4), "0.5": (1, 4)},
        "loss.at": {"0": (4, 7), "1": (0, 1)},
    }
    assert list(found)[-1] == "loss.at"


def test_a_function_may_say_what_is_lost() -> None:
    found = losses(results_of(**EIGHT, lost=np.arange(8) < 1))
    assert found["loss.kind"]["motor"].share == 0.25
    assert found["loss.kind"]["propeller"].share == 0


def test_drawn_values_are_in_parts_with_as_many_runs() -> None:
    values = np.random.default_rng(1).uniform(0, 1, 80)
    parts = classes(values)
    assert [int(part.rows.sum()) for part in parts] == [10] * 8
    assert (np.sum([part.rows for part in parts], axis=0) == 1).all()
    tops = [values[part.rows].max() for part in parts]
    assert tops == sorted(tops)


def test_a_report_has_them_alone_and_together() -> None:
    text = summary(results_of(**EIGHT))
    lines = [" ".join(line.strip("| ").split()) for line in text.splitlines()]
    assert "loss.effectiveness | 0 | 3/4 | 75.0% (30.1% to 95.4%)" in lines
    assert "motor | 100.0% | 0.0%" in lines
    assert "propeller | 50.0% | 50.0%" in lines
    figure = plot_results(results_of(**EIGHT))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert {"lost, by loss.kind", "lost, by loss.effectiveness"} <= set(titles)


def test_without_faults_a_report_says_nothing_of_losses() -> None:
    own = {name: values for name, values in EIGHT.items() if "." not in name}
    assert "ost runs" not in summary(results_of(**own))
    assert losses(results_of(**own)) == {}


@pytest.mark.parametrize("values", [np.array([], float), np.array([], str)])
def test_no_runs_have_no_classes(values: Any) -> None:
    assert classes(values) == []
