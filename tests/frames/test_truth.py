"""Local frames against geodesics."""

from __future__ import annotations

from ..comparison import Comparison, comparing
from .truth import TRUTHS


@comparing(*TRUTHS)
def test_short_local_steps_add_up_to_published_geodesics(comparison: Comparison) -> None:
    comparison.check()
