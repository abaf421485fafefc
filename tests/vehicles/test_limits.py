"""No value of a limit or of a command that is allowed lets a mission or a landing wait for ever.

Every value has a vehicle of its own in one simulation, the others as they are built.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

import pyrfly
from pyrfly.mission import FlightResult, Land, Loiter, Mission, TakeOff, Waypoint, fly_missions
from pyrfly.mission.items import RADII, SPEEDS
from pyrfly.vehicles import FAMILIES, VehicleParameters
from pyrfly.vehicles.px4 import Px4Parameter

from .conftest import SETS

DT = 0.004
SLOWEST_MISSION = 0.5
"""The lowest speed of missions that is flown [m/s]: slower ones last longer, and that is all."""


def one_of_each_kind() -> dict[str, VehicleParameters]:
    """Return a packaged set of every family and kind."""
    found: dict[str, VehicleParameters] = {}
    for vehicle in SETS.values():
        able = FAMILIES[vehicle.family].abilities_of(vehicle)
        if "command_position" in able.commands:
            found.setdefault(f"{vehicle.family}, {able.kind.name}", vehicle)
    return found


KINDS = one_of_each_kind()
every_kind = pytest.mark.parametrize("vehicle", KINDS.values(), ids=list(KINDS))


def extremes(vehicle: VehicleParameters) -> Iterator[tuple[str, Px4Parameter, float]]:
    """Yield the smallest and the largest value of every parameter, in PX4's unit."""
    for name, parameter in FAMILIES[vehicle.family].abilities_of(vehicle).px4.items():
        yield f"{name} {parameter.low:g}", parameter, parameter.low
        yield f"{name} {parameter.high:g}", parameter, parameter.high


def mission_of(
    vehicle: VehicleParameters,
    radius: float = 1.0,
    circle: float | None = None,
    speed: float | None = None,
) -> Mission:
    """Return a mission straight ahead with a loiter and a landing, at the size of the vehicle."""
    able = FAMILIES[vehicle.family].abilities_of(vehicle)
    size, height = (300.0, 40.0) if able.kind.circles else (2.0, 4.0)
    goal = (size, 0.0, -height)
    items = (
        TakeOff((0.0, 0.0, -height)),
        Waypoint(goal, radius=radius),
        Loiter((2.0 * size, 0.0, -height), 1.0, radius=circle),
        Land((size, 0.0, 0.0) if able.kind.circles else (2.0 * size, 0.0, 0.0)),
    )
    return Mission(items) if speed is None else Mission(items, cruise_speed=speed)


def waits(results: dict[int, FlightResult], names: list[str]) -> list[str]:
    """Return the flights that went on until they were given up without a reason."""
    ends = zip(names, results.values(), strict=True)
    return [f"{name}: {r.reason}" for name, r in ends if r.reason.startswith("not finished")]


@pytest.mark.slow
@every_kind
def test_missions_end_at_every_limit(vehicle: VehicleParameters) -> None:
    found = list(extremes(vehicle))
    sim = pyrfly.Sim(vehicle, len(found), dt=DT)
    sim.enable_synthesis()
    for row, (_, parameter, value) in enumerate(found):
        chosen = sim.select(row + 1)
        column = np.array(chosen.read(parameter.column))
        if parameter.component is None:
            column[...] = value * parameter.factor
        else:
            column[:, parameter.component] = value * parameter.factor
        chosen.write(parameter.column, column)
    mission = mission_of(vehicle)
    results = fly_missions(sim, dict.fromkeys(range(1, sim.n + 1), mission))
    assert not waits(results, [name for name, *_ in found])


@pytest.mark.slow
@every_kind
def test_missions_end_with_every_command(vehicle: VehicleParameters) -> None:
    circles = (RADII[0], 10.0, 20.0, 40.0, RADII[1], -RADII[0])
    missions = {
        **{f"radius {r:g}": mission_of(vehicle, radius=r) for r in RADII},
        **{f"circle {r:g}": mission_of(vehicle, circle=r) for r in circles},
        **{f"speed {v:g}": mission_of(vehicle, speed=v) for v in (SLOWEST_MISSION, SPEEDS[1])},
    }
    sim = pyrfly.Sim(vehicle, len(missions), dt=DT)
    results = fly_missions(sim, dict(enumerate(missions.values(), 1)))
    assert not waits(results, list(missions))
    assert all(math.isfinite(result.time) for result in results.values())
