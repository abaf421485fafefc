"""Vehicles of blocks against Gazebo's plug-ins."""

from __future__ import annotations

from ...comparison import Comparison, comparing
from .truth import TRUTHS


@comparing(*TRUTHS)
def test_blocks_are_those_of_gazebo(comparison: Comparison) -> None:
    comparison.check()
