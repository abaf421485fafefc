"""Payloads on cables against closed forms: swing, tension, momenta, energy, drop, ground."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ellipk

from pyrfly import Sim

G = 9.8
Array = NDArray[np.float64]


def body(mass: float = 2.0, inertia: float = 0.05, **options: Any) -> Sim:
    """Return a sphere without motors, air and gravity."""
    sim = Sim("x450", **options)
    sim.controllers = False
    sim.reset(pos=[0, 0, -100])
    for name in ("drag_linear", "drag_quadratic", "damping_linear", "damping_quadratic"):
        sim.select().write(name, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sim.mass, sim.inertia = mass, [inertia] * 3 + [0] * 3
    sim.gravity = 0
    return sim


def crane(angle: float, cable: float, **options: Any) -> Sim:
    """Return a payload of 1 kg at an angle on a cable from what does not move: heavy, held."""
    heavy = 1e9
    sim = body(heavy, heavy, **options)
    sim.gravity = G
    sim.set_load([0, 0, -heavy * G])
    sim.payload.attach(1.0, cable=cable)
    sim.payload_pos = sim.pos + cable * np.array([np.sin(angle), 0, np.cos(angle)])
    return sim


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize(("angle", "rate"), [(0.1, 250), (0.5, 250), (1.5, 250), (0.5, 50)])
def test_the_period_is_that_of_a_pendulum(angle: float, rate: float, precision: str) -> None:
    """4 sqrt(L / g) K(sin^2(a / 2)), with the complete elliptic integral."""
    cable = 2.0
    sim = crane(angle, cable, environment_rate=rate, precision=precision)
    times, east = [], []
    for _ in range(int(10 * rate)):
        sim.sleep(1 / rate)
        times.append(sim.time)
        east.append(float(sim.payload_pos[0, 0] - sim.pos[0, 0]))
    x, t = np.array(east), np.array(times)
    (at,) = np.nonzero((x[:-1] > 0) & (x[1:] <= 0))
    crossings = t[at] + (t[at + 1] - t[at]) * x[at] / (x[at] - x[at + 1])
    expected = 4 * np.sqrt(cable / G) * ellipk(np.sin(angle / 2) ** 2)
    assert np.diff(crossings).mean() == pytest.approx(expected, rel=2e-3 if rate == 50 else 1e-4)


def test_a_swing_keeps_its_energy_and_has_the_tension_of_its_turn() -> None:
    angle, cable = 1.2, 2.0
    sim = crane(angle, cable)
    top = cable * np.cos(angle)
    for _ in range(500):
        sim.sleep(0.04)
        q, vel = sim.payload_pos[0] - sim.pos[0], sim.payload_vel[0]
        energy = vel @ vel / 2 - G * (q[2] - top)
        assert energy == pytest.approx(0, abs=2e-3 * G * cable)
        assert np.linalg.norm(q) == pytest.approx(cable, abs=1e-4)
        turning = vel @ vel / cable + G * q[2] / cable
        assert sim.payload_tension[0] == pytest.approx(turning, abs=0.15)


def test_a_payload_that_hangs_pulls_with_its_weight() -> None:
    sim = Sim("x450")
    sim.payload.attach(0.3, cable=3.0)
    sim.reset(pos=[0, 0, -20], hover=True)
    assert sim.payload_pos[0] == pytest.approx([0, 0, -17])
    before = Sim("x450")
    before.reset(pos=[0, 0, -20], hover=True)
    sim.sleep(1)
    assert sim.payload_tension[0] == pytest.approx(0.3 * G, rel=1e-6)
    assert sim.pos[0] == pytest.approx([0, 0, -20], abs=1e-6)

    def thrust(of: Sim) -> float:
        w = of.rotor_speed[0]
        return float((of.thrust_coef[0, 0] * w + of.thrust_coef[0, 1] * w * w).sum())

    assert thrust(sim) - thrust(before) == pytest.approx(0.3 * G, rel=1e-6)


@pytest.mark.parametrize("place", [[0, 0, 0], [0.1, 0.2, 0.1]])
def test_momenta_of_vehicle_and_payload_are_kept(place: list[float]) -> None:
    """Without gravity and drag, through slack cables and jerks."""
    mass, load, inertia = 2.0, 0.7, 0.05
    sim = body(mass, inertia)
    sim.payload.attach(load, cable=1.5, place=place)
    sim.payload_pos = sim.pos + np.array([0.3, 0.5, 1.0])
    sim.vel, sim.payload_vel, sim.rate = [1, -2, 0.5], [-2.0, 3.0, 1.0], [1, -0.5, 0.3]

    def momenta() -> tuple[Array, Array]:
        of_body, of_load = mass * sim.vel[0], load * sim.payload_vel[0]
        w, x, y, z = sim.att[0]
        axis = np.array([x, y, z])
        spin = sim.rate[0] + 2 * np.cross(axis, np.cross(axis, sim.rate[0]) + w * sim.rate[0])
        turning = np.cross(sim.pos[0], of_body) + np.cross(sim.payload_pos[0], of_load)
        return of_body + of_load, turning + inertia * spin

    straight, turning = momenta()
    taut = []
    for _ in range(400):
        sim.step(4)
        taut.append(sim.payload_tension[0] > 0)
        along, around = momenta()
        assert along == pytest.approx(straight, abs=1e-9)
        assert around == pytest.approx(turning, abs=0.02 * float(np.linalg.norm(turning)))
    assert 0 < sum(taut) < len(taut)


def test_a_jerk_is_plastic() -> None:
    """A cable that is stretched along itself leaves both ends one velocity."""
    sim = body(2.0)
    sim.payload.attach(0.5, cable=1.0)
    sim.payload_pos = sim.pos + np.array([0.0, 0.0, 0.5])
    sim.payload_vel = [0, 0, 4.0]
    sim.sleep(0.5)
    assert sim.vel[0] == pytest.approx([0, 0, 0.8], abs=1e-9)
    assert sim.payload_vel[0] == pytest.approx([0, 0, 0.8], abs=1e-9)
    assert sim.payload_pos[0, 2] - sim.pos[0, 2] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("cable", [0.0, 2.0])
def test_a_dropped_payload_falls_as_a_projectile(cable: float) -> None:
    sim = body()
    sim.gravity = G
    sim.payload.attach(0.5, cable=cable, place=[0.1, 0, 0.2])
    sim.vel, sim.payload_vel = [5, 1, -2], [5, 1, -2]
    sim.sleep(0.2)
    sim.payload.drop()
    sim.step(4)
    start, vel = sim.payload_pos[0].copy(), sim.payload_vel[0].copy()
    for elapsed in (0.2, 0.4, 0.6, 0.8):
        sim.sleep(0.2)
        expected = start + vel * elapsed + np.array([0, 0, G / 2]) * elapsed**2
        assert sim.payload_pos[0] == pytest.approx(expected, abs=1e-9)
    assert sim.payload_tension[0] == 0
    assert not sim.payload_force.any()


def test_what_is_fixed_leaves_with_the_velocity_of_its_place() -> None:
    sim = body()
    sim.payload.attach(0.5, place=[0, 1, 0])
    sim.rate = [0, 0, 2]
    sim.step(4)
    sim.payload.drop()
    w, _, _, z = sim.att[0]
    yaw = 2 * np.arctan2(z, w)
    expected = sim.vel[0] + 2 * np.array([-np.cos(yaw), -np.sin(yaw), 0])
    sim.step(4)
    assert sim.payload_vel[0] == pytest.approx(expected, abs=1e-9)


def test_a_falling_payload_nears_its_terminal_speed_in_the_wind() -> None:
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -900])
    sim.wind = [3, 0, 0]
    sim.payload.attach(0.2, drag_area=0.05)
    sim.payload.drop()
    sim.sleep(10)
    speed = np.sqrt(2 * 0.2 * G / (1.225 * 0.05))
    assert sim.payload_vel[0] == pytest.approx([3, 0, speed], rel=1e-3, abs=1e-3)


def test_a_payload_lands_where_the_ground_is_and_its_cable_hangs_slack() -> None:
    sim = Sim("x450")
    sim.payload.attach(0.2, cable=3.0)
    sim.reset(pos=[0, 0, -5], hover=True)
    sim.command_position([0, 0, -1.5])
    sim.sleep(8)
    assert sim.payload_pos[0, 2] == pytest.approx(sim.terrain[0], abs=1e-6)
    assert sim.payload_tension[0] == 0
    sim.command_position([0, 0, -6])
    sim.sleep(8)
    assert sim.payload_pos[0, 2] == pytest.approx(-3, abs=0.01)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("rate", [20, 250])
@pytest.mark.parametrize("load", [1e-3, 1.0, 1e3])
def test_any_ratio_of_masses_is_stable(load: float, rate: float, precision: str) -> None:
    sim = body(environment_rate=rate, precision=precision)
    sim.payload.attach(load, cable=1.0)
    sim.payload_pos = sim.pos + np.array([0.0, 0.2, 0.9])
    sim.payload_vel, sim.vel = [0.5, 0, 0], [-0.5, 0.4, 1.0]
    begin = 0.5 * (2.0 * sim.vel[0] @ sim.vel[0] + load * 0.25)
    sim.sleep(20)
    end = 0.5 * (2.0 * sim.vel[0] @ sim.vel[0] + load * sim.payload_vel[0] @ sim.payload_vel[0])
    assert end <= 1.02 * begin
    assert np.linalg.norm(sim.payload_pos - sim.pos) <= 1.05


def test_far_from_the_origin_float32_swings_too() -> None:
    sim = crane(0.05, 2.0, precision="float32")
    away = np.array([20_000.0, 0, 0])
    sim.pos = sim.pos + away
    sim.payload_pos = sim.payload_pos + away
    swing = []
    for _ in range(200):
        sim.sleep(0.05)
        swing.append(float(sim.payload_pos[0, 0] - sim.pos[0, 0]))
    assert max(swing[100:]) == pytest.approx(0.1, abs=0.02)
    assert min(swing[100:]) == pytest.approx(-0.1, abs=0.02)


def test_a_reset_puts_the_payload_back() -> None:
    sim = Sim("x450", 2)
    sim.payload.attach(0.2, cable=2.0)
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.payload.drop()
    sim.sleep(0.5)
    sim.reset(pos=[1, 2, -30], hover=True, ids=1)
    assert sim.payload_dropped.tolist() == [0, 1]
    assert sim.payload_pos[0] == pytest.approx([1, 2, -28])
    sim.sleep(0.5)
    assert sim.payload_tension[0] == pytest.approx(0.2 * G, rel=1e-3)


def test_an_event_drops_it_and_a_snapshot_has_it() -> None:
    sim = Sim("x450")
    sim.payload.attach(0.2, cable=2.0)
    sim.reset(pos=[0, 0, -20], hover=True)
    saved = sim.snapshot()
    sim.at(0.1, payload_dropped=1)
    sim.sleep(0.5)
    fallen = float(sim.payload_pos[0, 2])
    assert fallen == pytest.approx(-18 + G / 2 * 0.4**2, abs=0.01)
    sim.restore(saved)
    sim.sleep(0.5)
    assert sim.payload_pos[0, 2] == pytest.approx(-18 if sim.payload_dropped[0] == 0 else fallen)


def test_the_payload_of_a_vehicle_with_fault_flags_stays_where_it_is() -> None:
    sim = Sim("x450", 2)
    sim.payload.attach(0.2, cable=2.0)
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.vel[0] = [1e6, 0, 0]
    sim.sleep(0.1)
    assert sim.status[0] != 0 == sim.status[1]
    before = sim.payload_pos.copy()
    sim.payload.drop()
    sim.sleep(0.5)
    assert sim.payload_pos[0].tolist() == before[0].tolist()
    assert sim.payload_pos[1, 2] > before[1, 2] + 1


@pytest.mark.parametrize("dropped", [0, 1])
@pytest.mark.parametrize(("name", "value"), [("payload_pos", np.nan), ("payload_vel", np.inf)])
def test_a_payload_that_is_not_finite_is_a_fault(name: str, value: float, dropped: int) -> None:
    sim = Sim("x450", 3)
    sim.payload.attach(0.01, cable=1.0)
    sim.reset(pos=np.outer([0, 1, 2], [9, 0, 0]) - [0, 0, 20], hover=True)
    sim.payload_dropped = dropped
    sim.step(8)
    getattr(sim, name)[1, 0] = value
    sim.step(8)
    assert sim.status.tolist() == [0, 1, 0]
    assert "non-finite" in sim.check().text
    sim.reset(pos=[0, 0, -20], hover=True)
    sim.step(8)
    assert sim.check().ok


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_payload_has_the_same_bits_in_any_batch(precision: str) -> None:
    def flown(n: int, threads: int) -> Array:
        sim = Sim("x450", n, threads=threads, precision=precision)
        sim.payload.attach(0.2, cable=2.0, place=[0.02, 0.0, 0.05], drag_area=0.02)
        sim.reset(pos=[[0, 9 * k, -20] for k in range(n)], hover=True)
        sim.command_position([[5, 9 * k, -1] for k in range(n)])
        sim.sleep(3)
        return np.concatenate([sim.payload_pos[0], sim.payload_vel[0], sim.rate[0]])

    assert flown(1, 1).tolist() == flown(37, 2).tolist()


@pytest.mark.parametrize("end", [0.5, 4.0])
def test_a_winch_reels_at_its_speed_and_holds_the_weight(end: float) -> None:
    sim = crane(0.0, 4.0)
    sim.payload_length = sim.payload_length_sp = 2.0
    sim.payload_pos = sim.pos + np.array([0, 0, 2.0])
    sim.payload.reel(end, speed=0.25)
    sim.sleep(2)
    way = np.sign(end - 2.0) * 0.25
    assert sim.payload_vel[0] == pytest.approx([0, 0, way], abs=1e-4)
    assert sim.payload_tension[0] == pytest.approx(G, rel=1e-3)
    assert sim.payload_pos[0, 2] - sim.pos[0, 2] == pytest.approx(2.0 + 2 * way, abs=2e-3)
    sim.sleep(10)
    assert sim.payload_length[0] == pytest.approx(end)
    assert sim.payload_vel[0] == pytest.approx([0, 0, 0], abs=1e-3)
    sim.reset()
    assert sim.payload_length[0] == 4.0


def test_a_swing_that_is_reeled_in_keeps_its_angular_momentum() -> None:
    """In a plane, about what does not move and without gravity: v L is kept."""
    sim = body(1e9, 1e9)
    sim.payload.attach(1.0, cable=2.0)
    sim.payload_pos = sim.pos + np.array([0, 0, 2.0])
    sim.payload_vel = [1.0, 0, 0]
    sim.payload.reel(1.0, speed=0.2)
    sim.sleep(6)
    assert np.linalg.norm(sim.payload_pos - sim.pos) == pytest.approx(1.0, abs=1e-4)
    assert np.linalg.norm(sim.payload_vel) == pytest.approx(2.0, rel=2e-3)


def test_cables_are_reeled_within_their_length() -> None:
    sim = Sim("x450", 2)
    sim.payload.attach(0.1, cable=[1.0, 2.0])
    for length in (0.0, 1.5, -1, np.nan):
        with pytest.raises(ValueError, match="length: expected"):
            sim.payload.reel(length)
    with pytest.raises(ValueError, match="speed: expected at least 0"):
        sim.payload.reel(0.5, speed=-1)
    assert sim.payload_length_sp.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("rate", [20, 250])
def test_extreme_payloads_leave_states_finite(rate: float, precision: str) -> None:
    """Masses of a milligram to 10 t, cables of 1 mm to 10 km, places at up to 30 m, fast spins."""
    n, draw = 100, np.random.default_rng(1)

    def over(low: float, high: float) -> Array:
        return np.asarray(10 ** draw.uniform(low, high, n))

    sim = Sim("x450", n, precision=precision, environment_rate=rate)
    sim.reset(pos=draw.uniform((-1e4, -1e4, -500), (1e4, 1e4, -1), (n, 3)), hover=True)
    place = draw.uniform(-1, 1, (n, 3)) * over(-3, 1.5)[:, None]
    cable = over(-3, 4) * (np.arange(n) % 5 > 0)
    sim.payload.attach(over(-6, 4), place=place, cable=cable, drag_area=over(-4, 4))
    sim.vel, sim.rate = draw.normal(0, 30, (n, 3)), draw.normal(0, 9, (n, 3))
    sim.payload_vel = draw.normal(0, 30, (n, 3))
    sim.sleep(1)
    sim.payload.drop(range(1, n // 2))
    sim.sleep(1)
    for name in ("pos", "tension", "force", "torque"):
        assert np.isfinite(getattr(sim, f"payload_{name}")).all()
    assert (np.abs(sim.payload_vel) < 1e3).all()
