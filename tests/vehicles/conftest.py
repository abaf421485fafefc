"""Vehicles of every type and family, in states of any kind."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import ParameterError, ParameterWarning, _core, vehicles
from pyrfly.columns import command_columns, fields_of_type
from pyrfly.server.ardupilot_vehicle import ArduPilotVehicle
from pyrfly.vehicles import FAMILIES, VehicleParameters
from pyrfly.vehicles.abilities import Abilities

from ..able import is_ponderous
from ..autopilot.conftest import Station

Array = NDArray[np.float64]

BODY = ("pos", "vel", "att", "rate")
SETS = {name: vehicles.load(name) for name in vehicles.names()}


@pytest.fixture
def station() -> Callable[..., Any]:
    """Return a function that makes vehicles with a station, see `Station`."""
    return Station


def room(name: str, widths: Mapping[str, int], wide: Mapping[str, int]) -> int:
    """Return how many parts a column has room for, of a type that has another room than a wider."""
    alike = (k for k in widths if widths[k] * wide[name] == wide[k] * widths[name])
    return min(widths[k] for k in alike)  # of a column with one number of each part


def widened(base: VehicleParameters, c_type: str) -> VehicleParameters:
    """Return a set for a wider type: rotors without coefficients, others that are not counted."""
    widths, wide = (
        {field.name: field.width for field in fields_of_type(name) if field.role == "param"}
        for name in (base.c_type, c_type)
    )
    columns = dict(base.columns)
    for name in [name for name in columns if widths[name] != wide[name]]:
        rows = columns[name].reshape(-1, room(name, widths, wide))
        more = (wide[name] - widths[name]) // len(rows)
        added = np.repeat(rows[:, -1:], more, axis=1)
        if name.startswith("rotor_") and name != "rotor_axis":
            added = np.zeros_like(added)
        columns[name] = np.hstack([rows, added]).ravel()
    return VehicleParameters(
        name=f"{base.name} as {c_type}",
        title=base.title,
        family=base.family,
        uav_type=base.uav_type,
        c_type=c_type,
        actuator_count=base.actuator_count,
        columns=columns,
        sources={},
    )


def narrower(c_type: str) -> list[VehicleParameters]:
    """Return the packaged sets whose types have less room in the same columns."""
    fields = fields_of_type(c_type)
    return [
        vehicle
        for vehicle in SETS.values()
        for own in (fields_of_type(vehicle.c_type),)
        if [field.name for field in own] == [field.name for field in fields]
        and sum(field.width for field in own) < sum(field.width for field in fields)
    ]


def one_of_each_type() -> dict[str, VehicleParameters]:
    """Return a set for every type, widened where no packaged set has the type."""
    packaged = {vehicle.c_type: vehicle for vehicle in reversed(SETS.values())}
    return {
        c_type: packaged.get(c_type) or widened(narrower(c_type)[0], c_type)
        for c_type in _core.vehicle_types()
    }


VEHICLES = {**SETS, **{s.name: s for s in one_of_each_type().values()}}


def effects_of(vehicle: VehicleParameters) -> Iterator[str]:
    """Yield the models that a vehicle can be stepped with."""
    yield "full"
    if _core.vehicle_types()[vehicle.c_type]["plain"]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ParameterWarning)
                FAMILIES[vehicle.family].require_plain(vehicle)
        except ParameterError:
            return
        yield "plain"


EFFECTS = [(v, effects) for v in VEHICLES.values() for effects in effects_of(v)]


def vehicles_with(command: str, hovers: bool = False, types: bool = False) -> pytest.MarkDecorator:
    """Return a parametrisation over the vehicles that execute a common command.

    With ``hovers`` only those that can stay at a position, but for ships that take hours to turn,
    which are tested with their family, and all slow but one of each type and kind; with ``types``
    one of each type.
    """
    found = [v for v in VEHICLES.values() if command in FAMILIES[v.family].abilities_of(v).commands]
    if hovers:
        found = [v for v in found if able(v).stays and not is_ponderous(v)]
    if hovers and not types:
        return one_of_each_type_soon(found)
    if types:
        found = list({vehicle.c_type: vehicle for vehicle in found}.values())
    return pytest.mark.parametrize("vehicle", found, ids=lambda vehicle: vehicle.name)


def commands_of_ardupilot(name: str, frame: str | None = None) -> Array:
    """Return the commands of a vehicle for outputs of 1000, 1100, ... 2500 us; 1500 us is rest."""
    sim = pyrfly.Sim(name)
    sim.enable_synthesis()
    pulses = np.array([1000 + 100 * k for k in range(16)], np.uint16)
    return ArduPilotVehicle(sim.groups[0], 0, frame).commands(pulses)


def able(vehicle: VehicleParameters) -> Abilities:
    """Return what a vehicle can do."""
    return FAMILIES[vehicle.family].abilities_of(vehicle)


def slow_but_one_of_each_type(
    wanted: Callable[[Abilities], bool], soon: Callable[[Abilities], bool] = lambda _: True
) -> pytest.MarkDecorator:
    """Return a parametrisation over vehicles that can do what is wanted.

    All are slow but one of each type and kind, of those that are through ``soon``.
    """
    return one_of_each_type_soon([v for v in VEHICLES.values() if wanted(able(v))], soon)


def one_of_each_type_soon(
    found: list[VehicleParameters], soon: Callable[[Abilities], bool] = lambda _: True
) -> pytest.MarkDecorator:
    """Return a parametrisation over vehicles, as `slow_but_one_of_each_type`."""
    quick = {(v.c_type, able(v).kind): v.name for v in reversed(found) if soon(able(v))}.values()
    cases = [
        pytest.param(v, id=v.name, marks=() if v.name in quick else pytest.mark.slow) for v in found
    ]
    return pytest.mark.parametrize("vehicle", cases)


def command_position(sim: pyrfly.Sim, pos: ArrayLike, yaw: ArrayLike) -> None:
    """Command positions and headings, where the family has them."""
    if "command_position" in sim.groups[0].abilities.commands:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pyrfly.CommandWarning)  # some are armed, some not
            sim.command_position(pos, yaw)


@cache
def own_state_ranges(name: str) -> dict[str, tuple[Array, Array]]:
    """Return minimum and maximum of the state beside the body, under extreme commands for 2 s."""
    sim = pyrfly.Sim(VEHICLES[name], 3)
    sim.controllers = False
    for column in command_columns(VEHICLES[name].c_type):
        sim.groups[0].view(column).T[...] = [-1, 0, 1]
    sim.sleep(2)
    own = {
        column: sim.groups[0].view(column) for column in state_names(VEHICLES[name])[len(BODY) :]
    }
    return {column: (view.min(axis=0), view.max(axis=0)) for column, view in own.items()}


def anywhere(sim: pyrfly.Sim, seed: int, violence: float = 1.0) -> None:
    """Set random states, actuators and set-points, well above the ground."""
    random = np.random.default_rng(seed)
    n, group = sim.n, sim.groups[0]
    sim.pos[:] = random.uniform(-100, 100, (n, 3)) * [1, 1, 0.5] - [0, 0, 200]
    sim.vel[:] = violence * random.uniform(-10, 10, (n, 3))
    turns = Rotation.random(n, random_state=int(seed) % 2**32)
    sim.att[:] = np.roll(turns.as_quat(), 1, axis=1)
    sim.rate[:] = violence * random.uniform(-4, 4, (n, 3))
    for name, (low, high) in own_state_ranges(group.name).items():
        view = group.view(name)
        view[:] = random.uniform(low, high, view.shape)
    for name in command_columns(group.parameters.c_type):
        view = group.view(name)
        view[:] = random.uniform(-1, 1, view.shape)
    sim.wind[:] = violence * random.uniform(-3, 3, (n, 3))
    offsets = violence * random.uniform(-10, 10, (n, 3))
    command_position(sim, sim.pos + offsets, random.uniform(-np.pi, np.pi, n))
    sim.arm()


def state_names(vehicle: VehicleParameters) -> list[str]:
    """Return the columns of a vehicle's state."""
    return [field.name for field in fields_of_type(vehicle.c_type) if field.role == "state"]


def state_of(sim: pyrfly.Sim) -> Array:
    """Return all states of a kind of vehicle, shape (n, columns)."""
    parts = [
        np.asarray(sim.groups[0].view(name), float).reshape(sim.n, -1)
        for name in state_names(sim.groups[0].parameters)
    ]
    return np.concatenate(parts, axis=1)
