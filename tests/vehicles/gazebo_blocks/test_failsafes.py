"""Failsafes of vehicles of blocks that answer as PX4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]


@pytest.mark.slow
@pytest.mark.parametrize("vehicle", ["gz_standard_vtol", "gz_tailsitter"])
def test_transitions_are_no_failure(station: Make, vehicle: str) -> None:
    s = station(vehicle)
    s.set("CBRK_FLIGHTTERM", 0)
    s.in_air(50.0)
    for state in (4, 3):  # wings, hover
        assert s.command(3000, state) == 0
        s.run(24)
    assert (s.mode(), s.sim.armed[0]) == ("HOLD", 1)
