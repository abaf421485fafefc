"""Air and magnetic field against official tables."""

from __future__ import annotations

from ..comparison import Comparison, comparing
from .truth import TRUTHS


@comparing(*TRUTHS)
def test_the_environment_is_that_of_the_tables(comparison: Comparison) -> None:
    comparison.check()
