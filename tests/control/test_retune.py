"""Controllers know what they were tuned for: writes to parameters change the vehicle alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.columns import fields_of_type
from pyrfly.vehicles import FAMILIES, VehicleParameters, load

from ..able import abilities

FIRST_SETS = [sorted(family.sets.glob("[!_]*.toml"))[0].stem for family in FAMILIES.values()]
ALL_SETS = [name for family in FAMILIES for name in pyrfly.names(family)]
HOME = np.array([0.0, 0.0, -20.0])


def gains(sim: pyrfly.Sim, row: int) -> dict[str, list[float]]:
    fields = fields_of_type(sim.groups[0].parameters.c_type)
    names = [field.name for field in fields if field.role == "gain"]
    return {name: np.atleast_1d(sim.groups[0].view(name)[row]).tolist() for name in names}


def heavier(name: str, factor: float) -> VehicleParameters:
    """Return a set of which only the mass differs."""
    known = load(name)
    mass = {"mass": factor * known.columns["mass"]}
    return replace(known, columns={**known.columns, **mass}, airframes=())


def moved(sim: pyrfly.Sim, seconds: float = 4.0) -> NDArray[np.float64]:
    """Return the farthest distance of vehicles from their place [m]."""
    farthest = np.zeros(sim.n)
    for _ in range(round(seconds / 0.02)):
        sim.step(20)
        farthest = np.maximum(farthest, np.linalg.norm(sim.pos - HOME, axis=1))
    return farthest


def test_a_rotor_that_loses_its_thrust_disturbs_by_what_controllers_do_not_know() -> None:
    sim = pyrfly.Sim("octo_x", 2)
    sim.reset(pos=HOME, hover=True)
    rotors = sim.throttle.shape[1]
    for column in ("rotor_thrust_coef", "rotor_torque_coef"):
        sim.groups[0].view(column)[:, [0, rotors]] *= 0.5
    sim.retune(ids=2)
    unknown, known = moved(sim)
    assert unknown == pytest.approx(0.084, rel=0.05)  # as with a loss that columns did not say
    assert known < 0.008


@pytest.mark.parametrize("name", ["x450", "octo_x"])
def test_a_drawn_mass_changes_the_height_until_vehicles_are_retuned(name: str) -> None:
    sim = pyrfly.Sim(name, 3)
    sim.reset(pos=HOME, hover=True)
    mass = float(sim.mass[0])
    sim.randomize("mass", 1.1 * mass, 1.2 * mass, ids=[2, 3])
    sim.retune(ids=3)
    stays, surprised, tuned = moved(sim)
    assert stays < 1e-6
    assert surprised > 0.02
    assert tuned < 0.1 * surprised


@pytest.mark.parametrize("name", FIRST_SETS)
def test_a_retuned_vehicle_has_the_gains_of_a_set_with_its_parameters(name: str) -> None:
    sim = pyrfly.Sim(name, 3)
    before = gains(sim, 0)
    sim.mass[1:] *= 1.1
    assert gains(sim, 1) == before
    sim.retune(ids=2)
    assert gains(sim, 1) == gains(pyrfly.Sim(heavier(name, 1.1)), 0)
    assert gains(sim, 0) == gains(sim, 2) == before
    sim.retune(mask=[False, False, True])
    assert gains(sim, 2) == gains(sim, 1)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("name", FIRST_SETS)
def test_a_vehicle_as_it_was_built_keeps_the_bits_of_its_gains(name: str, precision: str) -> None:
    sim = pyrfly.Sim(name, precision=precision)
    before = gains(sim, 0)
    sim.retune()
    assert gains(sim, 0) == before


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_mixed_vehicle_is_tuned_for_its_airframe(precision: str) -> None:
    sim = pyrfly.Sim("mixed", 2, precision=precision)
    sim.enable_synthesis()
    sim.command_sil([1, 0, 4, 0, 0, 0, 0, 0], ids=2)
    first, other = gains(sim, 0), gains(sim, 1)
    assert first != other
    sim.mass *= 1.2
    sim.retune()
    assert gains(sim, 0) != first
    sim.mass[:] = [load("mixed").airframes[k].columns["mass"][0] for k in (0, 2)]
    sim.retune()
    assert (gains(sim, 0), gains(sim, 1)) == (first, other)


def test_gains_that_were_written_are_replaced() -> None:
    sim = pyrfly.Sim("x450")
    before = gains(sim, 0)
    sim.speed_limit = 1.0
    sim.control_mass = 9.0
    sim.retune()
    assert gains(sim, 0) == before


def test_a_selection_of_several_families_is_retuned_alone() -> None:
    vehicles = {"x450": 2, "rover": 1, "aerosonde": 1}
    selected, by_ids = pyrfly.Sim(vehicles), pyrfly.Sim(vehicles)
    for sim in (selected, by_ids):
        sim.mass = 1.1 * sim.mass
    before = by_ids.snapshot()
    selected.select([3, 1]).retune()
    by_ids.retune(ids=[1, 3])
    assert selected.snapshot() == by_ids.snapshot() != before


def test_parameters_without_gains_change_nothing() -> None:
    sim = pyrfly.Sim({"x450": 2, "hex_x": 2})
    sim.groups[1].mass[:] *= 1.5
    sim.groups[0].thrust_coef[1] = 0.0
    before = sim.snapshot()
    with pytest.raises(pyrfly.ParameterError, match="CopterID 2: no gains follow"):
        sim.retune()
    assert sim.snapshot() == before
    sim.retune(ids=[4, 1])
    assert (sim.control_mass / sim.mass).round(6).tolist() == [1.0, 1.0, round(1 / 1.5, 6), 1.0]


def can_be_sent(name: str) -> bool:
    """Return whether a set goes to positions, and controls without parameters of its ground."""
    return load(name).family != "rover" and "command_position" in abilities(name).commands


@pytest.mark.parametrize("name", [name for name in ALL_SETS if can_be_sent(name)])
def test_controllers_read_no_parameter_of_a_vehicle(name: str) -> None:
    """The commands for a state are the same whatever the parameters are."""
    sim = pyrfly.Sim(name, 2)
    sim.reset(pos=HOME)
    group = sim.groups[0]
    rng = np.random.default_rng(1)
    print("seed 1")
    for field in fields_of_type(group.parameters.c_type):
        if field.role == "param" and not field.name.startswith(("ground", "contact")):
            group.view(field.name)[1] *= rng.uniform(0.7, 1.3)
    sim.arm()
    sim.command_position([3.0, 2.0, -24.0])
    sim.vel = [12.0 if group.abilities.kind.circles else 1.0, 0.3, -0.5]
    sim.rate = rng.uniform(-0.2, 0.2, 3)
    sim.step(1)
    commands = np.hstack([group.view(column).reshape(2, -1) for column in group.actuators])
    assert commands[0].tolist() == commands[1].tolist()
    assert commands.any()
