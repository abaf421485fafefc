"""The aerodynamics of csrc/models/wing.h against a model of its own and closed forms."""

from __future__ import annotations

import secrets

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import names

from ..test_energy import falling
from .steady import (
    ELEVATOR,
    Array,
    flow_angles,
    inertia_of,
    moments,
    remove_propeller,
)

every_set = pytest.mark.parametrize("name", names("plane"))


def flying(name: str = "aerosonde", n: int = 1, **options: object) -> pyrfly.Sim:
    """Return planes without a propeller and without weight, far above the ground."""
    sim = pyrfly.Sim(name, n, **options)
    sim.controllers = False
    sim.reset(pos=[0, 0, -500])
    remove_propeller(sim)
    sim.gravity[:] = 0.0
    return sim


def forces(sim: pyrfly.Sim) -> Array:
    """Return the forces [N, FRD]."""
    return np.asarray(sim.mass[:, None] * sim.accel, np.float64)


def fly_at(sim: pyrfly.Sim, speed: float, alpha: Array, beta: Array | float = 0.0) -> None:
    """Give level aircraft an airspeed at angles of attack and sideslip [rad]."""
    across, along = np.sin(beta), np.cos(beta)
    flow = [along * np.cos(alpha), across + 0.0 * alpha, along * np.sin(alpha)]
    sim.vel[:] = speed * np.stack(flow, axis=-1)


def blend(sim: pyrfly.Sim, alpha: Array) -> Array:
    """Return the share of separated flow: the logistic functions of both stalls, combined."""
    m, stall = float(sim.stall_sharpness[0]), float(sim.stall_angle[0])
    above, below = (1 / (1 + np.exp(np.clip(-m * (x - stall), -40, 40))) for x in (alpha, -alpha))
    return np.asarray(1 - (1 - above) * (1 - below))


def expected(sim: pyrfly.Sim, air: Array, rate: Array, surfaces: Array) -> tuple[Array, Array]:
    """Return force and moment [FRD] of an air velocity and rates, by coefficients in wind axes."""
    speed = np.linalg.norm(air, axis=1)
    alpha, beta = np.arctan2(air[:, 2], air[:, 0]), np.arcsin(air[:, 1] / speed)
    span, chord, area = (float(getattr(sim, f"wing_{x}")[0]) for x in ("span", "chord", "area"))
    p, q, r = (rate * [span, chord, span] / (2 * speed[:, None])).T
    aileron, elevator, rudder, flaps = surfaces.T
    separated = blend(sim, alpha)
    effect = 1 - separated + 0.3 * separated * np.cos(alpha)
    sine, one = np.sin(alpha), np.ones_like(alpha)

    def longitudinal(coef: Array, attached: Array, plate: Array, effect: Array = one) -> Array:
        surface = coef[2] * q + effect * (coef[3] * elevator + coef[4] * flaps)
        return np.asarray((1 - separated) * attached + separated * plate + surface)

    def lateral(coef: Array) -> Array:
        return np.asarray(coef @ np.stack([one, beta, p, r, effect * aileron, effect * rudder]))

    lift_coef, drag_coef, pitch_coef = (
        np.asarray(c[0], np.float64) for c in (sim.lift_coef, sim.drag_coef, sim.pitch_coef)
    )
    linear = lift_coef[0] + lift_coef[1] * alpha
    polar = drag_coef[0] + drag_coef[1] * alpha + float(sim.induced_drag[0]) * linear**2
    lift = longitudinal(lift_coef, linear, 2 * np.sign(alpha) * sine**2 * np.cos(alpha), effect)
    drag = longitudinal(drag_coef, polar, drag_coef[0] + 2 * sine**2)
    stalled_pitch = float(sim.stalled_pitch[0]) * sine
    pitch = longitudinal(pitch_coef, pitch_coef[0] + pitch_coef[1] * alpha, stalled_pitch, effect)
    side, roll, yaw = (
        lateral(np.asarray(c[0], np.float64)) for c in (sim.side_coef, sim.roll_coef, sim.yaw_coef)
    )
    pressure = 0.5 * float(sim.reference_density[0]) * area * speed**2
    # flow from the side, from 30 to 60 degrees on, does nothing to a profile
    from_side = np.clip((0.75 - np.cos(beta) ** 2) / 0.5, 0.0, 1.0)
    ahead = 1 - from_side**2 * (3 - 2 * from_side) * np.sin(beta) ** 2
    lift, drag, pitch, roll = ahead * lift, ahead * drag, ahead * pitch, ahead * roll
    turned = Rotation.from_euler(
        "Y", -alpha[:, None]
    )  # from the axes of the wind to those of the body
    force = turned.apply(np.stack([-drag, side, -lift], axis=-1))
    moment = np.stack([span * roll, chord * pitch, span * yaw], axis=-1)
    return without_gain(sim, air, rate, pressure[:, None] * force, pressure[:, None] * moment)


def without_gain(
    sim: pyrfly.Sim, air: Array, rate: Array, force: Array, moment: Array
) -> tuple[Array, Array]:
    """Take the power that would be above 0 back from all motion in proportion to its momenta."""
    linear, angular = float(sim.mass[0]) * air, rate @ inertia_of(sim)
    power = ((force * air) + (moment * rate)).sum(axis=1)
    share = np.maximum(power, 0.0) / ((linear * air) + (angular * rate)).sum(axis=1)
    return force - share[:, None] * linear, moment - share[:, None] * angular


@every_set
@pytest.mark.parametrize(("precision", "tolerance"), [("float64", 1e-9), ("float32", 2e-4)])
def test_forces_and_moments_of_any_flow(name: str, precision: str, tolerance: float) -> None:
    """All angles of attack and sideslip, backwards too, with rates, deflections and a wind."""
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    random, n = np.random.default_rng(seed), 512
    sim = flying(name, n, precision=precision)
    air = random.normal(size=(n, 3))
    air *= random.uniform(0.5, 40, n)[:, None] / np.linalg.norm(air, axis=1)[:, None]
    sim.wind[:] = random.uniform(-10, 10, (n, 3))
    turns = Rotation.random(n, random_state=seed)
    sim.att[:] = np.roll(turns.as_quat(), 1, axis=1)
    sim.vel[:] = turns.apply(air) + sim.wind
    sim.rate[:] = random.uniform(-6, 6, (n, 3))
    sim.surface_angle[:] = random.uniform(-0.5, 0.5, (n, 4))
    turns = Rotation.from_quat(np.roll(np.asarray(sim.att, np.float64), -1, axis=1))
    air = turns.inv().apply(np.asarray(sim.vel, np.float64) - sim.wind)
    surfaces = np.asarray(sim.surface_angle, np.float64) @ sim.surface_mix[0].reshape(4, 4).T
    force, moment = expected(sim, air, np.asarray(sim.rate, np.float64), surfaces)
    scale = 1 + np.abs(force).max(axis=1, keepdims=True)
    np.testing.assert_allclose(forces(sim) / scale, force / scale, atol=tolerance)
    scale = (
        1 + np.abs(moment).max(axis=1, keepdims=True) + np.abs(sim.rate).max(axis=1, keepdims=True)
    )
    np.testing.assert_allclose(moments(sim) / scale, moment / scale, atol=tolerance)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_at_rest_the_air_does_nothing(precision: str) -> None:
    sim = flying(n=4, precision=precision)
    sim.vel[1] = [1e-30, 0, 0]
    sim.vel[2] = [0, 1e-20, 0]
    sim.rate[3] = [3, -2, 1]
    assert np.abs(forces(sim)).max() < 1e-6
    np.testing.assert_allclose(moments(sim), 0.0, atol=1e-5)


@every_set
def test_flow_from_the_side_does_not_lift(name: str) -> None:
    """A strip of a wing feels the flow across its span alone; the sign of its rest means little."""
    sim = flying(name, 2)
    sim.vel[:] = [[0.0, 15.0, 0.01], [0.0, 15.0, -0.01]]
    assert np.abs(forces(sim)[:, 2]).max() < 0.01


@every_set
def test_a_parked_plane_stays_on_its_wheels_in_a_cross_wind(name: str) -> None:
    sim = pyrfly.Sim(name)
    sim.wind[:] = [0.0, 10.0, 0.0]
    highest = 0.0
    for _ in range(50):
        sim.step(100)
        highest = max(highest, -float(sim.pos[0, 2]))
    assert highest < 0.1
    assert np.abs(sim.euler[0, :2]).max() < 0.3


@every_set
def test_lift_is_largest_near_the_stall_and_falls_to_that_of_a_plate(name: str) -> None:
    alpha = np.linspace(-np.pi, np.pi, 1441)
    sim = flying(name, len(alpha))
    fly_at(sim, 20.0, alpha)
    pressure = 0.5 * sim.reference_density[0] * 400.0 * sim.wing_area[0]
    force = forces(sim) / pressure
    lift = force[:, 0] * np.sin(alpha) - force[:, 2] * np.cos(alpha)
    drag = -force[:, 0] * np.cos(alpha) - force[:, 2] * np.sin(alpha)
    stall, width = float(sim.stall_angle[0]), 5 / float(sim.stall_sharpness[0])
    attached = np.where((alpha > 0) & (alpha < stall + width), lift, -np.inf)
    assert alpha[np.argmax(attached)] == pytest.approx(stall, abs=width)
    assert attached.max() < sim.lift_coef[0, 0] + sim.lift_coef[0, 1] * stall
    beyond = np.abs(alpha) > stall + 2 * width
    plate = 2 * np.sign(alpha) * np.sin(alpha) ** 2 * np.cos(alpha)
    np.testing.assert_allclose(lift[beyond], plate[beyond], atol=0.03)
    assert drag[np.abs(np.abs(alpha) - np.pi / 2).argmin()] == pytest.approx(
        2 + sim.drag_coef[0, 0], abs=1e-3
    )
    assert (drag > 0).all()


@every_set
def test_a_stalled_wing_pitches_its_nose_towards_the_flow(name: str) -> None:
    alpha = np.linspace(0.2, np.pi - 0.2, 90)
    sim = flying(name, len(alpha))
    fly_at(sim, 20.0, alpha)
    assert (moments(sim)[:, 1] < 0).all()
    fly_at(sim, 20.0, -alpha)
    assert (moments(sim)[:, 1] > 0).all()


def test_induced_drag_is_that_of_the_aspect_ratio() -> None:
    """1 / (pi e AR), with the efficiency of the source."""
    sim = flying()
    ratio = float(sim.wing_span[0] ** 2 / sim.wing_area[0])
    assert float(sim.induced_drag[0]) == pytest.approx(1 / (np.pi * 0.9 * ratio), rel=1e-8)


def trimmed_glides(sim: pyrfly.Sim, elevator: Array) -> Array:
    """Put aircraft into glides with elevator deflections; return their glide ratios."""
    lift_coef, drag_coef, pitch_coef = sim.lift_coef[0], sim.drag_coef[0], sim.pitch_coef[0]
    alpha = -(pitch_coef[0] + pitch_coef[3] * elevator) / pitch_coef[1]
    attached = lift_coef[0] + lift_coef[1] * alpha
    lift = attached + lift_coef[3] * elevator
    drag = drag_coef[0] + drag_coef[1] * alpha + sim.induced_drag[0] * attached**2
    drag = drag + drag_coef[3] * elevator
    ratio = np.asarray(lift / drag)
    path = np.arctan(1 / ratio)
    weight = sim.mass[0] * sim.gravity[0]
    pressure = 0.5 * sim.reference_density[0] * sim.wing_area[0]
    speed = np.sqrt(weight * np.cos(path) / (pressure * lift))
    sim.vel[:] = np.stack([speed * np.cos(path), 0 * speed, speed * np.sin(path)], axis=-1)
    turns = Rotation.from_euler("Y", (alpha - path)[:, None])
    sim.att[:] = np.roll(turns.as_quat(), 1, axis=1)
    travel = sim.surface_travel[0, ELEVATOR]
    sim.surface_angle[:, ELEVATOR] = elevator
    sim.surface_command[:, ELEVATOR] = elevator / travel
    return ratio


def test_the_best_glide_is_that_of_the_drag_polar() -> None:
    """L / D = 1 / (2 sqrt(C_D0 k)), measured as distance over height in glides without power."""
    elevator = np.linspace(-0.75, -0.2, 56)
    sim = flying(n=len(elevator))
    sim.surface_travel[:] = -0.8
    sim.reset(pos=[0, 0, -3000])
    sim.gravity[:] = 9.8
    sim.lift_coef[:, 3] = sim.drag_coef[:, 3] = 0.0  # as the closed form has it
    trimmed_glides(sim, elevator)
    sim.sleep(10)
    ratio = sim.pos[:, 0] / (sim.pos[:, 2] + 3000)
    best = 1 / (2 * np.sqrt(float(sim.drag_coef[0, 0] * sim.induced_drag[0])))
    assert ratio.max() == pytest.approx(best, rel=0.002)
    lift = np.sqrt(sim.drag_coef[0, 0] / sim.induced_drag[0])
    pressure = 0.5 * sim.reference_density[0] * sim.wing_area[0]
    fastest = np.sqrt(sim.mass[0] * sim.gravity[0] / (pressure * lift))
    at_best = np.linalg.norm(sim.vel[ratio.argmax()])
    assert at_best == pytest.approx(float(fastest), rel=0.02)


@every_set
def test_the_stall_airspeed_is_the_least_of_level_flight(name: str) -> None:
    """Of all angles of attack that the elevator can hold, by the forces of the model."""
    sim = pyrfly.Sim(name)
    coef = {c: np.asarray(getattr(sim, f"{c}_coef")[0]) for c in ("lift", "pitch")}
    mix = sim.surface_mix[0].reshape(4, 4)[1]
    reach = 0.5 * np.abs(mix * sim.surface_travel[0].reshape(2, 4)).sum()

    def lift(alpha: float) -> float:
        s = float(blend(sim, np.array(alpha)))
        attached = coef["lift"][0] + coef["lift"][1] * alpha
        plate = 2 * np.sign(alpha) * np.sin(alpha) ** 2 * np.cos(alpha)
        moment = (1 - s) * (coef["pitch"][0] + coef["pitch"][1] * alpha)
        moment += s * float(sim.stalled_pitch[0]) * np.sin(alpha)
        elevator = -moment / coef["pitch"][3]
        if abs(elevator) > reach:
            return 0.0
        return float((1 - s) * attached + s * plate + coef["lift"][3] * elevator)

    angles = np.linspace(0, float(sim.stall_angle[0]) + 0.1, 2000)
    most = max(lift(float(a)) for a in angles)
    pressure = 0.5 * sim.reference_density[0] * sim.wing_area[0]
    stall = np.sqrt(sim.mass[0] * sim.gravity[0] / (pressure * most))
    assert 1.1 * stall < sim.minimum_airspeed[0] < 1.35 * stall
    assert sim.rotation_airspeed[0] > stall


def modes(sim: pyrfly.Sim, speed: float, names_: tuple[str, ...]) -> Array:
    """Return the eigenvalues of a part of the linear model of level flight."""
    model = sim.linearize(1, point=sim.trim(1, vel=[speed, 0, 0]))
    rows = [model.states.index(name) for name in names_]
    return np.asarray(np.linalg.eigvals(model.A[np.ix_(rows, rows)]))


LONGITUDINAL = ("vel[0]", "vel[2]", "att[1]", "rate[1]")


@pytest.mark.parametrize("speed", [23.0, 26.0, 29.0])
def test_phugoid_and_short_period(speed: float) -> None:
    """Lanchester's sqrt(2) g / V of constant thrust, and two degrees of freedom."""
    sim = pyrfly.Sim("aerosonde")
    sim.propeller_thrust[:], sim.propeller_torque[:] = [0.04, 0, 0], [0.004, 0, 0]
    found = modes(sim, speed, LONGITUDINAL)
    slow, fast = sorted((x for x in found if x.imag > 0), key=abs)
    assert abs(slow) == pytest.approx(np.sqrt(2) * 9.8 / speed, rel=0.15)
    assert slow.real < 0
    pressure = 0.5 * sim.reference_density[0] * speed**2 * sim.wing_area[0]
    chord, inertia = sim.wing_chord[0], sim.inertia[0, 1]
    stiffness = -pressure * chord * sim.pitch_coef[0, 1] / inertia
    damping = -pressure * chord**2 / (2 * speed) * sim.pitch_coef[0, 2] / inertia
    heave = pressure * sim.lift_coef[0, 1] / (sim.mass[0] * speed)
    assert abs(fast) ** 2 == pytest.approx(float(stiffness + damping * heave), rel=0.1)
    assert -2 * fast.real == pytest.approx(float(damping + heave), rel=0.1)


def test_the_ground_is_no_part_of_trims_and_linear_models() -> None:
    """Those of a plane that stands are those of one in flight."""
    standing, high = pyrfly.Sim("aerosonde"), pyrfly.Sim("aerosonde")
    high.reset(pos=[0, 0, -500])
    points = [sim.trim(1, vel=[25.0, 0, 0]) for sim in (standing, high)]
    for name in ("att", "surface_angle", "propeller_speed"):
        np.testing.assert_allclose(*(point.state[name] for point in points), atol=1e-8)
    models = [
        sim.linearize(1, point=point).A for sim, point in zip((standing, high), points, strict=True)
    ]
    np.testing.assert_allclose(*models, atol=1e-5)


def test_roll_subsidence_is_the_damping_of_roll() -> None:
    """The published a_phi1 of the same aircraft, which is without the product of inertia."""
    sim = pyrfly.Sim("aerosonde")
    found = modes(sim, 25.0, ("vel[1]", "att[0]", "att[2]", "rate[0]", "rate[2]"))
    assert found.real.min() == pytest.approx(-22.6288510, rel=0.05)
    dutch = found[np.argmax(found.imag)]
    assert dutch.real < 0
    assert dutch.imag > 1


def test_sideslip_turns_the_nose_into_the_wind_and_lifts_the_wing() -> None:
    sim = flying(n=2)
    fly_at(sim, 25.0, np.array([0.05, 0.05]), 0.1 * np.array([1.0, -1.0]))
    alpha, beta = flow_angles(sim)
    np.testing.assert_allclose(alpha, 0.05)
    np.testing.assert_allclose(beta, [0.1, -0.1])
    roll, _, yaw = moments(sim).T
    assert yaw[0] > 0 > yaw[1]
    assert roll[0] < 0 < roll[1]
    assert forces(sim)[0, 1] < 0 < forces(sim)[1, 1]


def test_the_air_takes_energy_from_every_motion_without_deflection() -> None:
    """In attached flow at least, in which coefficients are those of a wing."""
    alpha, beta = (
        x.ravel() for x in np.meshgrid(np.linspace(-3, 3, 61), np.linspace(-0.3, 0.3, 7))
    )
    sim = flying(n=len(alpha))
    fly_at(sim, 25.0, alpha, beta)
    power = np.sum(forces(sim) * sim.vel, axis=1)
    assert (power < 0).all()


def test_full_elevator_does_not_keep_a_flying_wing_tumbling() -> None:
    """A stalled surface has little effect; the damping of the wing ends the turn."""
    sim = falling("lifting_wing", 2)
    sim.vel[:], sim.rate[:, 1] = [10.0, 0.0, 0.0], [13.0, -13.0]
    sim.surface_command[:] = np.array([[1.0], [-1.0]])
    sim.sleep(5.0)
    assert np.linalg.norm(sim.rate, axis=1).max() < 4.0
