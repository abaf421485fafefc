"""``pyrfly matlab``: where the functions for MATLAB are."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["run"]


def run(_: argparse.Namespace) -> int:
    """Print their folder."""
    print(Path(__file__).parents[1] / "matlab")
    return 0
