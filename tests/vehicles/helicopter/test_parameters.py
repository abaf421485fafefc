"""Parameter sets of helicopters: what is refused, what is unusual, what the gains follow from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pyrfly
from pyrfly import ParameterError, vehicles, wire
from pyrfly.vehicles import FAMILIES

FOLDER = FAMILIES["helicopter"].sets
SETS = vehicles.names("helicopter")


def changed(tmp_path: Path, name: str, **values: object) -> Path:
    """Return a file of a packaged set with other values."""
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    for key, value in values.items():
        text, count = re.subn(rf"(\[{key}\]\nvalue = ).*", rf"\g<1>{value}", text)
        assert count == 1, key
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", SETS)
def test_a_packaged_set_is_usual_and_has_a_source_on_every_value(name: str) -> None:
    vehicle = vehicles.load(name)
    assert all(quantity.usual for quantity in FAMILIES["helicopter"].plausibility(vehicle))
    assert set(vehicle.sources) == set(vehicle.columns)
    assert all(len(source) > 3 for source in vehicle.sources.values())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mass": 0.0}, "mass: value: expected more than 0"),
        ({"mass": 8.0}, r"cannot lift: the rotor has .* N by its blades and 0\.9 of the engine"),
        ({"engine_torque": 0.5}, "cannot lift"),
        ({"engine_torque": 1e-6}, "cannot lift: the rotor has 0 N"),
        ({"tail_authority": 10.0}, "tail_authority: value: expected"),
        ({"engine_speed": 200.0}, "engine_speed: value: expected"),
        ({"swash_count": 3.5}, "swash_count: value: expected 3 or 4"),
        ({"swash_count": 2.0}, "swash_count: value: expected at least 3"),
        ({"swash_angle": "[1.0, 1.0, 1.0, 0.0]"}, "swash_angle: expected"),
        ({"swash_arm": "[0.0, 1.0, 0.0, 0.0]"}, "swash_angle: expected"),
        ({"tip_path_gain": "[0.0, 1.0, 1.0, 0.0]"}, "tip_path_gain: expected"),
        ({"inertia": "[0.1, 0.01, 0.01, 0.0, 0.0, 0.0]"}, "positive principal moments"),
        ({"induced_factor": 0.5}, "induced_factor: value: expected"),
        ({"tip_path_tau": "nan"}, "tip_path_tau: value: expected a number"),
    ],
)
def test_an_impossible_set_is_refused(
    values: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=message):
        vehicles.load(changed(tmp_path, "blade_360", **values))


def test_there_is_one_model() -> None:
    with pytest.raises(ParameterError, match="effects: expected"):
        pyrfly.Sim("blade_360", effects="plain")


def test_an_unusual_set_warns(tmp_path: Path) -> None:
    path = changed(tmp_path, "blade_360", profile_power=1.0, induced_factor=1.0)
    with pytest.warns(pyrfly.ParameterWarning, match="figure of merit"):
        vehicles.load(path)


def test_gains_follow_from_the_numbers(tmp_path: Path) -> None:
    family = FAMILIES["helicopter"]
    usual = vehicles.load("blade_360")
    slow = vehicles.load(changed(tmp_path, "blade_360", swash_tau=0.08))
    gains, slower = (family.gains(v.columns, v.c_type) for v in (usual, slow))
    # 1 / (2.6 D) with D the servos' lag, 1 / (Ma tau), 2 ms and half of 4 ms
    lags = 0.04 + 1 / (796.7 * 0.0353) + 0.002 + 0.002
    assert gains["attitude_p"][0] == pytest.approx(1 / (2.6 * lags))
    assert slower["attitude_p"][0] == pytest.approx(1 / (2.6 * (lags + 0.04)))
    assert slower["velocity_p"][0] == pytest.approx(0.5 * slower["attitude_p"][0])


def test_a_slower_helicopter_flies(tmp_path: Path) -> None:
    sim = pyrfly.Sim(changed(tmp_path, "blade_360", swash_tau=0.08, mass=1.0))
    sim.reset(pos=[0, 0, -10], hover=True)
    sim.command_position([3, -2, -12], yaw=1.0)
    sim.sleep(20)
    assert sim.pos[0] == pytest.approx([3, -2, -12], abs=0.05)


@pytest.mark.parametrize("number", ["0", "-3", "true", '"plane"', "1.5", "2147483648"])
def test_another_class_is_a_number(tmp_path: Path, number: str) -> None:
    """RflySim's ModelParam_3DType."""
    path = changed(tmp_path, SETS[0])
    source = path.read_text()
    path.write_text(f"display_class = {number}\n{source}")
    with pytest.raises(ParameterError, match="display_class: expected a number"):
        vehicles.load(path)
    path.write_text(f"display_class = 100000\n{source}")
    assert wire.pack(pyrfly.Sim(path), "SOut2Simulator")["vehicleType"].tolist() == [100000]
