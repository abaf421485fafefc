"""What every vehicle type of the core and every packaged parameter set must do.

A new type or set is tested by being there; what is special to it has tests of its own.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import _core, vehicles
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.multirotor.hover import hover_throttle, steady_rotor_speed

Array = NDArray[np.float64]

STATE = ("pos", "vel", "att", "rate", "rotor_speed")
SETS = {name: vehicles.load(name) for name in vehicles.names()}


def widened(base: VehicleParameters, c_type: str, capacity: int) -> VehicleParameters:
    """Return a set as a wider type stores it, its further rotors without coefficients."""
    columns = dict(base.columns)
    for name in [name for name in columns if name.startswith("rotor_")]:
        rows = columns[name].reshape(-1, base.actuator_count)
        more = np.zeros((len(rows), capacity - base.actuator_count))
        if name == "rotor_axis":
            more[2] = -1
        columns[name] = np.hstack([rows, more]).ravel()
    return VehicleParameters(
        name=f"{base.name} as {c_type}",
        title=base.title,
        family="multirotor",
        uav_type=base.uav_type,
        c_type=c_type,
        actuator_count=base.actuator_count,
        columns=columns,
        sources={},
    )


def one_of_each_type() -> dict[str, VehicleParameters]:
    """Return a set for every type of the core, widened where no packaged set has the type."""
    found = {}
    for c_type, row in _core.vehicle_types().items():
        rotors = row["actuators"]
        packaged = [s for s in SETS.values() if s.c_type == c_type]
        narrower = [s for s in SETS.values() if s.c_type != "quad_x" and s.actuator_count < rotors]
        found[c_type] = packaged[0] if packaged else widened(narrower[0], c_type, rotors)
    return found


VEHICLES = {**SETS, **{s.name: s for s in one_of_each_type().values()}}

every_vehicle = pytest.mark.parametrize("vehicle", VEHICLES.values(), ids=list(VEHICLES))
PRECISIONS = pytest.mark.parametrize("precision", ["float64", "float32"])


def is_plain(vehicle: VehicleParameters) -> bool:
    coefficients = vehicle.columns.get("thrust_coef", vehicle.columns.get("rotor_thrust_coef"))
    assert coefficients is not None
    return not coefficients[: coefficients.size // 2].any() and not (
        vehicle.columns["motor_curve"][2:].any()
    )


every_effect = pytest.mark.parametrize(
    ("vehicle", "effects"),
    [
        (v, effects)
        for v in VEHICLES.values()
        for effects in ("full", "plain")
        if effects == "full" or is_plain(v)
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)


def anywhere(sim: pyrfly.Sim, seed: int, violence: float = 1.0) -> None:
    """Put vehicles into random states, motors and set-points included, well above the ground."""
    random = np.random.default_rng(seed)
    n = sim.n
    sim.pos[:] = random.uniform(-100, 100, (n, 3)) * [1, 1, 0.5] - [0, 0, 200]
    sim.vel[:] = violence * random.uniform(-10, 10, (n, 3))
    turns = Rotation.random(n, random_state=int(seed) % 2**32)
    sim.att[:] = np.roll(turns.as_quat(), 1, axis=1)
    sim.rate[:] = violence * random.uniform(-4, 4, (n, 3))
    top = steady_rotor_speed(sim.groups[0].parameters, 1.0)
    sim.rotor_speed[:] = random.uniform(0, top, sim.rotor_speed.shape)
    sim.throttle[:] = random.uniform(0, 1, sim.throttle.shape)
    sim.wind[:] = violence * random.uniform(-3, 3, (n, 3))
    sim.pos_sp[:] = sim.pos + violence * random.uniform(-10, 10, (n, 3))
    sim.yaw_sp[:] = random.uniform(-np.pi, np.pi, n)
    sim.setpoint_mask[:] = pyrfly.Setpoint.POSITION | pyrfly.Setpoint.YAW
    sim.arm()


def state_of(sim: pyrfly.Sim) -> Array:
    return np.concatenate([np.asarray(getattr(sim, name), float) for name in STATE], axis=1)


def test_there_is_a_vehicle_of_every_type() -> None:
    assert {v.c_type for v in VEHICLES.values()} == set(_core.vehicle_types())


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


@every_effect
@PRECISIONS
def test_quaternion_stays_unit(vehicle: VehicleParameters, effects: str, precision: str) -> None:
    """To rounding; at hundreds of rad/s to what RK4 and one Newton step leave, x = rate dt / 2.

    RK4 shortens a quaternion by e = x^6 / 144 in a step, which the Newton step makes 1.5 e^2.
    """
    sim = pyrfly.Sim(vehicle, 16, effects=effects, precision=precision)
    sim.controllers = False
    anywhere(sim, 1)
    for _ in range(20):
        sim.step(100)
        error = np.abs(np.linalg.norm(sim.att.astype(float), axis=1) - 1)
        x = np.linalg.norm(sim.rate.astype(float), axis=1) * sim.dt / 2
        assert (error < 8 * np.finfo(precision).eps + 1e-4 * x**12).all()
    assert sim.check().ok


def energy(sim: pyrfly.Sim) -> Array:
    """Return the mechanical energy of each vehicle, rotors at rest [J]."""
    xx, yy, zz, xy, xz, yz = (sim.inertia[:, i] for i in range(6))
    p, q, r = sim.rate.T
    turning = xx * p * p + yy * q * q + zz * r * r + 2 * (xy * p * q + xz * p * r + yz * q * r)
    moving = sim.mass * np.sum(sim.vel**2, axis=1)
    return 0.5 * (moving + turning) - sim.mass * sim.gravity * sim.pos[:, 2]


@every_effect
def test_energy_never_grows_without_thrust(vehicle: VehicleParameters, effects: str) -> None:
    sim = pyrfly.Sim(vehicle, 16, effects=effects)
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


@every_effect
@PRECISIONS
@pytest.mark.parametrize("controllers", [True, False])
def test_no_random_state_ends_in_numbers_that_are_not_finite(
    vehicle: VehicleParameters, effects: str, precision: str, controllers: bool
) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")  # pytest shows it when the test fails
    sim = pyrfly.Sim(vehicle, 128, effects=effects, precision=precision)
    sim.controllers = controllers
    anywhere(sim, seed, violence=3.0)
    sim.pos[::2, 2] = np.linspace(-1, 0.3, 64)  # on, near and in the ground
    for _ in range(4):
        sim.step(50)
        assert sim.check().ok, sim.check().text
        for field in sim.fields():
            if field.role in ("state", "controller", "output") or field.name == "throttle":
                view = getattr(sim.groups[0], field.name)
                assert np.isfinite(view).all(), field.name
    assert (sim.rotor_speed >= 0).all()
    assert not controllers or ((sim.throttle >= 0) & (sim.throttle <= 1)).all()


@every_vehicle
@PRECISIONS
def test_a_batch_is_that_many_batches_of_one(vehicle: VehicleParameters, precision: str) -> None:
    sim = pyrfly.Sim(vehicle, 7, precision=precision)
    anywhere(sim, 3)
    alone = [pyrfly.Sim(vehicle, precision=precision) for _ in range(sim.n)]
    for i, other in enumerate(alone):
        for field in other.fields():
            if field.role != "output":
                view = getattr(sim.groups[0], field.name)
                getattr(other.groups[0], field.name)[0] = view[i]
    for each in (sim, *alone):
        each.step(150)
    for name in STATE:
        together = np.concatenate([getattr(other, name) for other in alone])
        np.testing.assert_array_equal(getattr(sim, name), together)


@every_vehicle
def test_two_flights_after_a_reset_are_the_same(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 3)
    hashes = []
    for _ in range(2):
        sim.reset(pos=[[0, 0, -5], [1, 2, -3], [4, 4, 0]], yaw=0.3, seed=7)
        sim.randomize("mass", 0.9 * sim.groups[0].parameters.columns["mass"], 1.0)
        sim.arm()
        sim.command_position([1, 0, -6], yaw=1.0)
        sim.step(300)
        hashes.append(sim.hash())
    assert hashes[0] == hashes[1]
    assert sim.time == pytest.approx(0.3)


@every_vehicle
def test_plain_is_full_without_the_extra_coefficients(vehicle: VehicleParameters) -> None:
    plain, full = (pyrfly.Sim(simple(vehicle), 8, effects=e) for e in ("plain", "full"))
    for sim in (plain, full):
        sim.controllers = False
        anywhere(sim, 4)
        sim.step(500)
    np.testing.assert_allclose(state_of(full), state_of(plain), rtol=1e-9, atol=1e-9)


def simple(vehicle: VehicleParameters) -> VehicleParameters:
    """Return the set without what the plain effects leave out; the ground is far away."""
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


@every_effect
def test_float32_flies_as_float64_does(vehicle: VehicleParameters, effects: str) -> None:
    """Half a second of tumbling: rounding grows, but stays far below what one could see."""
    double = pyrfly.Sim(vehicle, 16, effects=effects)
    single = pyrfly.Sim(vehicle, 16, effects=effects, precision="float32")
    for sim in (double, single):
        sim.controllers = False
        anywhere(sim, 5)
        sim.step(500)
    np.testing.assert_allclose(single.pos, double.pos, atol=0.02)
    np.testing.assert_allclose(single.vel, double.vel, atol=0.02)
    np.testing.assert_allclose(single.rate, double.rate, atol=0.02, rtol=1e-3)
    np.testing.assert_allclose(single.rotor_speed, double.rotor_speed, rtol=1e-4, atol=0.1)
    same = np.abs(np.sum(single.att * double.att, axis=1))
    np.testing.assert_allclose(same, 1, atol=1e-4)


@every_vehicle
def test_snapshot_goes_on_bit_for_bit(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 3)
    anywhere(sim, 6)
    sim.step(37)
    saved = sim.snapshot()
    sim.step(64)
    expected = sim.hash()
    other = pyrfly.Sim(vehicle, 3)
    other.restore(saved)
    other.step(64)
    assert other.hash() == expected


@every_vehicle
def test_a_disarmed_vehicle_does_not_turn_its_motors(vehicle: VehicleParameters) -> None:
    sim = pyrfly.Sim(vehicle, 2)
    sim.command_position([0, 0, -5])
    sim.arm(ids=2)
    sim.step(1000)
    assert (sim.throttle[0] == 0).all()
    assert (sim.rotor_speed[0] == sim.rotor_speed[0, 0]).all()
    assert abs(sim.pos[0, 2]) < 1e-3
    assert sim.pos[1, 2] < -0.1
