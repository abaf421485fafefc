"""Policies and functions that are objects: their names in results, and whether they are others."""

from __future__ import annotations

import functools
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

from pyrfly import Sim
from pyrfly.campaign import Campaign


class Scaled:
    """Measures a multiple of the mass; counts its calls."""

    def __init__(self, factor: float) -> None:
        self.factor = factor
        self.calls = 0

    def __call__(self, sim: Sim) -> dict[str, Any]:
        self.calls += 1
        return {"scaled": sim.mass * self.factor}

    def measure(self, sim: Sim) -> dict[str, Any]:
        return {"scaled": sim.mass * self.factor}


class Named(Scaled):
    """Has a name."""

    def __init__(self, name: str, factor: float) -> None:
        super().__init__(factor)
        self.name = name


def scale(factor: float, sim: Sim) -> dict[str, Any]:
    return {"scaled": sim.mass * factor}


OBJECTS: list[Any] = [
    Scaled,
    lambda factor: Scaled(factor).measure,
    lambda factor: functools.partial(scale, factor),
    lambda factor: Named(f"by {factor}", factor),
]


@pytest.mark.parametrize("make", OBJECTS, ids=["object", "method", "partial", "name"])
def test_a_folder_is_that_of_an_object(make: Any, tmp_path: Path) -> None:
    results = Campaign(function=make(2.0)).run(tmp_path)
    again = Campaign(function=make(2.0)).run(tmp_path)
    assert again["scaled"].tolist() == results["scaled"].tolist()
    with pytest.raises(ValueError, match="is that of another campaign: function"):
        Campaign(function=make(3.0)).run(tmp_path)


@pytest.mark.parametrize("make", OBJECTS, ids=["object", "method", "partial", "name"])
def test_objects_of_a_class_are_swept(make: Any, tmp_path: Path) -> None:
    results = Campaign(sweep={"function": [make(2.0), make(3.0)]}).run(tmp_path)
    assert results["scaled"][1] == pytest.approx(1.5 * results["scaled"][0])
    assert len(results.points()) == 2


def test_a_flown_object_is_the_same(tmp_path: Path) -> None:
    campaign = Campaign(function=Scaled(2.0))
    campaign.run(tmp_path)
    assert len(campaign.run(tmp_path)) == 1


def test_an_object_without_a_name_is_flown_once(tmp_path: Path) -> None:
    campaign = Campaign(function=lambda sim: {"half": sim.mass / 2})
    campaign.run(tmp_path)
    with pytest.raises(ValueError, match="function: expected"):
        campaign.run(tmp_path)


WINDY = """
import json
from dataclasses import replace
import numpy as np
from pyrfly.campaign import Campaign
from pyrfly.rl import TASKS

def gusty(sim):
    sim.environment.set_turbulence("severe")

def still(observations):
    return np.zeros((len(observations), 4), np.float32)

def description():
    task = replace(TASKS["hover"], configure=gusty)
    return json.dumps(Campaign(policy=still, options={"task": task}).description["options"])
"""


@pytest.mark.slow
def test_options_are_described_alike_in_all_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gymnasium")
    (tmp_path / "windy_task.py").write_text(WINDY)
    monkeypatch.syspath_prepend(tmp_path)
    command = "import windy_task; print(windy_task.description())"
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=tmp_path, capture_output=True, check=True, text=True
    )
    windy_task = importlib.import_module("windy_task")

    assert done.stdout.strip() == windy_task.description()
    assert json.loads(done.stdout)["task"]["Task"]["configure"] == "windy_task:gusty"
