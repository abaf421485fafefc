"""The two bodies against Lagrange's equations, conservation laws and the speed of trailer sway."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

from pyrfly import Sim, vehicles
from pyrfly.sim.model import Model

from .bodies import Bodies

Array = NDArray[np.float64]

SET = vehicles.load("truck_trailer")


def changed(**columns: float | list[float]) -> vehicles.VehicleParameters:
    """Return the packaged set with other parameters, that slips from 1 m/s on, without drag."""
    no_drag = {"blend_speed": np.array([0.5]), "drive_damping": np.zeros(1)}
    own = {name: np.atleast_1d(np.asarray(value, float)) for name, value in columns.items()}
    return replace(SET, columns={**SET.columns, **no_drag, **own})


CARAVAN_NUMBERS: dict[str, float | list[float]] = {
    "mass": 2700.0,
    "trailer_mass": 1200.0,
    "yaw_inertia": 2500.0,
    "trailer_inertia": 2800.0,
    "front_axle": 1.2,
    "rear_axle": 1.4,
    "hitch_offset": 1.0,
    "trailer_wheelbase": 4.0,
    "trailer_centre": 3.9,
    "cornering_coef": [12.0, 14.0, 10.0],
    "speed_max": [60.0, 3.0],
}
"""A car with a caravan, of the sizes that are usual."""


def moving(vehicle: vehicles.VehicleParameters, q: Array, rates: Array, steering: float) -> Sim:
    """Return a vehicle with a motion in the coordinates of `Bodies`."""
    sim = Sim(vehicle, dt=1e-4)
    sim.reset(pos=[*q[:2], 0.0], yaw=q[2])
    sim.controllers = False
    sim.vel[0, :2], sim.rate[0, 2] = rates[:2], rates[2]
    sim.hitch_angle[:], sim.hitch_rate[:] = q[3] - q[2], rates[3] - rates[2]
    sim.steering[:] = steering
    return sim


def coordinates(sim: Sim) -> tuple[Array, Array]:
    """Return q and its rates."""
    yaw, spin = float(sim.euler[0, 2]), float(sim.rate[0, 2])
    hitch = float(sim.hitch_angle[0]), float(sim.hitch_rate[0])
    q = np.array([*sim.pos[0, :2], yaw, yaw + hitch[0]])
    return q, np.array([*sim.vel[0, :2], spin, spin + hitch[1]])


def slopes(sim: Sim) -> dict[str, Array]:
    """Return the derivatives of the states of the first vehicle, whose drive has no force."""
    sim.traction[:] = sim.drive_dead_zone  # else the brakes hold
    return {
        name: rows[0] for name, rows in Model(sim.groups[0], np.array([0])).derivative().items()
    }


def lateral_slopes(sim: Sim) -> Array:
    """Return the derivatives of (w, r, h, h') of a vehicle with the heading 0."""
    found = slopes(sim)
    across = found["vel"][1] - float(sim.vel[0, 0] * sim.rate[0, 2])
    return np.array([across, found["rate"][2], found["hitch_angle"][0], found["hitch_rate"][0]])


def lateral_matrix(sim: Sim, speed: float) -> Array:
    """Return the state matrix of (w, r, h, h') straight ahead, by central differences."""
    step, columns = 1e-5, []
    for name, component in (("vel", 1), ("rate", 2), ("hitch_angle", 0), ("hitch_rate", 0)):
        ends = []
        for change in (step, -step):
            sim.reset()
            sim.vel[:, 0] = speed
            sim.groups[0].view(name).reshape(1, -1)[0, component] += change
            ends.append(lateral_slopes(sim))
        columns.append((ends[0] - ends[1]) / (2 * step))
    return np.stack(columns, axis=1)


TRUCK, CARAVAN = changed(), changed(**CARAVAN_NUMBERS)
both = pytest.mark.parametrize("vehicle", [TRUCK, CARAVAN], ids=["truck", "caravan"])


@both
@pytest.mark.parametrize("seed", range(6))
def test_accelerations_are_those_of_lagranges_equations(
    vehicle: vehicles.VehicleParameters, seed: int
) -> None:
    """At any angles and rates, with tyres below their friction and a drive without force."""
    random = np.random.default_rng(seed)
    q = np.array([0, 0, *random.uniform(-1, 1, 2)])
    q[3] += q[2]
    steering, speed = random.uniform(-0.4, 0.4), random.uniform(5, 25)
    rates = np.array([speed * np.cos(q[2]), speed * np.sin(q[2]), *random.uniform(-0.3, 0.3, 2)])
    sim = moving(vehicle, q, rates, steering)
    sim.friction[:] = 1e3
    expected = Bodies(vehicle.columns).accelerations(q, rates, steering)
    found = slopes(sim)
    got = [*found["vel"][:2], found["rate"][2], found["rate"][2] + found["hitch_rate"][0]]
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


@both
@pytest.mark.parametrize("speed", [6.0, 15.0, 22.0, 35.0])
def test_the_linear_model_is_that_of_lagranges_equations(
    vehicle: vehicles.VehicleParameters, speed: float
) -> None:
    """Its eigenvalues, too: those of the matrix."""
    matrix = lateral_matrix(Sim(vehicle), speed)
    expected = Bodies(vehicle.columns).lateral_matrix(speed)
    np.testing.assert_allclose(matrix, expected, rtol=1e-6, atol=1e-7 * np.abs(expected).max())


def test_a_caravan_sways_from_the_speed_at_which_its_eigenvalue_crosses_zero() -> None:
    """By Lagrange's equations: a disturbance decays just below that speed, and grows above."""

    def growth(speed: float) -> float:
        matrix = Bodies(CARAVAN.columns).lateral_matrix(speed)
        return float(np.linalg.eigvals(matrix).real.max())

    critical = brentq(growth, 10.0, 60.0)
    assert (
        np.abs(np.linalg.eigvals(Bodies(CARAVAN.columns).lateral_matrix(critical)).imag).max() > 1
    )
    sizes = []
    for factor in (0.9, 1.1):
        sim = Sim(CARAVAN, dt=1e-3)
        sim.controllers = False
        sim.vel[:, 0] = factor * critical
        sim.traction[:] = sim.drive_dead_zone
        sim.rate[:, 2] = 1e-3
        peaks = []
        for _ in range(2):
            swings = []
            for _ in range(400):
                sim.step(10)
                swings.append(abs(float(sim.hitch_angle[0])))
            peaks.append(max(swings))
        sizes.append(peaks[1] / peaks[0])
    assert sizes[0] < 0.9
    assert sizes[1] > 1.1


def test_a_trailer_behind_a_car_that_goes_straight_sways_at_the_closed_form() -> None:
    """Behind a tractor so heavy that it is not moved, the trailer is a damped pendulum.

    Its hitch angle has J h'' + C L^2 / u h' + C L h = 0 with the inertia J about the hitch.
    """
    heavy = changed(mass=1e9, yaw_inertia=1e9, trailer_mass=1200.0, trailer_inertia=2800.0)
    columns = heavy.columns
    length, centre = float(columns["trailer_wheelbase"][0]), float(columns["trailer_centre"][0])
    load = 1200.0 * float(columns["gravity"][0]) * centre / length
    stiffness, inertia, speed = 6.0 * load, 2800.0 + 1200.0 * centre**2, 10.0
    sim = Sim(heavy)
    sim.vel[:, 0] = speed
    sim.hitch_angle[:], sim.hitch_rate[:] = 0.01, 0.02
    expected = -(stiffness * length**2 / speed * 0.02 + stiffness * length * np.sin(0.01)) / inertia
    assert slopes(sim)["hitch_rate"][0] == pytest.approx(expected, rel=1e-3)


@both
def test_without_tyres_momentum_and_energy_are_conserved(
    vehicle: vehicles.VehicleParameters,
) -> None:
    """On ice, with the tractor spinning and the trailer swinging, as two joined bodies."""
    q, rates = np.array([3.0, -2.0, 0.3, 0.5]), np.array([9.0, 3.0, 0.2, -0.25])
    sim = moving(vehicle, q, rates, 0.1)
    sim.friction[:] = 0.0
    sim.steer[:] = 0.1 / sim.steering_max
    bodies = Bodies(vehicle.columns)
    energy, momentum = bodies.energy(q, rates), bodies.momentum(q, rates)
    for _ in range(5):
        sim.step(200)
        assert sim.check().ok
        now = coordinates(sim)
        assert bodies.energy(*now) == pytest.approx(energy, rel=1e-9)
        np.testing.assert_allclose(bodies.momentum(*now), momentum, rtol=1e-8, atol=1e-6 * energy)


def test_tyres_never_give_energy() -> None:
    """Slides of any kind lose energy; the trailer swings, but not for ever."""
    random = np.random.default_rng(5)
    for _ in range(6):
        q = random.uniform(-0.5, 0.5, 4)
        rates = np.array([*random.uniform(-12, 12, 2), *random.uniform(-0.3, 0.3, 2)])
        sim = moving(SET, q, rates, random.uniform(-0.3, 0.3))
        sim.traction[:], sim.steer[:] = 0.0, sim.steering / sim.steering_max
        bodies, before = Bodies(SET.columns), np.inf
        for _ in range(20):
            after = bodies.energy(*coordinates(sim))
            assert after <= before * (1 + 1e-9) + 1e-3
            before = after
            sim.step(25)


@pytest.mark.parametrize("friction", [0.3, 0.8])
def test_no_axle_has_more_than_its_friction(friction: float) -> None:
    """Driving, braking and cornering at once: of a side, of all, and of the driven axle alone."""
    sim = Sim("truck_trailer", 3)
    sim.friction[:] = friction
    sim.controllers = False
    sim.vel[:, 0] = 12.0
    sim.traction[:], sim.steer[:] = [1.0, -1.0, 0.0], [0.0, 0.5, 1.0]
    grip = friction * sim.gravity
    for _ in range(20):
        sim.step(10)
        assert (np.linalg.norm(sim.accel[:, :2], axis=1) < 1.6 * grip).all()
    rear = Bodies(SET.columns).loads()[1] / float(SET.columns["mass"][0])
    assert float(sim.accel[0, 0]) <= 0.9 * friction * rear + 1e-9


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_above_its_maximum_speed_it_slows_down_by_its_drag_whatever_the_traction(
    way: float,
) -> None:
    sim = Sim("truck_trailer", 6, dt=1e-3)
    sim.controllers = False
    sim.vel[:, 0] = way * np.repeat([24.0, 40.0], 3)
    sim.traction[:] = way * np.tile([0.05, 0.3, 1.0], 2)
    sim.tractive_accel[:] = sim.traction * sim.accel_max
    rates = Model(sim.groups[0], np.arange(6)).derivative()["vel"]
    np.testing.assert_allclose(rates[:, 0], -sim.drive_damping * sim.vel[:, 0], rtol=1e-9)


def test_the_battery_gives_what_the_tyres_hold_and_no_more() -> None:
    """At full traction the rear tyres are the limit: the power is their force times the speed."""
    sim = Sim("truck_trailer", dt=1e-3)
    sim.controllers = False
    sim.power.enable()
    sim.arm()
    sim.vel[:, 0], sim.traction[:] = 18.2, 1.0
    sim.tractive_accel[:] = sim.accel_max
    sim.step(4)
    assert float(sim.accel[0, 0]) < 0.6 * float(sim.accel_max[0] * sim.switch_speed[0]) / 18.2
    given = sim.battery_voltage * sim.battery_current - sim.avionics_power
    drag = sim.mass * sim.drive_damping * sim.vel[:, 0]
    moved = (sim.mass * sim.accel[:, 0] + drag) * sim.vel[:, 0]
    np.testing.assert_allclose(given * sim.drive_efficiency, moved, rtol=5e-3)


def test_at_a_steady_speed_the_battery_gives_what_the_drag_takes() -> None:
    """P = k m v^2: `drive_damping` stands for the drag of the air and the losses of rolling."""
    sim = Sim("truck_trailer", dt=2e-3)
    sim.power.enable(cells=6, avionics=0.0, efficiency=1.0, resistance=1e-9)
    sim.reset()
    sim.arm()
    sim.vel[:, 0] = 15.0
    sim.truck.command_speed(15.0)
    sim.sleep(20)
    given = sim.battery_voltage * sim.battery_current
    np.testing.assert_allclose(given, sim.drive_damping * sim.mass * sim.vel[:, 0] ** 2, rtol=0.02)


def test_a_load_is_moved_by_the_same_force() -> None:
    sim = Sim("truck_trailer", 2, dt=1e-3)
    sim.controllers = False
    sim.payload.attach(9000.0, ids=2)
    sim.arm()
    sim.vel[:, 0], sim.traction[:] = 10.0, 0.2
    sim.sleep(12 * float(sim.drive_tau[0]))
    force = (sim.mass + np.array([0.0, 9000.0])) * sim.accel[:, 0]
    drag = sim.mass * sim.drive_damping * sim.vel[:, 0]
    np.testing.assert_allclose(force + drag, 0.2 * sim.mass * sim.accel_max, rtol=1e-3)
