"""Batteries from voltage and current."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.cli import main
from pyrfly.errors import ParameterError, ParameterWarning
from pyrfly.identify import identify_battery
from pyrfly.log import Log, Recorder

TRUTH = {
    "battery_full_voltage": 16.6,
    "battery_capacity": 4.6 * 3600,
    "battery_resistance": 0.02,
    "polarization_resistance": 0.008,
}


@pytest.fixture(name="exact", scope="module")
def exact_fixture() -> Log:
    """Return two minutes of a vehicle that goes to and fro, at 50 Hz."""
    sim = Sim("x450", dt=4e-3)
    sim.power.enable(cells=4, capacity=5.0)
    for name, value in TRUTH.items():
        getattr(sim, name)[:] = value
    sim.reset(pos=[0, 0, -10], hover=True)
    recorder = Recorder(sim, ("battery_voltage", "battery_current", "state_of_charge"))
    sim.add_listener(recorder.sample, 0.02)
    for k in range(40):
        sim.command_velocity([8 * (-1) ** k, 0, 2 * (-1) ** (k // 3)])
        sim.sleep(3)
    return recorder.log()


def every(log: Log, step: int) -> Log:
    """Return a log with fewer samples."""
    columns = {name: values[::step] for name, values in log.columns.items()}
    return replace(log, time=log.time[::step], columns=columns)


@pytest.fixture(name="discharge", scope="module")
def discharge_fixture(exact: Log) -> Log:
    """Return the same at 10 Hz, with noise."""
    log, random = every(exact, 5), np.random.default_rng(1)
    noisy = {
        name: log[name] + random.normal(0, deviation, log[name].shape)
        for name, deviation in (("battery_voltage", 0.02), ("battery_current", 0.2))
    }
    return replace(log, columns={**log.columns, **noisy})


def test_a_current_that_changes_quickly_does_not_bias_the_resistance(exact: Log) -> None:
    found = identify_battery(exact, 5.0, 4)
    assert found.estimates["battery_resistance"].value == pytest.approx(0.02, rel=2e-3)


def test_the_interval_of_the_capacity_counts_what_samples_miss(exact: Log) -> None:
    known = {name: value for name, value in TRUTH.items() if name != "battery_capacity"}
    found = identify_battery(every(exact, 5), 5.0, 4, known=known)
    low, high = found.estimates["battery_capacity"].interval
    assert low < TRUTH["battery_capacity"] < high
    with pytest.warns(ParameterWarning, match=r"at least 5 samples .* each 0.5 s, got 2.5"):
        identify_battery(every(exact, 10), 5.0, 4, known=known)


@pytest.mark.slow
def test_a_battery_is_found_and_given_to_a_simulation(discharge: Log) -> None:
    found = identify_battery(discharge, 5.0, 4)
    for name, value in TRUTH.items():
        one = found.estimates[name]
        assert abs(one.value - value) < 2 * (one.interval[1] - one.value), name
        assert one.value == pytest.approx(value, rel=0.2)
    sim = Sim("x450")
    sim.power.enable(cells=4, capacity=5.0)
    found.set(sim)
    assert sim.battery_resistance[0] == found.estimates["battery_resistance"].value


@pytest.mark.slow
def test_what_is_known_is_held(
    discharge: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = identify_battery(discharge, 5.0, 4, known={"battery_capacity": 16560.0})
    assert found.estimates["battery_capacity"].value == 16560.0
    assert found.estimates["battery_capacity"].status == "held"
    discharge.save(tmp_path / "flight.npz")
    assert main(["identify", str(tmp_path / "flight.npz"), "--battery", "5"]) == 0
    assert "battery_resistance" in capsys.readouterr().out


def test_a_log_that_does_not_tell_is_refused(discharge: Log) -> None:
    with pytest.raises(ParameterError, match="known: unknown parameter 'resistance'"):
        identify_battery(discharge, 5.0, 4, known={"resistance": 1.0})
    short = {name: values[:300] for name, values in discharge.columns.items()}
    with pytest.raises(ParameterError, match="expected at least 60 s of voltage and current"):
        identify_battery(replace(discharge, time=discharge.time[:300], columns=short), 5.0, 4)
    bare = replace(discharge, columns={}, fields={})
    with pytest.raises(ParameterError, match="expected the column battery_voltage"):
        identify_battery(bare, 5.0, 4)
