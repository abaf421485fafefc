"""Cars against what others have published of them."""

from __future__ import annotations

import pytest

from ...comparison import Comparison, comparing
from .tracks import TRUTH, command, in_state
from .truth import PUBLISHED_INPUTS, TRUTHS


@comparing(*TRUTHS)
def test_cars_drive_as_published(comparison: Comparison) -> None:
    pytest.importorskip("vehiclemodels")
    comparison.check()


def test_the_wheels_turn_at_their_limited_rate() -> None:
    x = TRUTH["derivatives"]["st"]["x"]
    sim = in_state("bmw_320i", x)
    command(sim, *PUBLISHED_INPUTS)
    sim.step(10)
    assert sim.steering[0] - x[2] == pytest.approx(0.15 * 10 * sim.dt, rel=1e-12)
