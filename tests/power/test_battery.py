"""csrc/models/battery.h, csrc/parts/power: cell curve, Ohm's law, charge, energy, motors."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.sim.battery_models import BATTERY_MODELS
from pyrfly.vehicles import FAMILIES

from .truth import at_rest, cell_voltage, on_a_bench

Array = NDArray[np.float64]

PERIOD = 0.01  # s, of the updates


CHARGES = np.array(
    [0, 0.01, 0.02, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
)
"""As the description of the column ``battery_curve`` says."""


def hovering(name: str = "sdk", n: int = 1, **settings: Any) -> pyrfly.Sim:
    sim = pyrfly.Sim(name, n)
    sim.power.enable(**settings)
    sim.reset(pos=np.broadcast_to((0, 0, -20), (n, 3)), hover=True)
    return sim


@pytest.mark.parametrize(
    ("used", "voltage", "step", "slopes"),
    [(0.2, 3.7, 1.2e-5, (-0.22738, -0.2)), (0.7, 3.6, 1e-12, (-0.2, -0.2))],
)
def test_curve_is_continuous_at_its_joints(
    used: float, voltage: float, step: float, slopes: tuple[float, float]
) -> None:
    sim = on_a_bench(4, load=0.0, cells=1, battery_model="rflysim")
    sim.state_of_charge[:] = 1 - (used + np.array([-1e-6, -1e-9, 1e-9, 1e-6]))
    sim.step()
    far_before, before, after, far_after = sim.battery_voltage
    assert (after, before) == pytest.approx((voltage, voltage), abs=step * 1.01 + 1e-9)
    found = (before - far_before) / 1e-6, (far_after - after) / 1e-6
    assert found == pytest.approx(slopes, abs=1e-3)


def test_curve_is_its_table_linear_between_and_never_rises_by_use() -> None:
    charge = np.linspace(1e-6, 1, 500)
    voltage = at_rest(charge)
    table = BATTERY_MODELS["lipo"].voltage
    np.testing.assert_allclose(voltage, np.interp(charge, CHARGES, table), rtol=1e-12)
    assert (np.diff(voltage) > 0).all()


def test_an_autopilot_reads_the_charge_at_rest() -> None:
    """PX4: linear from BAT1_V_EMPTY, 3.6 V, to BAT1_V_CHARGED, 4.05 V of a cell."""
    charge = np.linspace(0.05, 1, 20)
    estimate = np.clip((at_rest(charge) - 3.6) / (4.05 - 3.6), 0, 1)
    np.testing.assert_allclose(estimate, charge, atol=0.14)


def test_voltage_relaxes_by_its_time_constant() -> None:
    """R_1 I while the load is long, and its exponential once it is gone."""
    sim = on_a_bench(load=60.0, resistance=0.02)
    sim.battery_capacity[:] = 1e12
    sim.polarization_time[:] = 3.3
    sim.step(40_000)
    loaded, current = sim.battery_polarization[0], sim.battery_current[0]
    assert loaded == pytest.approx(0.02 * 0.627 * current, rel=1e-4)
    assert sim.battery_voltage[0] == pytest.approx(16.8 - loaded - 0.02 * current, rel=1e-9)
    sim.avionics_power[:] = 0
    sim.step(10)  # until the load is gone
    first = 16.8 - sim.battery_voltage[0]
    sim.step(2000)
    assert 16.8 - sim.battery_voltage[0] == pytest.approx(first * np.exp(-2 / 3.3), rel=1e-6)


def test_resistance_grows_towards_the_end() -> None:
    """As the R_series of [@chen-battery], 0.07446 + 0.1562 exp(-24.37 s) ohm."""
    charge = np.array([1, 0.5, 0.1, 0.05])
    sim = on_a_bench(4, load=0.1, cells=1, resistance=0.1)
    sim.state_of_charge[:] = charge
    sim.step()
    sag = (at_rest(charge) - sim.battery_voltage) / sim.battery_current
    np.testing.assert_allclose(sag / 0.1, [1, 1, 1.183, 1.620], rtol=2e-3)


def test_a_polarized_battery_keeps_sound_numbers_under_an_overload() -> None:
    sim = on_a_bench(2, load=1e6, resistance=[0, 0.1])
    sim.polarization_resistance[:] = 1e6
    for _ in range(20):
        sim.step(10)
        assert np.isfinite(sim.battery_voltage).all()
        assert (2 * sim.battery_polarization <= 16.8).all()
    assert sim.check().ok


def test_current_and_voltage_obey_ohm_and_the_load() -> None:
    """V = U - R I and V I = P, up to the greatest power U^2 / (4 R)."""
    load = np.array([0.0, 50, 400, 2000, 1e5])
    sim = on_a_bench(5, load=load, resistance=0.05)
    sim.step()
    open_circuit, voltage, current = 16.8, sim.battery_voltage, sim.battery_current
    np.testing.assert_allclose(voltage, open_circuit - 0.05 * current, rtol=1e-12)
    limit = open_circuit**2 / (4 * 0.05)
    np.testing.assert_allclose(voltage * current, np.minimum(load, limit), rtol=1e-12)
    np.testing.assert_allclose(voltage[3:], open_circuit / 2, rtol=1e-12)


def test_constant_power_empties_the_battery_after_the_integral_of_its_voltage() -> None:
    """P T = C times the integral of U over the used fraction, without resistance."""
    sim = on_a_bench(load=200.0, capacity=0.05, battery_model="rflysim")
    used = (np.arange(20_000) + 0.5) / 20_000
    expected = 0.05 * 3600 * 4 * cell_voltage(used).mean() / 200
    while sim.state_of_charge[0] > 0:
        sim.step(10)
    assert sim.time == pytest.approx(expected, abs=3 * PERIOD)
    assert sim.battery_energy[0] == pytest.approx(200 * expected, rel=5e-3)


def test_chemical_energy_is_delivered_or_heats_the_resistance() -> None:
    """The work of the polarized voltage is the delivered energy and that of the resistance."""
    sim = hovering(capacity=0.5, resistance=0.05)
    work = heat = 0.0
    for _ in range(1000):
        sim.step(10)
        current = float(sim.battery_current[0])
        # held from this update on, until the next one takes it from the charge
        work += (float(sim.battery_voltage[0]) + 0.05 * current) * current * PERIOD
        heat += 0.05 * current**2 * PERIOD
    sim.step(1)
    assert sim.battery_energy[0] == pytest.approx(work - heat, rel=1e-9)
    assert 1 - sim.state_of_charge[0] > 0.01


def test_load_is_the_power_of_the_rotors_over_the_efficiency() -> None:
    """Reaction torque times speed, of rotors without acceleration, and the avionics."""
    sim = pyrfly.Sim("iris", 2)
    sim.controllers = False
    sim.motor_tau[:] = 1e30
    sim.power.enable(efficiency=[0.8, 0.5], avionics=[3, 0], resistance=0)
    sim.rotor_speed[:] = [[500, 600, 700, 800], [0, 0, 0, 900]]
    shaft = (sim.rotor_torque_coef[:, 4:] * sim.rotor_speed**3).sum(axis=1)
    sim.step()
    expected = shaft / [0.8, 0.5] + [3, 0]
    np.testing.assert_allclose(sim.battery_voltage * sim.battery_current, expected, rtol=1e-9)


def test_thin_air_takes_less_power_at_a_speed() -> None:
    sim = pyrfly.Sim("sdk")
    sim.controllers = False
    sim.motor_tau[:] = 1e30
    sim.power.enable(avionics=0, resistance=0)
    sim.rotor_speed[:] = 500
    sim.step()
    dense = sim.battery_voltage * sim.battery_current
    sim.environment.enable("density")
    sim.reset(pos=(0, 0, -4000))
    sim.rotor_speed[:] = 500
    sim.step()
    ratio = sim.battery_voltage * sim.battery_current / dense
    assert ratio == pytest.approx(sim.air_density[0] / 1.225, rel=1e-9)


@pytest.mark.parametrize("name", ["sdk", "x450", "iris"])
def test_steady_rotor_speed_follows_the_voltage(name: str) -> None:
    """Throttle u at a voltage is as throttle u ratio at the full one [@rfly-model-api 7.1.1.1]."""
    sims = [pyrfly.Sim(name), pyrfly.Sim(name)]
    sims[0].power.enable(resistance=0)
    sims[0].state_of_charge[:] = 0.15
    sims[0].step()
    ratio = float(sims[0].voltage_ratio[0])
    assert ratio == pytest.approx(3.665 / 4.2)
    for sim, throttle in zip(sims, (0.7, 0.7 * ratio), strict=True):
        sim.controllers = False
        sim.gravity[:] = 0
        sim.reset(pos=(0, 0, -100))
        sim.throttle[:] = throttle
    sims[0].state_of_charge[:] = 0.15
    sims[0].battery_capacity[:] = 1e12
    for sim in sims:
        sim.step(2000)
    np.testing.assert_allclose(sims[0].rotor_speed, sims[1].rotor_speed, rtol=1e-6)


def test_voltage_sags_under_load_and_recovers() -> None:
    sim = hovering(resistance=0.1)
    sim.step(100)
    rest = float(sim.battery_voltage[0])
    sim.command_velocity((0, 0, -5))
    sim.step(300)
    climbing = float(sim.battery_voltage[0])
    sim.arm(False)
    sim.step(1000)
    assert climbing < rest - 0.2
    assert rest < sim.battery_voltage[0] < 16.8


def test_hover_lasts_its_endurance() -> None:
    """RflySim's rule: the charge is that of 1.4 endurances of hover."""
    sim = hovering("x450", endurance=60, resistance=0)
    while sim.state_of_charge[0] > 1 - 1 / 1.4:
        sim.step(100)
    assert sim.time == pytest.approx(60, rel=0.03)
    assert abs(sim.pos[0, 2] + 20) < 0.1


def test_vehicle_with_an_empty_battery_falls_with_sound_numbers() -> None:
    sim = hovering("x450", endurance=5, resistance=0.01)
    sim.step(6_000)
    assert abs(sim.pos[0, 2] + 20) < 0.2
    lowest = []
    while sim.state_of_charge[0] > 0:
        sim.step(100)
        lowest.append(float(sim.battery_voltage[0]))
    sim.step(10_000)
    assert min(lowest) < 12
    assert sim.battery_voltage[0] == sim.battery_current[0] == sim.voltage_ratio[0] == 0
    assert sim.state_of_charge[0] == 0
    assert sim.rotor_speed.max() < 1e-3
    assert abs(sim.pos[0, 2]) < 0.1
    assert sim.check().ok


@pytest.mark.parametrize(
    "name", sorted(p.stem for p in FAMILIES["multirotor"].sets.glob("[!_]*.toml"))
)
def test_a_part_that_is_off_changes_no_bit(name: str) -> None:
    """Neither enabled memory without a battery nor one that was switched off again."""
    sims = [pyrfly.Sim(name, 3) for _ in range(3)]
    sims[1].enable_part("power")
    sims[2].power.enable()
    sims[2].power.disable()
    for sim in sims:
        sim.wind[:] = (3, -2, 0.5)
        sim.arm()
        sim.command_position((1, 2, -10))
        sim.step(1500)
    for column in ("pos", "vel", "att", "rate", "rotor_speed"):
        for sim in sims[1:]:
            np.testing.assert_array_equal(getattr(sim, column), getattr(sims[0], column))
    assert sims[2].battery_energy.tolist() == [0, 0, 0]


def test_some_vehicles_have_a_battery() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.power.enable(ids=2, endurance=60)
    sim.reset(pos=[(0, 0, -9), (0, 3, -9)], hover=True)
    sim.step(3000)
    assert sim.voltage_ratio[0] == sim.state_of_charge[0] == 1
    assert sim.battery_energy[0] == 0
    assert sim.voltage_ratio[1] < 0.99


def test_results_do_not_depend_on_batch_threads_or_chunks() -> None:
    columns = (
        *("pos", "rotor_speed", "state_of_charge", "battery_voltage", "charge_remainder"),
        "battery_polarization",
    )

    def flown(n: int, threads: int, chunk: int) -> list[Array]:
        sim = pyrfly.Sim("x450", n, threads=threads)
        sim.power.enable(endurance=30)
        sim.arm()
        sim.command_position((1, 2, -10))
        for _ in range(600 // chunk):
            sim.step(chunk)
        return [getattr(sim, name)[:3].copy() for name in columns]

    together, alone = flown(300, 2, 6), flown(3, 1, 600)
    for found, expected in zip(together, alone, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_snapshot_holds_the_battery() -> None:
    sim = hovering("x450", endurance=20)
    sim.step(1234)
    saved = sim.snapshot()
    sim.step(2000)
    columns = ("state_of_charge", "battery_polarization", "pos")
    expected = [getattr(sim, name).copy() for name in columns]
    sim.restore(saved)
    other = pickle.loads(pickle.dumps(sim))
    for again in (sim, other):
        again.step(2000)
        for name, value in zip(columns, expected, strict=True):
            np.testing.assert_array_equal(getattr(again, name), value)


def test_float32_adds_up_small_currents() -> None:
    """A charge of 1e-8 of the capacity per update is far below the resolution of float32."""
    sims = [on_a_bench(load=0.1, sim={"precision": kind}) for kind in ("float64", "float32")]
    for sim in sims:
        sim.step(100_000)
    double, single = (1 - float(sim.state_of_charge[0]) for sim in sims)
    assert double == pytest.approx(0.1 / 16.8 * 100 / 18_000, rel=1e-2)
    assert single == pytest.approx(double, abs=1.2e-7)
