"""Batteries against measured ones."""

from __future__ import annotations

from ..comparison import Comparison, comparing
from .truth import TRUTHS


@comparing(*TRUTHS)
def test_batteries_discharge_as_measured(comparison: Comparison) -> None:
    comparison.check()
