"""Motors of what drives, floats and dives: which of them have failed, and which have not."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import pyrfly
from pyrfly.sim import Group
from pyrfly.vehicles import FAMILIES, names

Make = Callable[..., Any]

FAILURE = "Motor failure detected"


@cache
def group_of(vehicle: str) -> Group:
    return pyrfly.Sim(vehicle).groups[0]


ON_SURFACE = [
    name for name in (names(f)[0] for f in FAMILIES) if group_of(name).abilities.kind.on_surface
]
"""One of each family."""


FAULTS: dict[str, dict[str, Any]] = {
    "motor": {"actuator": 1},
    "propeller": {"actuator": 1},
    "actuator_stuck": {"actuator": 1, "value": 0.0},
    "power_off": {},
}


def underway(make: Make, vehicle: str) -> Any:
    """Return an armed vehicle in Position, which its user drives forward."""
    s = make(vehicle)
    s.steer(0, 0, 500, 0)
    s.run(0.1)
    assert s.command(176, 1, 3) == 0
    assert s.command(400, 1) == 0
    s.steer(600, 0, 500, 0)
    s.run(4.0)
    return s


@pytest.mark.parametrize("vehicle", ON_SURFACE)
def test_brakes_and_reversals_are_no_failure(station: Make, vehicle: str) -> None:
    s = underway(station, vehicle)
    for stick in (-1000, 1000, 0, -300, 300):
        s.steer(stick, 0, 500, 0)
        s.run(2.0)
    assert FAILURE not in s.texts()


@pytest.mark.parametrize("vehicle", ON_SURFACE)
def test_what_a_wall_or_slope_holds_is_no_failure(station: Make, vehicle: str) -> None:
    s = underway(station, vehicle)

    def hold() -> None:
        s.sim.vel[:] = 0.0

    s.each_tick.append(hold)
    s.run(1.0)
    assert abs(s.sim.groups[0].actuator_commands([0])[0]).max() > 0.2
    assert FAILURE not in s.texts()


@pytest.mark.parametrize("fault", [*FAULTS, "strength"])
@pytest.mark.parametrize("vehicle", ON_SURFACE)
def test_a_motor_that_does_nothing_has_failed(station: Make, vehicle: str, fault: str) -> None:
    s = underway(station, vehicle)
    assert FAILURE not in s.texts()
    if fault == "strength":
        s.sim.set_strength([0.0] * s.sim.groups[0].parameters.actuator_count)
    else:
        s.sim.faults.add(fault, **FAULTS[fault])
    s.steer(1000, 0, 500, 0)
    s.until(lambda: FAILURE in s.texts(), 1.0)
