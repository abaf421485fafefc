"""``pyrfly matlab``: where the functions for MATLAB are."""

from __future__ import annotations

import argparse
from pathlib import Path

import pyrfly

__all__ = ["run"]


def run(_: argparse.Namespace) -> int:
    """Print their folder."""
    print(Path(pyrfly.__file__).parent / "matlab")
    return 0
