"""Waiting for what another thread or process brings about."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST = 30.0  # s


def until(reached: Callable[[], object], seconds: float = LONGEST) -> None:
    """Wait until a condition holds; fail after a time [s]."""
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.002)
