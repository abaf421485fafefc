"""A tractor with a trailer against what others have published."""

from __future__ import annotations

import pytest

from ...comparison import Comparison, comparing
from .truth import TRUTHS


@comparing(*TRUTHS)
def test_trailers_follow_as_published(comparison: Comparison) -> None:
    pytest.importorskip("vehiclemodels")
    comparison.check()
