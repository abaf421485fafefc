"""PX4's filter on our sensors, recorded, and ours on the same samples."""

from __future__ import annotations

from ..comparison import Comparison, comparing
from .truth import TRUTHS


@comparing(*TRUTHS)
def test_filters_know_the_flight_by_our_sensors(comparison: Comparison) -> None:
    comparison.check()
