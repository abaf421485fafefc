"""Fault flags: an invalid vehicle keeps its last valid state; the others continue."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import FAMILIES, names

Flying = Callable[..., pyrfly.Sim]

NOT_FINITE, FAR, FAST, SPINNING, OVERSPEED, BAD_ATTITUDE = (1 << i for i in range(6))

PRECISIONS = pytest.mark.parametrize("precision", ["float64", "float32"])
STATE = ("pos", "vel", "att", "rate", "rotor_speed")
INPUT = ("throttle", "wind", "terrain")
PARAM = ("mass", "inertia", "thrust_coef", "motor_curve", "drag_quadratic", "published_laws")
ON_GROUND = ("ground_damping", "ground_preload", "ground_friction", "ground_grip")


def others_fly_as_in(sim: pyrfly.Sim, healthy: pyrfly.Sim, ill: int) -> None:
    well = np.arange(sim.n) != ill
    for field in sim.fields():
        if field.role in ("state", "controller", "flag"):
            ours, theirs = (getattr(s.groups[0], field.name) for s in (sim, healthy))
            np.testing.assert_array_equal(ours[well], theirs[well], err_msg=field.name)


@PRECISIONS
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", STATE)
def test_a_non_finite_state_flags_its_vehicle_alone(
    flying: Flying, name: str, value: float, precision: str
) -> None:
    sim, healthy = (flying("sdk", 37, precision=precision) for _ in range(2))
    ill = 13
    getattr(sim, name)[ill, -1] = value
    before = {field: getattr(sim, field)[ill].copy() for field in STATE}
    for _ in range(3):
        sim.step(20)
        healthy.step(20)
    assert sim.status[ill] & NOT_FINITE
    assert np.flatnonzero(sim.status).tolist() == [ill]
    for field in STATE:
        np.testing.assert_array_equal(getattr(sim, field)[ill], before[field])
    others_fly_as_in(sim, healthy, ill)


@PRECISIONS
@pytest.mark.parametrize("name", [*INPUT, *PARAM, *ON_GROUND])
def test_a_nan_in_an_input_or_parameter_flags_its_vehicle_alone(
    flying: Flying, name: str, precision: str
) -> None:
    sim, healthy = (flying("sdk", 21, precision=precision) for _ in range(2))
    sim.controllers = healthy.controllers = False
    sim.throttle[:] = healthy.throttle[:] = 0.5
    ill = 8
    if name in ON_GROUND:
        sim.pos[ill - 1 : ill + 2, 2] = healthy.pos[ill - 1 : ill + 2, 2] = 0
    getattr(sim, name)[ill] = np.nan
    sim.step(50)
    healthy.step(50)
    assert np.flatnonzero(sim.status).tolist() == [ill]
    for field in STATE:
        assert np.isfinite(getattr(sim, field)).all()
    others_fly_as_in(sim, healthy, ill)


@pytest.mark.parametrize("effects", ["full", "plain"])
def test_a_vehicle_without_mass_is_flagged(flying: Flying, effects: str) -> None:
    sim = flying("sdk", 3, effects=effects)
    sim.mass[1] = 0
    sim.step(10)
    assert np.flatnonzero(sim.status).tolist() == [1]


@PRECISIONS
@pytest.mark.parametrize(
    ("name", "inside", "outside", "bit"),
    [
        ("pos", [9.9e5, 0, 0], [0, 1.1e6, 0], FAR),
        ("vel", [0, 9e2, 0], [0, 0, 1.1e3], FAST),
        ("rate", [0, 0, 900], [0, 0, -1100], SPINNING),
        ("rotor_speed", [9.9e4, 0, 0, 0], [0, 0, 0, 1.2e5], OVERSPEED),
        ("att", [0.9, 0, 0, 0], [0, 0, 0, 0], BAD_ATTITUDE),
        ("att", [0, 0.9, 0, 0], [3, 0, 0, 0], BAD_ATTITUDE),
    ],
)
def test_leaving_the_envelope_sets_the_bit_of_its_kind(
    name: str, inside: list[float], outside: list[float], bit: int, precision: str
) -> None:
    sim = pyrfly.Sim("sdk", 3, precision=precision, dt=1e-5)
    sim.controllers = False
    sim.gravity[:] = sim.thrust_coef[:] = sim.rotor_inertia[:] = sim.torque_coef[:] = 0
    sim.drag_quadratic[:] = sim.damping_quadratic[:] = 0
    sim.pos[:, 2] = -100
    getattr(sim, name)[0] = inside
    getattr(sim, name)[2] = outside
    sim.step(1)
    assert sim.status.tolist() == [0, 0, bit]


def test_an_invalid_vehicle_keeps_its_last_valid_state(flying: Flying) -> None:
    """It is the state at the end of the last call without a fault."""
    sim = flying("sdk", 5)
    sim.step(100)
    good = sim.pos[2].copy(), sim.vel[2].copy()
    sim.wind[2] = np.nan
    sim.step(7)
    np.testing.assert_array_equal(sim.pos[2], good[0])
    np.testing.assert_array_equal(sim.vel[2], good[1])


def test_a_flagged_vehicle_is_not_moved_by_later_steps(flying: Flying) -> None:
    sim = flying("sdk", 5)
    sim.status[3] = FAR
    before = sim.pos[3].copy()
    sim.step(100)
    np.testing.assert_array_equal(sim.pos[3], before)
    assert sim.status.tolist() == [0, 0, 0, FAR, 0]


def test_check_names_invalid_vehicles_and_their_faults(flying: Flying) -> None:
    sim = flying("sdk", 40)
    assert sim.check() == pyrfly.Health(True, (), "")
    sim.pos[[6, 30]] = [0, 0, -2e6]
    sim.rate[30] = np.nan
    sim.step()
    health = sim.check()
    assert not health.ok
    assert health.invalid == (7, 31)
    assert "1 of 40 vehicles: non-finite state; first CopterID 31" in health.text
    assert "position or ground too far away" in health.text


def test_reset_clears_the_faults_of_a_vehicle(flying: Flying) -> None:
    sim = flying("sdk", 9)
    for name in STATE:
        getattr(sim, name)[4] = np.nan
    sim.step(50)
    assert sim.check().invalid == (5,)
    sim.reset(pos=[1, 2, -10], ids=5)
    sim.arm(ids=5)
    sim.command_position([1, 2, -12], ids=5)
    sim.step(5000)
    assert sim.check().ok
    np.testing.assert_allclose(sim.pos[4], [1, 2, -12], atol=0.5)


def test_a_corrected_vehicle_continues_after_its_flags_are_cleared(flying: Flying) -> None:
    """The fault leaves nothing in the controller state."""
    sim = flying("sdk", 3)
    sim.step(100)
    mended = {name: getattr(sim, name)[1].copy() for name in STATE}
    for name in STATE:
        getattr(sim, name)[1] = np.nan
    sim.step(100)
    assert sim.check().invalid == (2,)
    for name, value in mended.items():
        getattr(sim, name)[1] = value
    sim.status[1] = 0
    sim.step(500)
    assert sim.check().ok, sim.check().text
    assert np.isfinite(sim.pos).all()


def test_an_invalid_vehicle_does_not_slow_down_the_step(flying: Flying) -> None:
    sim = flying("sdk", 2)
    sim.pos[:] = np.nan
    sim.step(10)
    sim.step(10)
    assert sim.time == pytest.approx(0.02)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 15, 16, 17])
@PRECISIONS
def test_padding_vehicles_never_show(n: int, precision: str) -> None:
    """A batch that ends inside a lane: the padding has no effect on outputs."""
    sim = pyrfly.Sim("sdk", n, precision=precision, effects="plain")
    sim.controllers = False
    sim.gravity[:] = 0
    sim.step(200_000 // 16)
    assert sim.check().ok
    assert (sim.pos == 0).all()


FLYING = [names(name)[0] for name, f in FAMILIES.items() if not f.abilities.kind.on_surface]


@pytest.mark.parametrize("vehicle", FLYING)
def test_a_vehicle_with_a_fault_flag_stands_still(vehicle: str) -> None:
    """It has no acceleration, and feels its weight as at rest."""
    sim = pyrfly.Sim(vehicle, 2)
    sim.reset(pos=[0, 0, -50])
    sim.vel[0] = [2e3, 0, 0]
    sim.step(20)
    assert sim.status[0]
    assert not sim.status[1]
    assert not sim.accel[0].any()
    assert not sim.angular_accel[0].any()
    assert sim.specific_force[0] == pytest.approx([0, 0, -sim.gravity[0]])
    assert sim.accel[1].any()
