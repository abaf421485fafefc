"""Campaigns of faults: swept and drawn arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from pyrfly import Sim
from pyrfly.campaign import Campaign
from pyrfly.errors import CampaignError
from pyrfly.protocol.bits import FaultKind

FAULT = {"name": "loss", "kind": "motor", "actuator": 1, "at": ("uniform", 0.05, 0.1)}


def hold(sim: Sim) -> dict[str, Any]:
    """Fly in hover for 0.3 s and return the commands that the motors get."""
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.step(300)
    return {
        "first": sim.command_factor[:, 0].astype(float),
        "second": sim.command_factor[:, 1].astype(float),
        "onset": sim.fault_onset[:, 0].astype(float),
    }


def test_arguments_of_a_fault_are_swept_and_drawn(tmp_path: Path) -> None:
    campaign = Campaign(
        vehicle="hex_x",
        function=hold,
        samples=3,
        faults=[{**FAULT, "effectiveness": ("uniform", 0.0, 1.0)}],
        sweep={"loss.actuator": [1, 2], "vehicle": ["hex_x", "x450"]},
    )
    results = campaign.run(tmp_path / "out")
    assert results["loss.actuator"].tolist() == [1] * 6 + [2] * 6
    own = np.where(results["loss.actuator"] == 1, results["first"], results["second"])
    np.testing.assert_allclose(own, results["loss.effectiveness"], rtol=1e-12)
    np.testing.assert_allclose(results["onset"], results["loss.at"], rtol=1e-12)
    samples = results["loss.effectiveness"].reshape(4, 3)
    assert (samples == samples[0]).all()
    assert len(set(samples[0].tolist())) == 3
    assert not [name for name in results.columns if name.startswith("fault_")]
    again = campaign.replay(7)
    assert again.row["loss.effectiveness"] == results["loss.effectiveness"][7]
    begin = again.log.metadata["faults"][0]
    assert begin["time"] == pytest.approx(results["loss.at"][7])
    assert again.log["fault_kind"].max() == FaultKind.MOTOR


def test_kinds_are_swept(tmp_path: Path) -> None:
    campaign = Campaign(
        vehicle="hex_x", function=hold, faults=[FAULT], sweep={"loss.kind": ["motor", "propeller"]}
    )
    results = campaign.run(tmp_path / "out")
    assert results["first"].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"faults": [{**FAULT, "actuator": 9}]}, "faults: entry 1: actuator"),
        ({"faults": [FAULT], "sweep": {"loss.actuator": [1, 9]}}, "actuator: expected 1 to 6"),
        ({"faults": [FAULT], "sweep": {"los.actuator": [1, 2]}}, "sweep: "),
        ({"faults": [FAULT], "randomize": {"fault_start": ("uniform", 0, 1)}}, "fault_start"),
        ({"faults": {"kind": "motor"}}, "faults: expected a list"),
    ],
)
def test_nonsense_is_refused_before_a_flight(changes: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Campaign(vehicle="hex_x", function=hold, **changes)


def test_a_mission_may_be_a_test_case(tmp_path: Path) -> None:
    file = tmp_path / "loss.case"
    file.write_text("2,1;2,3,0,0,-4;1,1,4;2,6,123450,123450,123450,0.5,1,1,1,1,1;1,1,2")
    campaign = Campaign(vehicle="hex_x", mission=file, sweep={"mass": [1.5, 3.5]}, samples=2)
    results = campaign.run(tmp_path / "runs", progress=False)
    assert np.allclose(results["injected"], 4)
    assert results["success"].tolist()[:2] == [True, True]
    assert (results["height"] > 3).any()
    with pytest.raises(CampaignError, match="limits: expected measures, of time, injected, speed"):
        Campaign(vehicle="hex_x", mission=file, limits={"cross_track_max": 1})
