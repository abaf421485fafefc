"""Payloads that are fixed to vehicles: mass, place and inertia against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import ParameterError, ShapeError, Sim

from ..extended import EXTENDED

G = 9.8

Array = NDArray[np.float64]


def hovering(vehicle: str = "x450", **payload: Any) -> Sim:
    """Return a vehicle with constant commands of its hover, then with a payload."""
    sim = Sim(vehicle)
    sim.controllers = False
    sim.reset(pos=[0, 0, -500], hover=True)
    sim.payload.attach(**payload)
    return sim


def tumbling(rate: Array, **payload: Any) -> Sim:
    """Return a vehicle that falls without motors and air, and turns."""
    sim = hovering(**payload)
    for name in ("drag_linear", "drag_quadratic", "damping_linear", "damping_quadratic"):
        sim.select().write(name, 0)
    for name in ("throttle", "rotor_speed"):
        sim.select().write(name, 0)
    sim.rate = rate
    return sim


def moments(r: Array) -> Array:
    """Return the inertia of a point of 1 kg."""
    return np.asarray(r @ r * np.eye(3) - np.outer(r, r))


def matrix(six: Array) -> Array:
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.mark.parametrize("vehicle", ["x450", "hex_x"])
@pytest.mark.parametrize("mass", [0.1, 3.0])
def test_the_weight_of_a_payload_lets_a_hover_sink(vehicle: str, mass: float) -> None:
    sim = hovering(vehicle, mass=mass)
    sim.step()
    own = float(sim.mass[0])
    assert sim.accel[0, 2] == pytest.approx(G * mass / (own + mass), rel=1e-3)


def test_the_moment_of_a_payload_is_that_of_its_weight() -> None:
    mass, arm, own_inertia = 0.3, 0.12, 2e-3
    sim = hovering(mass=mass, place=[arm, 0, 0], inertia=[0, own_inertia, own_inertia])
    m = float(sim.mass[0])
    about = sim.inertia[0, 1] + own_inertia + m * mass / (m + mass) * arm**2
    # about the centre of mass, at c, the thrust m g at the origin has the moment - m g c
    turning = -m * G * (mass / (m + mass) * arm) / about
    sim.step(1)
    assert sim.rate[0] / 1e-3 == pytest.approx([0, turning, 0], rel=1e-3, abs=1e-9)


def test_the_opposite_torque_holds_a_payload_at_an_arm() -> None:
    mass, place = 0.3, np.array([0.1, -0.05, 0.2])
    sim = hovering(mass=mass, place=place)
    sim.set_load([0, 0, -mass * G], torque=-np.cross(place, [0, 0, mass * G]))
    sim.sleep(1)
    assert sim.rate == pytest.approx(np.zeros((1, 3)), abs=1e-9)
    assert sim.vel == pytest.approx(np.zeros((1, 3)), abs=1e-9)


def test_inertias_add_by_the_theorem_of_parallel_axes() -> None:
    """The angular momentum about the common centre of mass is kept in free fall."""
    mass, place = 0.8, np.array([0.1, -0.05, 0.2])
    inertia = np.array([3e-3, 4e-3, 5e-3, 2e-4, -3e-4, 1e-4])
    rate = np.array([3.0, -2.0, 4.0])
    sim = tumbling(rate, mass=mass, place=place, inertia=inertia)
    m = float(sim.mass[0])
    centre = mass / (m + mass) * place
    own = matrix(sim.inertia[0]) + m * moments(centre)
    about = own + matrix(inertia) + mass * moments(place - centre)
    expected = -np.linalg.solve(about, np.cross(rate, about @ rate))
    assert sim.angular_accel[0] == pytest.approx(expected, rel=1e-9)
    acceleration = -np.cross(expected, centre) - np.cross(rate, np.cross(rate, centre))
    assert sim.specific_force[0] == pytest.approx(acceleration, rel=1e-9)


def test_a_payload_and_faults_of_the_mass_add_up() -> None:
    """A share of 0.3 of the vehicle's mass that moves to a place is as a payload of that mass."""
    place, share = np.array([0.05, 0.1, 0.15]), 0.3
    found = []
    for fault in (True, False):
        sim = tumbling(np.array([1.0, 2.0, 3.0]), mass=0.2, place=[0, 0, 0.1])
        own = float(sim.mass[0])
        if fault:
            sim.faults.add("load_shift", share=share, offset=place)
        else:
            both = 0.2 + share * own
            at = (0.2 * np.array([0, 0, 0.1]) + share * own * place) / both
            spread = 0.2 * moments(np.array([0, 0, 0.1]) - at) + share * own * moments(place - at)
            six = spread[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            sim.payload.attach(both, place=at, inertia=six)
            sim.faults.add("load_fall", share=share)
        sim.step(300)
        found.append(np.concatenate([sim.rate[0], sim.vel[0], sim.att[0]]))
    assert found[0] == pytest.approx(found[1], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("vehicle", EXTENDED)
def test_vehicles_of_all_families_carry_and_drop(vehicle: str) -> None:
    sim = Sim(vehicle, 2)
    sim.reset(pos=[[0, 0, -100], [0, 9, -100]])
    sim.payload.attach(0.2, place=[0, 0, 0.1], ids=2)
    sim.payload.drop(2)
    sim.sleep(0.5)
    assert np.isfinite(sim.vel).all()
    assert sim.payload_pos[1, 1] == pytest.approx(9, abs=0.01)
    assert not sim.payload_pos[0].any()


def test_hover_begins_with_the_thrust_for_a_payload() -> None:
    sim = Sim("x450")
    sim.payload.attach(0.4, place=[0.03, 0.0, 0.05])
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.sleep(2)
    assert sim.pos == pytest.approx(np.array([[0, 0, -20]]), abs=1e-6)
    sim.payload.drop()
    sim.sleep(0.1)
    assert sim.vel[0, 2] < -0.05


def test_drag_of_a_payload_is_that_of_its_area() -> None:
    sim = tumbling(np.zeros(3), mass=0.5, place=[0, 0, 0.2], drag_area=0.02)
    sim.wind = [6, 0, 0]
    sim.step(4)
    expected = 0.5 * 1.225 * 0.02 * 36
    assert sim.payload_force[0] == pytest.approx([expected, 0, 0], rel=1e-3)
    assert sim.payload_torque[0] == pytest.approx([0, 0.2 * expected, 0], rel=1e-3)


def test_payloads_are_of_the_vehicles_that_have_them() -> None:
    sim = Sim("x450", 3)
    sim.payload.attach([0.1, 0.2], ids=[1, 3], cable=[0, 1])
    assert sim.payload.carried().tolist() == [True, False, True]
    assert repr(sim.payload) == "<Payload of 3 vehicles: fixed (1 of 3), on cables (1 of 3)>"
    assert sim.payload.drop(3).tolist() == [True]
    assert repr(sim.payload) == "<Payload of 3 vehicles: fixed (1 of 3), dropped (1 of 3)>"
    sim.payload.take(3)
    assert sim.payload.carried([1, 3]).all()
    sim.payload.attach(0, ids=3)
    with pytest.raises(ParameterError, match="ids: expected vehicles with one, got 3"):
        sim.payload.drop(3)


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"mass": -1}, ValueError, "mass: expected at least 0"),
        ({"mass": np.nan}, ValueError, "mass: "),
        ({"mass": 1, "place": [0, 0, 1000]}, ValueError, "place: .*100"),
        ({"mass": 1, "place": [0, 0]}, ShapeError, "place: "),
        ({"mass": 1, "cable": -2}, ValueError, "cable: expected at least 0"),
        ({"mass": 1, "inertia": [1, 1, 3]}, ValueError, "inertia: .*sum of the others"),
        ({"mass": 1, "inertia": [-1, 1, 1]}, ValueError, "inertia: .*sum of the others"),
        ({"mass": 1, "inertia": [1, 1]}, ShapeError, "inertia: "),
        ({"mass": 1, "inertia": [1, 1, 1], "cable": 1}, ValueError, "inertia: .*a point"),
        ({"mass": 1, "drag_area": "big"}, TypeError, "drag_area: "),
        ({"mass": 1, "friction": -1}, ValueError, "friction: "),
        ({"mass": 1, "ids": [1, 1]}, ValueError, "ids: "),
    ],
)
def test_bad_payloads_are_refused_whole(
    arguments: dict[str, Any], error: type[Exception], match: str
) -> None:
    sim = Sim("x450", 2)
    with pytest.raises(error, match=match):
        sim.payload.attach(**arguments)
    assert not sim.payload.enabled


def test_plain_effects_have_no_payload() -> None:
    with pytest.raises(ParameterError, match=r"payload: none acts.*sdk"):
        Sim("sdk", effects="plain").payload.attach(1)
    with pytest.raises(AttributeError, match=r"payload\.attach"):
        _ = Sim("x450").payload_mass
