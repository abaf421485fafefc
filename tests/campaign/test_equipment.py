"""Campaigns of vehicles with sensors, an estimator and batteries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from pyrfly import Sim
from pyrfly.campaign import Campaign, read_campaign
from pyrfly.mission import Mission, TakeOff, Waypoint

UP = Mission((TakeOff((0, 0, -5)), Waypoint((20, 0, -5))), name="up")
NOISE = "2,1;2,3,0,0,-5;1,1,5;2,6,123545,900;1,1,5"


def hold(sim: Sim) -> dict[str, Any]:
    """Fly in hover for 1 s and return how far from its place that ends."""
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.step(1000)
    return {"away": np.abs(sim.pos[:, :2]).max(axis=1).astype(float)}


def flown(measure: str, folder: Path, **changes: Any) -> float:
    """Return a measure of the only run of a campaign."""
    results = Campaign(**{"vehicle": "sdk", **changes}).run(folder, progress=False)
    return float(results[measure][0])


def test_sensors_and_the_estimator_are_flown_on(tmp_path: Path) -> None:
    on_truth = flown("away", tmp_path / "truth", function=hold)
    measured = flown("away", tmp_path / "measured", function=hold, sensors="px4")
    estimated = flown("away", tmp_path / "estimated", function=hold, sensors="px4", estimator=True)
    assert on_truth == measured < 0.01 < estimated


def test_cases_are_flown_on_an_estimate_unless_told_otherwise(tmp_path: Path) -> None:
    file = tmp_path / "noise.case"
    file.write_text(NOISE)
    on_estimate = flown("distance", tmp_path / "estimate", mission=file)
    on_truth = flown("distance", tmp_path / "truth", mission=file, estimator=False)
    assert on_truth < 0.1 < 0.5 < on_estimate


def test_batteries_and_what_they_do_are_keys_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "up.csv").write_text("x,y,z\n0,0,-5\n40,0,-5\n")
    file = tmp_path / "low.toml"
    file.write_text(
        'mission = "up.csv"\nvehicle = "x450"\nbattery = 0.5\n'
        '[battery_actions]\n"0.9" = "warn"\n"0.8" = "land"\n'
    )
    results = read_campaign(file).run(tmp_path / "out", progress=False)
    assert results["reason"].tolist() == ["battery below 80 %; action: land"]
    assert results["low_battery"].tolist() == [2]


@pytest.mark.filterwarnings("ignore::pyrfly.CommandWarning")  # of the one that falls
def test_missions_end_where_their_vehicle_does(tmp_path: Path) -> None:
    (tmp_path / "up.csv").write_text("x,y,z\n0,0,-5\n40,0,-5\n")
    file = tmp_path / "falls.toml"
    file.write_text(
        'mission = "up.csv"\nvehicle = "x450"\nuntil = ["crashed"]\n'
        "[[events]]\ntime = 4\narmed = 0\n"
    )
    results = read_campaign(file).run(tmp_path / "out", progress=False)
    assert results["reason"].tolist() == ["crashed before the end of the mission"]
    assert 4 < results["time"][0] < 6


def test_cases_of_a_file_are_beside_it(tmp_path: Path) -> None:
    (tmp_path / "own.case").write_text(NOISE)
    (tmp_path / "own.toml").write_text('vehicle = "sdk"\nmission = "own.case"\n')
    assert len(read_campaign(tmp_path / "own.toml")) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"estimator": True}, "estimator: expected sensors with it"),
        ({"estimator": 3, "sensors": "px4"}, "estimator: expected"),
        ({"sensors": "px5"}, "sensors: expected"),
        ({"battery": 0}, "battery: expected 0.1 to 10000"),
        ({"battery": "full"}, "battery: expected"),
        ({"battery_actions": {0.5: "land"}}, "battery_actions: expected none but of missions"),
        ({"battery_actions": {0.5: "go"}, "mission": UP, "function": None}, "battery_actions"),
        ({"until": "crashed"}, "until: expected none but of missions"),
        ({"until": ["crash"], "mission": UP, "function": None}, "until: expected ends of runs"),
    ],
)
def test_nonsense_is_refused_before_a_flight(changes: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Campaign(**{"vehicle": "x450", "function": hold, **changes})
