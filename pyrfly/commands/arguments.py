"""Values of options of the command line."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

__all__ = ["number", "seed", "triple"]


def seed(text: str) -> int:
    """Return a seed of a simulation."""
    value = int(text)
    if not 0 <= value < 2**64:
        raise argparse.ArgumentTypeError(f"expected 0 to 2^64 - 1, got {text}")
    return value


def number(low: float, high: float, unit: str) -> Callable[[str], float]:
    """Return a function for numbers in ``low..high``."""

    def parse(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"expected {low:g} to {high:g} {unit}, got {text}")
        return value

    parse.__name__ = "number"  # in the message of argparse for what is no number
    return parse


def triple(text: str) -> tuple[float, float, float]:
    """Return three finite numbers, separated by commas."""
    try:
        a, b, c = (float(part) for part in text.split(","))
    except ValueError:
        a = b = c = math.nan
    if not all(map(math.isfinite, (a, b, c))):
        raise argparse.ArgumentTypeError(f"expected three numbers a,b,c, got {text!r:.60}")
    return a, b, c
