"""The power of propellers in water, by momentum theory, by energy, and by a propeller's torque."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import names

from .conftest import under_way


def with_ideal_battery(name: str, n: int = 1, depth: float = 0.0) -> pyrfly.Sim:
    sim = under_way(name, n, depth, dt=0.002)
    sim.power.enable(cells=12, avionics=0.0, efficiency=1.0, resistance=1e-9)
    return sim


def shaft_power(sim: pyrfly.Sim) -> np.ndarray:
    return np.asarray(sim.battery_voltage * sim.battery_current)


def held_at(sim: pyrfly.Sim, speed: float, turning: float) -> None:
    """Let the first thruster of vehicles at a speed [m/s] turn at a speed [rad/s]."""
    sim.vel[:] = [speed, 0.0, 0.0]
    sim.thruster_speed[:, 0] = turning
    sim.thruster_command[:, 0] = turning / sim.thruster_speed_max[0, 0]
    sim.step(1)


@pytest.mark.parametrize("speed", [0.0, 0.8, 2.0, -0.5])
def test_the_power_is_that_of_a_disk_that_moves_the_water(speed: float) -> None:
    """T (V + v) over the efficiency, where T = 2 rho A v (V + v); astern of it as at rest."""
    sim = with_ideal_battery("remus100", depth=20.0)
    turning = 140.0
    held_at(sim, speed, turning)
    relative = turning / sim.thruster_rated[0]
    thrust = sim.thruster_ahead[0, 1] * relative**2 - sim.thruster_advance[0] * speed * turning
    mass = float(sim.water_density[0]) * np.pi / 4 * float(sim.thruster_diameter[0]) ** 2
    efficiency = 1 / (sim.thruster_power[0] * np.sqrt(2 * mass))
    meets = max(speed, 0.0)
    added = np.roots([2 * mass, 2 * mass * meets, -thrust]).max()
    expected = thrust * (meets + added) / efficiency
    assert shaft_power(sim)[0] == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("name", [n for n in names("marine") if not pyrfly.Sim(n).ship_size.any()])
def test_a_propeller_gives_no_more_than_its_shaft(name: str) -> None:
    """At a steady speed the thrust ahead does the work of the drag."""
    sim = with_ideal_battery(name, depth=20.0 * (name == "remus100"))
    ahead = sim.thruster_axis[0, : sim.thruster_command.shape[1]]
    sim.thruster_command[:] = 0.6 * np.sign(ahead) * (abs(ahead) > 0.1)
    sim.sleep(20)
    speed = abs(float(sim.vel_body[0, 0]))
    drag = float(sim.drag_linear[0, 0] + sim.drag_quadratic[0, 0] * speed) * speed
    assert speed > 0.3
    assert drag * speed < 0.75 * shaft_power(sim)[0]


@pytest.mark.parametrize(
    ("name", "speed", "turns", "coefficient"),
    [("kvlcc2", 1.179, 10.4, 0.0240), ("kvlcc2_full", 7.97, 73.9 / 60, 0.0193)],
)
def test_the_tanker_takes_the_torque_of_its_propeller(
    name: str, speed: float, turns: float, coefficient: float
) -> None:
    """K_Q of model tests and of the ship at 15.5 knots [SIMMAN 2008]."""
    sim = with_ideal_battery(name)
    held_at(sim, speed, 2 * np.pi * turns)
    diameter = float(sim.thruster_diameter[0])
    torque = coefficient * float(sim.water_density[0]) * turns**2 * diameter**5
    assert shaft_power(sim)[0] == pytest.approx(2 * np.pi * turns * torque, rel=0.1)


@pytest.mark.parametrize("name", ["kvlcc2", "otter"])
def test_a_lost_propeller_takes_no_power_and_races_no_rudder(name: str) -> None:
    sim = with_ideal_battery(name)
    sim.set_strength(np.zeros(pyrfly.load(name).actuator_count))
    if sim.fin_coef[0, 0] > 0:
        sim.set_strength([0.0] + [1.0] * (pyrfly.load(name).actuator_count - 1))
        sim.fin_command[:, 0] = 1.0
    sim.thruster_command[:, 0] = 1.0
    sim.sleep(10)
    assert shaft_power(sim)[0] == pytest.approx(0.0, abs=1e-6)
    assert np.linalg.norm(sim.vel[0]) < 1e-3
    assert abs(sim.rate[0, 2]) < 1e-4


@pytest.mark.parametrize(("volts", "newton"), [(16.0, 51.5), (12.0, 36.4)])
def test_a_t200_keeps_the_thrust_that_its_maker_has(volts: float, newton: float) -> None:
    """Of 65.7 N at 20 V, full throttle."""
    sim = with_ideal_battery("bluerov2_heavy", depth=20.0)
    sim.battery_curve[:] = volts / 20
    sim.thruster_command[:, 0] = 1.0
    sim.sleep(0.5)
    relative = float(sim.thruster_speed[0, 0] / sim.thruster_rated[0])
    thrust = np.polyval([*sim.thruster_ahead[0, ::-1], 0.0], relative)
    assert thrust == pytest.approx(newton, rel=0.17)
