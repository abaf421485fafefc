"""Batteries against measured packs, a model of electrodes, and RflySim's curve."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pyrfly

from ..comparison import Comparison, Figure, Truth

Array = NDArray[np.float64]


def on_a_bench(n: int = 1, load: Any = 100.0, **settings: Any) -> pyrfly.Sim:
    """Return vehicles whose avionics alone take a constant power [W]; the motors stand still."""
    sim = pyrfly.Sim("x450", n, **settings.pop("sim", {}))
    sim.power.enable(avionics=load, **{"cells": 4, "capacity": 5, "resistance": 0.0, **settings})
    return sim


def at_rest(charge: Any) -> Array:
    """Return the voltage of a cell [V] at rest."""
    sim = on_a_bench(len(charge), load=0.0, cells=1)
    sim.state_of_charge[:] = charge
    sim.step()
    return np.array(sim.battery_voltage)


def largest(found: Any, expected: Any) -> float:
    return float(np.abs(np.subtract(found, expected)).max())


# --- RflySim's


def cell_voltage(used: Array) -> Array:
    """Return the open-circuit voltage of a cell [V] as printed in [@rfly-safe]."""
    return np.select(
        [used < 0.2, used < 0.7],
        [
            -14.029 * used**3 + 16.975 * used**2 - 5.3339 * used + 4.2,
            -0.2 * used + 3.74,
        ],
        -48 * used**3 + 89.6 * used**2 - 55.08 * used + 14.716,
    )


def rflysim_error() -> float:
    used = np.array([0, 0.1, 0.2 - 1e-9, 0.2 + 1e-9, 0.5, 0.7 - 1e-9, 0.7, 0.9, 0.999])
    sim = on_a_bench(len(used), load=0.0, battery_model="rflysim")
    sim.state_of_charge[:] = 1 - used
    sim.step()
    assert largest(sim.voltage_ratio, cell_voltage(used) / 4.2) < 1e-12
    return largest(sim.battery_voltage / 4, cell_voltage(used))


# --- measured, and of electrodes

ELECTRODES = {0.05: 3.5421, 0.1: 3.6396, 0.2: 3.6954, 0.5: 3.7925, 0.8: 3.9945, 0.9: 4.0879, 1: 4.2}
"""Open-circuit voltage by charge, where our table has the same rows [@pybamm]."""
BETWEEN = {0.03: 3.4239, 0.25: 3.7168, 0.95: 4.1384}
PACK = {
    0.15: 3.658,
    0.2: 3.693,
    0.3: 3.730,
    0.4: 3.748,
    0.5: 3.771,
    0.6: 3.814,
    0.7: 3.884,
    0.8: 3.952,
    0.9: 4.061,
    1: 4.187,
}
"""Voltage of a cell of a pack of 16 A h at 4.1 A by charge, measured [@ardupilot]."""
DISCHARGES = {
    4.2: (1200, (3.976, 3.846, 3.749, 3.689, 3.638)),
    8.4: (600, (3.905, 3.774, 3.679, 3.611, 3.548)),
}
"""Seconds between the voltages by power [W], of the cell of 2.465 A h [@pybamm]."""


def rest_error(published: dict[float, float]) -> float:
    return largest(at_rest([*published]), [*published.values()])


def other_cell_error() -> float:
    """Return that of the fit of [@chen-battery] to a TCL PL-383562, which is full with 4.1 V."""
    s = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    fit = -1.031 * np.exp(-35 * s) + 3.685 + 0.2156 * s - 0.1178 * s**2 + 0.3201 * s**3
    return largest(at_rest(s), fit)


@cache
def of_the_pack() -> Array:
    """Return the voltages of a cell at the charges of the measured pack [V]."""
    charge, measured = np.array([*PACK]), np.array([*PACK.values()])
    sim = on_a_bench(len(charge), load=4.1 * measured, cells=1, capacity=16, resistance=None)
    sim.battery_capacity[:] = 1e9  # the charge holds still while it polarizes
    sim.polarization_time[:] = 1
    sim.state_of_charge[:] = charge
    sim.step(8000)
    np.testing.assert_allclose(sim.battery_current, 4.1, rtol=0.012)
    return np.array(sim.battery_voltage)


def pack_error() -> float:
    return largest(of_the_pack(), [*PACK.values()])


@cache
def discharged(power: float) -> Array:
    """Return the voltages of a cell under a constant power.

    Its resistances are those of pulses of the DFN model: 92 mV at once and 35 mV with 42 s per C,
    at half the charge. A cell of a twentieth of the charge runs through the same curve in a
    twentieth of the time.
    """
    seconds, voltages = DISCHARGES[power]
    sim = on_a_bench(load=power, cells=1, capacity=2.465 / 20, resistance=0.0404)
    sim.controllers = False
    sim.polarization_resistance[:] = 0.0154
    sim.polarization_time[:] = 42 / 20
    found = []
    for _ in voltages:
        sim.step(seconds * 1000 // 20)
        found.append(float(sim.battery_voltage[0]))
    return np.array(found)


def discharge_error(power: float) -> float:
    return largest(discharged(power), DISCHARGES[power][1])


def draw_batteries(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    charge = np.linspace(0.02, 1, 99)
    (line,) = left.plot(100 * charge, at_rest(charge), label="at rest, PyBaMM")
    known = {**ELECTRODES, **BETWEEN}
    left.plot(100 * np.array([*known]), [*known.values()], "o", color=line.get_color(), ms=4)
    (line,) = left.plot(100 * np.array([*PACK]), of_the_pack(), label="4.1 A, measured")
    left.plot(100 * np.array([*PACK]), [*PACK.values()], "o", color=line.get_color(), ms=4)
    left.set(xlabel="charge, %", ylabel="voltage of a cell, V")
    for power, (seconds, voltages) in DISCHARGES.items():
        time = seconds / 60 * np.arange(1, 6)
        (line,) = right.plot(time, discharged(power), label=f"{power} W")
        right.plot(time, voltages, "o", color=line.get_color(), ms=4)
    right.set(xlabel="time, min", ylabel="voltage of a cell, V")
    for axes in (left, right):
        axes.legend(title="line: pyrfly, dots: truth", fontsize=8, title_fontsize=8)


BATTERIES = Truth(
    "Batteries",
    "measured; another program",
    ("pybamm", "ai-pouch-cell", "ardupilot", "chen-battery", "rfly-safe"),
    "PyBaMM solves the equations of the electrodes of a lithium polymer cell: its open-circuit"
    " voltages, of which our table is made, and its discharges, which are not in it. A pack of 16"
    " A h whose voltage was measured on flights, and a cell of another maker, have curves of"
    " their own; how far ours are from them is what cells differ by. RflySim's battery is the"
    " printed curve.",
    "temperature and age; cells other than lithium polymer.",
    (
        Comparison(
            "battery-electrodes", "open-circuit voltage of a cell at seven charges, PyBaMM",
            partial(rest_error, ELECTRODES), 6e-4, "V",
        ),
        Comparison(
            "battery-between", "the same between rows of our table, PyBaMM",
            partial(rest_error, BETWEEN), 0.02, "V",
        ),
        *(
            Comparison(
                f"battery-discharge-{power:g}".replace(".", "-") + "-w",
                f"voltage of a cell under {power} W, five times, PyBaMM's DFN",
                partial(discharge_error, power), 0.035, "V",
            )
            for power in DISCHARGES
        ),
        Comparison(
            "battery-pack", "voltage of a cell of a measured pack at 4.1 A", pack_error, 0.042, "V"
        ),
        Comparison(
            "battery-other-cell", "open-circuit voltage of another polymer cell, measured",
            other_cell_error, 0.05, "V",
        ),
        Comparison(
            "battery-rflysim", "open-circuit voltage of a cell, RflySim's curve", rflysim_error,
            1e-12, "V", rounding=1e-13,
        ),
    ),
    "tests/power/test_truth.py",
    (Figure("batteries", "Voltages of a cell.", draw_batteries),),
)  # fmt: skip

TRUTHS = (BATTERIES,)
