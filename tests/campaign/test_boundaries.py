"""Campaigns with safety boundaries: each run ends by itself, with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from pyrfly import Sim
from pyrfly.campaign import Campaign

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


def test_nonsense_is_refused_before_a_flight() -> None:
    with pytest.raises(ValueError, match="boundaries: entry 1: maximum"):
        Campaign(vehicle="x450", function=hold, boundaries=[{**TILT, "maximum": 9}])
