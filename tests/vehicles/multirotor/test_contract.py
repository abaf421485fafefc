"""Requirements on all multirotors, besides those on all vehicles."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly import vehicles
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.multirotor.hover import hover_throttle, steady_rotor_speed

from ..conftest import EFFECTS, anywhere, state_of

Array = NDArray[np.float64]

VEHICLES = [v for v in map(vehicles.load, vehicles.names()) if v.family == "multirotor"]

every_vehicle = pytest.mark.parametrize("vehicle", VEHICLES, ids=lambda v: v.name)
every_effect = pytest.mark.parametrize(
    ("vehicle", "effects"),
    [(v, effects) for v, effects in EFFECTS if v.family == "multirotor"],
    ids=lambda value: value if isinstance(value, str) else value.name,
)


@every_vehicle
def test_hover_throttle_holds_the_vehicle_where_it_is(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle)
    sim.controllers = False
    throttle = hover_throttle(vehicle)
    sim.pos[:] = [1, 2, -30]
    sim.throttle[:] = throttle
    sim.rotor_speed[:] = steady_rotor_speed(vehicle, throttle)
    sim.step(2000)
    np.testing.assert_allclose(sim.pos[0], [1, 2, -30], atol=1e-8)
    np.testing.assert_allclose(sim.rate[0, :2], 0, atol=1e-8)


def energy(sim: pyrfly.Sim) -> Array:
    """Return the mechanical energy of each vehicle, rotors at rest [J]."""
    xx, yy, zz, xy, xz, yz = (sim.inertia[:, i] for i in range(6))
    p, q, r = sim.rate.T
    turning = xx * p * p + yy * q * q + zz * r * r + 2 * (xy * p * q + xz * p * r + yz * q * r)
    moving = sim.mass * np.sum(sim.vel**2, axis=1)
    return 0.5 * (moving + turning) - sim.mass * sim.gravity * sim.pos[:, 2]


@every_effect
def test_energy_never_grows_without_thrust(vehicle: VehicleParameters, effects: str) -> None:
    sim = pyrfly.Sim(vehicle, 4, effects=effects)
    sim.controllers = False
    anywhere(sim, 2)
    sim.throttle[:] = sim.rotor_speed[:] = sim.wind[:] = 0
    start = last = energy(sim)
    for _ in range(50):
        sim.step(20)
        now = energy(sim)
        assert (now <= last + 1e-9 * np.abs(start)).all()
        last = now
    has_drag = sim.drag_quadratic.any() or (effects == "full" and sim.drag_linear.any())
    assert not has_drag or (last < start).all()


@every_vehicle
def test_plain_is_full_without_the_extra_coefficients(vehicle: VehicleParameters) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain, full = (pyrfly.Sim(simple(vehicle), 4, effects=e) for e in ("plain", "full"))
    for sim in (plain, full):
        sim.controllers = False
        anywhere(sim, 4)
        sim.step(300)
    np.testing.assert_allclose(state_of(full), state_of(plain), rtol=1e-9, atol=1e-9)


def simple(vehicle: VehicleParameters) -> VehicleParameters:
    """Return the set without the effects that 'plain' omits; the ground is far away."""
    columns: dict[str, Any] = {name: values.copy() for name, values in vehicle.columns.items()}
    columns["inertia"][3:] = 0
    columns["motor_curve"][2:] = 0
    columns["motor_tau"][1] = columns["motor_tau"][0]
    for name in ("drag_linear", "damping_linear", "drag_offset"):
        columns[name][:] = 0
    for name in ("thrust_coef", "torque_coef", "rotor_thrust_coef", "rotor_torque_coef"):
        if name in columns:
            linear, quadratic = columns[name].reshape(2, -1)  # views
            top = steady_rotor_speed(vehicle, 1.0)
            quadratic += linear / top
            linear[:] = 0
    return VehicleParameters(
        name=vehicle.name,
        title=vehicle.title,
        family="multirotor",
        uav_type=vehicle.uav_type,
        c_type=vehicle.c_type,
        actuator_count=vehicle.actuator_count,
        columns=columns,
        sources={},
    )


@pytest.mark.parametrize(
    ("name", "omitted"),
    [
        ("sdk", r"'sdk': drag_offset \(0\.12\)$"),
        ("x500", r"'x500': drag_linear \("),
        ("iris", r"'iris': drag_linear \(.*falling motor_tau \(0\.025\)$"),
    ],
)
def test_plain_warns_of_what_it_leaves_out(name: str, omitted: str) -> None:
    with pytest.warns(pyrfly.ParameterWarning, match=f"effects: 'plain' leaves out of {omitted}"):
        pyrfly.Sim(name, effects="plain")


@every_effect
def test_rotor_speeds_are_never_negative(vehicle: VehicleParameters, effects: str) -> None:
    sim = pyrfly.Sim(vehicle, 16, effects=effects)
    anywhere(sim, 8, violence=3.0)
    for _ in range(4):
        sim.step(50)
        assert (sim.rotor_speed >= 0).all()
        assert ((sim.throttle >= 0) & (sim.throttle <= 1)).all()


@every_effect
def test_wind_acts_on_it(vehicle: VehicleParameters, effects: str) -> None:
    """Level and without thrust, it is carried along by wind from any side, and from below."""
    sim = pyrfly.Sim(vehicle, 3, effects=effects)
    sim.controllers = False
    sim.gravity[:] = 0
    sim.pos[:] = [0, 0, -100]
    sim.wind[:] = 5 * np.eye(3)
    sim.step(500)
    assert (np.diag(sim.vel) > 0.01).all()
    assert (np.diag(sim.vel) < 5).all()


@every_vehicle
def test_it_tilts_against_wind_to_hold_its_place(vehicle: VehicleParameters) -> None:
    """By the angle at which the lift balances the drag; one that spins deviates by a fifth."""
    sim = pyrfly.Sim(vehicle, dt=0.002)
    sim.reset(pos=(0, 0, -10))
    sim.arm()
    sim.command_position([0, 0, -10], yaw=0)
    sim.sleep(5)
    sim.wind[:] = [3, 0, 0]
    sim.sleep(20)
    np.testing.assert_allclose(sim.pos[0], [0, 0, -10], atol=0.05)
    drag = 3 * sim.drag_linear[0, 0] + 9 * sim.drag_quadratic[0, 0]
    w, x, y, z = sim.att[0]
    down_axis_north = 2 * (x * z + w * y)
    tilt = np.arctan(drag / (sim.mass[0] * sim.gravity[0]))
    assert down_axis_north == pytest.approx(np.sin(tilt), rel=0.2)
