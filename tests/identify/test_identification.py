"""Parameters of simulated vehicles, of which the truth is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim, load
from pyrfly.cli import main
from pyrfly.errors import ParameterError
from pyrfly.identify import Identification, identify
from pyrfly.identify.excitation import SetPoint, fly
from pyrfly.log import Log
from pyrfly.vehicles import FAMILIES, Family

from .conftest import flown

FEW = ("motor_tau", "inertia_xx")


told: list[str] = []


@pytest.fixture(name="few", scope="module")
def few_fixture(short: Log) -> Identification:
    return identify(short, "x450", free=FEW, method="equation", told=told.append)


@pytest.mark.usefixtures("few")
def test_how_far_it_is_is_told() -> None:
    assert told[0] == "reads the log"
    assert told[1].startswith("fits ")
    assert told[1].endswith(" segments: 1")


def test_some_parameters_are_found_within_their_intervals(few: Identification) -> None:
    for name in FEW:
        low, high = few[name].interval
        half = (high - low) / 2
        assert abs(few[name].value - few[name].start) < 2 * half
        assert 0 < half < 0.02 * few[name].start
    assert few["mass"].status == "held"
    assert np.isnan(few["mass"].deviation)
    assert few["wind_north"].status == "of the flight"
    assert few.converged


def test_a_name_that_is_none_is_refused_with_near_ones(short: Log, few: Identification) -> None:
    with pytest.raises(ParameterError, match="free: unknown parameter 'inertia'; try inertia_"):
        identify(short, "x450", free=["inertia"])
    with pytest.raises(ParameterError, match="known: unknown parameter 'weight'"):
        identify(short, "x450", known={"weight": 1.0})
    with pytest.raises(ParameterError, match=r"mass: expected a number of at least .* got -1"):
        identify(short, "x450", known={"mass": -1.0})
    with pytest.raises(KeyError, match="no parameter 'motor_tau_3'; try motor_tau"):
        few["motor_tau_3"]


def test_what_cannot_be_identified_is_refused(short: Log) -> None:
    with pytest.raises(ParameterError, match="log: throttle: expected 6 commands"):
        identify(short, "hex_x")
    with pytest.raises(ParameterError, match="segment: expected more than 0 s, got -1"):
        identify(short, "x450", segment=-1)
    with pytest.raises(ValueError, match="method: expected output or equation, got 'best'"):
        identify(short, "x450", method="best")
    with pytest.raises(ParameterError, match=r"expected at least .* s of flight"):
        identify(short, "x450", end=short.time[0] + 1.0)


@pytest.mark.parametrize("family", [f for f in FAMILIES.values() if f.recipe is None], ids=str)
def test_a_family_without_a_recipe_is_refused(family: Family[Any], short: Log) -> None:
    vehicle = family.set_files()[0].stem
    message = f"vehicle: expected a set of a .*multirotor.*, got {vehicle}, of a {family.name}"
    with pytest.raises(ParameterError, match=message):
        identify(short, vehicle)


def test_values_that_no_vehicle_has_are_refused(short: Log) -> None:
    rates = np.array(short["imu_gyro"])
    rates[500:700] = 1e9
    columns = {**short.columns, "imu_gyro": rates}
    with pytest.raises(ParameterError, match="expected values that a vehicle can have"):
        identify(replace(short, columns=columns), "x450", free=["inertia_xx"], method="equation")


def test_the_written_set_is_that_which_was_identified(few: Identification, tmp_path: Path) -> None:
    few.save(tmp_path / "mine.toml")
    params = load(tmp_path / "mine.toml")
    assert params.layout == "quad_x"
    assert params.columns["motor_tau"][0] == pytest.approx(few["motor_tau"].value, rel=1e-8)
    assert params.columns["inertia"][0] == pytest.approx(few["inertia_xx"].value, rel=1e-8)
    assert "95 %" in params.sources["motor_tau"]
    np.testing.assert_array_equal(params.columns["mass"], load("x450").columns["mass"])
    with pytest.raises(ParameterError, match=r"path: expected a name that ends in \.toml"):
        few.save(tmp_path / "mine.json")


def test_an_estimate_at_its_bound_has_no_interval_and_says_so(short: Log) -> None:
    """Sensors that feel almost no motors: their speed goes to the least one."""
    weak = {name: 1e-3 * short[name] for name in ("imu_accel", "imu_gyro")}
    log = replace(short, columns={**short.columns, **weak})
    found = identify(log, "x450", free=["motor_curve_2"], method="equation")
    one = found["motor_curve_2"]
    assert one.status == "at its bound"
    assert not one.identified
    assert one.value == pytest.approx(0.01 * one.start)
    assert np.isnan(one.interval).all()
    assert "(at its bound)" in str(found)
    assert found.parameters.columns["motor_curve"][1] == pytest.approx(one.value)
    assert "at its bound" in found.document()["motor_curve"]["source"]


def test_a_search_that_has_not_converged_says_so(few: Identification) -> None:
    assert "not converged" in str(replace(few, converged=False))
    assert "not converged" not in str(few)


@pytest.mark.slow
def test_the_command_prints_a_table_and_writes_a_set(
    short: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short.save(tmp_path / "flight.npz")
    words = ["--set", "x450", "--free", "inertia_yy", "--method", "equation", "--known", "mass=2"]
    out, report = tmp_path / "mine.toml", tmp_path / "report.html"
    words += ["-o", str(out), "--report", str(report)]
    assert main(["identify", str(tmp_path / "flight.npz"), *words]) == 0
    assert "inertia_yy" in capsys.readouterr().out
    assert load(out).columns["mass"] == [2.0]
    page = report.read_text()
    assert page.count("data:image/png;base64,") == 3
    assert "inertia_yy" in page
    assert main(["identify", str(out)]) == 2
    assert "expected a log" in capsys.readouterr().err


@pytest.mark.slow
def test_what_a_hover_does_not_excite_is_told_and_not_guessed() -> None:
    sim = Sim("x450")
    sim.sensors.enable_all("px4")
    sim.estimator.enable()
    sim.reset(pos=[0, 0, -30], hover=True, seed=1)
    log = fly(sim, [SetPoint(0, (0, 0, 0), 0), SetPoint(5, (0, 0, 0), 0)])
    found = identify(log, "x450", free=["motor_curve_2", "drag_linear_z"])
    assert found["drag_linear_z"].status == "not excited"
    assert found["drag_linear_z"].value == found["drag_linear_z"].start
    assert "not excited" in str(found)


@pytest.mark.slow
@pytest.mark.parametrize("turbulence", [None, "light"])
def test_intervals_of_flights_hold_the_truth(turbulence: str | None) -> None:
    """Six flights with other noise each; of 18 intervals of 95 % less than 14 in 1 of 600."""
    log = flown("x450", 6, n=6, turbulence=turbulence)
    names = ["motor_tau", "inertia_xx", "drag_linear_x"]
    held = []
    for copter_id in log.copter_ids:
        found = identify(log, "x450", free=names, copter_id=int(copter_id))
        for name in names:
            low, high = found[name].interval
            held.append(low <= found[name].start <= high)
    assert sum(held) >= 14
