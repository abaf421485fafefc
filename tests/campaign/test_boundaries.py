"""Campaigns with safety boundaries: each run ends by itself, with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from pyrfly import Sim
from pyrfly.campaign import Campaign, summary
from pyrfly.campaign.losses import losses

TILT = {"boundary": "tilt", "maximum": 1.0, "action": "terminate"}


def hold(sim: Sim) -> dict[str, Any]:
    """Fly in hover for 1 s and return the heights."""
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.step(1000)
    return {"height": -sim.pos[:, 2].astype(float)}


def test_results_have_the_first_crossing_of_each_run(tmp_path: Path) -> None:
    campaign = Campaign(
        vehicle="x450",
        function=hold,
        boundaries=[TILT],
        faults=[{"kind": "motor", "actuator": 1}],
        sweep={"motor.effectiveness": [0.0, 1.0]},
    )
    results = campaign.run(tmp_path / "out")
    assert results["boundary"].tolist() == ["tilt", ""]
    assert 0 < results["crossed_at"][0] < 1
    assert np.isnan(results["crossed_at"][1])
    assert results["success"].tolist() == [False, True]


def test_limits_are_swept_and_drawn_and_the_report_tells_losses_over_them(tmp_path: Path) -> None:
    campaign = Campaign(
        vehicle="x450",
        function=hold,
        samples=4,
        boundaries=[
            {**TILT, "maximum": ("uniform", 0.5, 1.5)},
            {"boundary": "area", "centre": [0, 0], "radius": 1},
        ],
        faults=[{"kind": "motor", "actuator": 1}],
        sweep={"tilt.action": ["report", "terminate"], "area.radius": [1e-3, 500]},
    )
    results = campaign.run(tmp_path / "out", progress=False)
    limits = results["tilt.maximum"].reshape(4, 4)
    assert (limits == limits[0]).all()
    assert 0.5 <= limits.min() < limits.max() <= 1.5
    wide = results["area.radius"] > 1
    assert results["boundary"].tolist() == ["area"] * 4 + ["tilt"] * 4 + ["area"] * 4 + ["tilt"] * 4
    order = np.argsort(limits[0])
    assert (np.diff(results["crossed_at"][wide].reshape(2, 4)[:, order]) >= 0).all()
    ended = results["tilt.action"] == "terminate"
    assert (results["success"] == ~ended).all()
    assert results["tilt.maximum"][5] == campaign.replay(5).sim.boundary_maximum[0, 2]
    found = losses(results)
    assert found["tilt.action"]["terminate"][:2] == (8, 8)
    assert found["tilt.action"]["report"][:2] == (0, 8)
    assert len(found["tilt.maximum"]) == 4
    assert "tilt.action" in summary(results)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sweep": {"tilt.action": ["report", "stop"]}}, "boundaries: entry 1: action"),
        ({"sweep": {"tlt.maximum": [1, 2]}}, "sweep: "),
        ({"randomize": {"boundary_maximum": ("uniform", 0, 1)}}, "of which no fault or boundary"),
        (
            {"faults": [{"kind": "motor", "actuator": 1, "name": "tilt"}]},
            "boundaries: name: expected one that no fault has",
        ),
    ],
)
def test_nonsense_of_limits_is_refused(changes: dict[str, Any], message: str) -> None:
    drawn = {**TILT, "maximum": ("uniform", 0.5, 1)}
    with pytest.raises((TypeError, ValueError), match=message):
        Campaign(**{"vehicle": "x450", "function": hold, "boundaries": [drawn], **changes})


def test_nonsense_is_refused_before_a_flight() -> None:
    with pytest.raises(ValueError, match="boundaries: entry 1: maximum"):
        Campaign(vehicle="x450", function=hold, boundaries=[{**TILT, "maximum": 9}])
