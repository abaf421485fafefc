"""Planes against what others have published of them."""

from __future__ import annotations

from ...comparison import Comparison, comparing
from .truth import TRUTHS


@comparing(*TRUTHS)
def test_planes_fly_as_published(comparison: Comparison) -> None:
    comparison.check()
