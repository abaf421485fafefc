"""Parachutes: their descent against the closed form, their filling, attachment and arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import ParameterError, ShapeError, Sim

from ..extended import EXTENDED

DENSITY = 1.225


def falling(n: int = 1, **fitted: Any) -> Sim:
    """Return vehicles without drag of their own, high above the ground, with parachutes."""
    sim = Sim("x450", n)
    sim.reset(pos=np.linspace([0, 0, -900], [0, 90, -900], n))
    sim.drag_linear = 0
    sim.parachute.fit(**fitted)
    return sim


def test_the_descent_is_that_of_the_closed_form() -> None:
    sim = falling(3, area=[1.0, 2.0, 8.0], drag_coefficient=[0.75, 0.6, 1.5], attachment=[0, 0, 0])
    sim.parachute.release()
    sim.sleep(20)
    weight = sim.mass * sim.gravity
    expected = np.sqrt(2 * weight / (DENSITY * sim.parachute_drag * sim.parachute_area))
    assert sim.vel[:, 2] == pytest.approx(expected, rel=1e-6)
    pull = np.linalg.norm(sim.parachute_force, axis=1)
    drag = 0.5 * DENSITY * sim.parachute_drag * sim.parachute_area * sim.vel[:, 2] ** 2
    assert pull == pytest.approx(drag, rel=1e-6)


def test_a_canopy_fills_on_a_way_through_the_air() -> None:
    """Held at a constant speed it takes n D / v, and has x^6 of its drag area meanwhile."""
    speed, area, fill, delay = 20.0, 3.0, 8.0, 0.3
    sim = falling(area=area, fill=fill, delay=delay)
    sim.parachute.release()
    time = fill * np.sqrt(4 * area / np.pi) / speed
    for elapsed in np.arange(0, delay + 1.1 * time, 0.004):
        sim.vel = [0, 0, speed]
        sim.step(4)
        share = np.clip((elapsed + 0.004 - delay) / time, 0, 1)
        assert sim.parachute_opening[0] == pytest.approx(share**6, abs=0.04)
    assert sim.parachute_opening[0] == 1


@pytest.mark.parametrize("rate", [20, 50, 100, 250])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_light_vehicles_sink_steadily_at_any_rate(rate: float, precision: str) -> None:
    """Of 0.05 kg, which begin tilted, turning and fast; the slow ones are those that swung."""
    sim = Sim("x450", 4, environment_rate=rate, precision=precision)
    sim.reset(pos=np.linspace([0, 0, -900], [0, 90, -900], 4))
    sim.drag_linear, sim.mass, sim.inertia = 0, 0.05, [3e-5, 3e-5, 5e-5, 0, 0, 0]
    sim.parachute.fit(descent=[0.5, 1, 4, 8], attachment=[0.02, 0, -0.1], delay=0, fill=1)
    sim.att = [np.cos(0.5), np.sin(0.5), 0, 0]
    sim.vel, sim.rate = [3, 0, 15], [0, 5, 9]
    sim.parachute.release()
    fastest = 0.0
    for _ in range(round(8 * rate)):
        sim.sleep(1 / rate)
        fastest = max(fastest, float(np.abs(sim.vel[:, :2]).max()))
    weight = sim.mass * sim.gravity
    steady = np.sqrt(2 * weight / (DENSITY * sim.parachute_drag * sim.parachute_area))
    assert sim.vel[:, 2] == pytest.approx(steady, rel=2e-3)
    assert fastest < 4
    assert np.abs(sim.rate[:, :2]).max() < 0.05


@pytest.mark.parametrize(("rate", "error"), [(250, 0.01), (20, 0.12)])
def test_an_open_canopy_brakes_as_quadratic_drag_does(rate: float, error: float) -> None:
    """From v the speed is u coth(g t / u + arcoth(v / u)), with the steady one u."""
    sim = Sim("x450", environment_rate=rate)
    sim.reset(pos=[0, 0, -900])
    sim.drag_linear, sim.vel = 0, [0, 0, 12]
    sim.parachute.fit(descent=4.0, attachment=[0, 0, 0], fill=0, delay=0)
    sim.parachute.release()
    gravity, before = float(sim.gravity[0]), 12.0
    for _ in range(rate):
        sim.sleep(1 / rate)
        exact = 4 / np.tanh(gravity * sim.time / 4 + np.arctanh(4 / 12))
        assert sim.vel[0, 2] == pytest.approx(exact, rel=error)
        assert 4 - 1e-9 <= sim.vel[0, 2] < before
        before = sim.vel[0, 2]


def test_a_body_swings_below_its_attachment_as_a_rigid_body_does() -> None:
    """In a vertical plane, against an integration of the equations of motion in small steps."""
    sim = Sim("x450")
    sim.reset(pos=[0, 0, -900])
    sim.drag_linear = sim.damping_linear = sim.damping_quadratic = 0
    sim.parachute.fit(descent=6.0, attachment=[0, 0, -0.2], fill=0, delay=0)
    sim.att = [np.cos(0.3), np.sin(0.3), 0, 0]
    sim.vel = [0, 0, 6]
    sim.parachute.release()
    mass, inertia, gravity = sim.mass[0], sim.inertia[0, 0], sim.gravity[0]
    drag = mass * gravity / 36

    def slopes(z: np.ndarray) -> np.ndarray:
        east, down, roll, rate = z
        above = 0.2 * np.array([np.sin(roll), -np.cos(roll)])  # of the attachment: east, down
        velocity = np.array([east, down]) + rate * np.array([-above[1], above[0]])
        pull = -drag * np.linalg.norm(velocity) * velocity
        torque = above[0] * pull[1] - above[1] * pull[0]
        return np.array([pull[0] / mass, pull[1] / mass + gravity, rate, torque / inertia])

    z = np.array([0, 6, 0.6, 0])
    for _ in range(300):
        half = z + 0.0025 * slopes(z)
        z = z + 0.005 * slopes(half)
        sim.sleep(0.005)
        rolled = np.array([*sim.vel[0, 1:], sim.euler[0, 0], sim.rate[0, 0]])
        assert rolled == pytest.approx(z, abs=0.1), sim.time
    assert np.abs(z[2]) < 0.3


def test_what_is_left_of_a_vehicle_sinks_steadily() -> None:
    sim = Sim("x450", environment_rate=20)
    sim.reset(pos=[0, 0, -900])
    sim.drag_linear, sim.mass, sim.inertia = 0, 0.1, [3e-5, 3e-5, 5e-5, 0, 0, 0]
    sim.parachute.fit(descent=2, delay=0, fill=1)
    sim.faults.add("load_fall", share=0.75)
    sim.parachute.release()
    sim.sleep(10)
    assert sim.vel[0, 2] == pytest.approx(2 * np.sqrt(0.25), rel=1e-3)
    assert np.abs(sim.rate[0]).max() < 0.01


def test_the_wind_carries_a_vehicle_along() -> None:
    sim = falling(area=3.0)
    sim.wind = [3, -4, 0]
    sim.parachute.release()
    sim.sleep(25)
    assert sim.vel[0, :2] == pytest.approx([3, -4], abs=0.05)


def test_a_vehicle_hangs_below_its_attachment() -> None:
    sim = falling(area=3.0, attachment=[0, 0, -0.3])
    sim.att = [np.cos(0.4), np.sin(0.4), 0, 0]
    sim.vel = [0, 0, 15]
    sim.parachute.release()
    sim.step(4)
    force, at = sim.parachute_force[0], np.array([0, 0, -0.3])
    roll = 0.8
    body = np.array([0, np.sin(roll) * force[2], np.cos(roll) * force[2]])
    assert sim.parachute_torque[0] == pytest.approx(np.cross(at, body), rel=0.01, abs=1e-9)
    sim.sleep(1.5)
    roll_rate = sim.rate[0, 0]
    assert roll_rate != 0


@pytest.mark.parametrize("vehicle", EXTENDED)
def test_a_release_disarms_vehicles_of_all_families(vehicle: str) -> None:
    sim = Sim(vehicle, 2)
    sim.reset(pos=[[0, 0, -100], [0, 9, -100]])
    sim.arm()
    sim.parachute.fit(area=2.0)
    assert sim.parachute.release(2).tolist() == [True]
    sim.sleep(3)
    assert sim.armed.tolist() == [1, 0]
    assert sim.parachute_opening[0] == 0 < sim.parachute_opening[1]
    assert np.isfinite(sim.vel).all()


def test_a_reset_packs_it_and_what_is_disabled_is_not_released() -> None:
    sim = falling(2, area=2.0)
    sim.parachute.enable(False, 1)
    assert sim.parachute.ready().tolist() == [False, True]
    assert sim.parachute.release().tolist() == [False, True]
    sim.sleep(3)
    assert sim.parachute_opening[0] == 0 < sim.parachute_opening[1]
    sim.reset()
    assert not sim.parachute_force.any()
    assert sim.parachute.ready().tolist() == [False, True]


def test_a_boundary_releases_it_at_that_tick() -> None:
    sim = falling(area=2.0)
    sim.safety.add("speed", maximum=5.0, action="parachute")
    sim.sleep(3)
    (crossing,) = sim.safety.crossings()
    assert sim.parachute_time[0] == pytest.approx(sim.time - crossing.time, abs=0.005)


@pytest.mark.parametrize("attachment", [[0, 0, 0], [0, 0, -0.1], [3, 0, 20], [1e4, -1e4, 1e4]])
@pytest.mark.parametrize("rate", [20, 250])
def test_extreme_parachutes_leave_states_finite(attachment: list[float], rate: float) -> None:
    sim = Sim("x450", 2, precision="float32", environment_rate=rate)
    sim.reset(pos=[0, 0, -500])
    sim.vel, sim.rate = [[300, 0, 0], [0, 0, 300]], [1, 30, 30]
    sim.parachute.fit(area=1e4, drag_coefficient=1e4, fill=0, delay=0, attachment=attachment)
    sim.parachute.release()
    sim.sleep(2)
    assert np.isfinite(sim.vel).all()
    assert np.isfinite(sim.rate).all()
    assert np.isfinite(sim.parachute_torque).all()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"area": 0}, ValueError, "area: expected more than 0"),
        ({"area": np.nan}, ValueError, "area"),
        ({"area": 1, "descent": 2}, TypeError, "area: expected this or descent"),
        ({"descent": -1}, ValueError, "descent"),
        ({"drag_coefficient": 0}, ValueError, "drag_coefficient: expected more"),
        ({"delay": -1}, ValueError, "delay"),
        ({"attachment": [1, 2]}, ShapeError, "attachment"),
        ({"ids": 3}, ValueError, "ids"),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    sim = Sim("x450", 2)
    with pytest.raises(error, match=message):
        sim.parachute.fit(**arguments)
    assert not sim.parachute.enabled


def test_vehicles_without_one_are_named() -> None:
    sim = Sim("x450", 2)
    with pytest.raises(ParameterError, match="expected vehicles with one"):
        sim.parachute.release()
    with pytest.raises(ParameterError, match=r"x450.*parachute\.fit"):
        sim.safety.add("speed", maximum=1, action="parachute")
    sim.parachute.fit(2)
    with pytest.raises(ParameterError, match="expected vehicles with one, got 1"):
        sim.parachute.enable(ids=1)
    assert sim.parachute.release(2).all()
    assert repr(sim.parachute) == "<Parachute of 2 vehicles: released (1 of 2)>"
