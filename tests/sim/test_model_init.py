"""Starts of vehicles as RflySim's ModelInit_ parameters say: attitude, commands of actuators."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from pyrfly import ParameterError, Sim, load
from pyrfly.vehicles import names

SETS = sorted({load(name).family: name for name in names()}.values())


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_what_starts_above_the_ground_has_roll_and_pitch(name: str, precision: str) -> None:
    sim = Sim(name, 3, precision=precision)
    euler = np.array([[0.3, -0.2, 1.0], [-1.5, 1.2, -3.0], [0, 0.5, 0]])
    sim.reset(pos=[0, 0, -50], roll=euler[:, 0], pitch=euler[:, 1], yaw=euler[:, 2])
    np.testing.assert_allclose(sim.euler, euler, atol=1e-5)
    sim.reset(pos=[0, 0, -50], yaw=1.0)
    np.testing.assert_allclose(sim.euler, [[0, 0, 1]] * 3, atol=1e-5)


def test_what_stands_on_the_ground_is_as_the_ground() -> None:
    sim = Sim("x450", 2)
    sim.reset(pos=[[0, 0, -5], [0, 0, 0]], roll=0.4, pitch=0.2)
    np.testing.assert_allclose(sim.euler, [[0.4, 0.2, 0], [0, 0, 0]], atol=1e-12)


def test_estimators_begin_with_the_attitude_of_the_start() -> None:
    sim = Sim("x450")
    sim.sensors.enable_all("rflysim")
    sim.estimator.enable(fly=True)
    sim.reset(pos=[0, 0, -5], roll=0.4, pitch=-0.2, yaw=2.0)
    sim.step()
    np.testing.assert_allclose(sim.att_est, sim.att, atol=0.01)


def test_a_hover_is_level() -> None:
    with pytest.raises(ValueError, match="hover: expected False with roll or pitch, got True"):
        Sim("x450").reset(pos=[0, 0, -5], roll=0.1, hover=True)
    with pytest.raises(ValueError, match="pitch: expected finite"):
        Sim("x450").reset(pos=[0, 0, -5], pitch=np.nan)


@pytest.mark.parametrize("name", SETS)
def test_actuators_begin_with_the_commands_of_their_set(name: str) -> None:
    parameters = load(name)
    count = min(parameters.actuator_count, 3)
    sim = Sim(parameters.with_initial_inputs([0.1, 0.2, 0.3][:count]), 2)
    group = sim.groups[0]
    expected = [0.1, 0.2, 0.3][:count]
    for _ in range(2):
        commands = group.actuator_commands(slice(None))
        assert commands[:, :count].tolist() == [expected] * 2
        assert not commands[:, count:].any()
        group.view(group.actuators[0])[:] = 0.7
        sim.reset()


def test_a_file_says_them(tmp_path: Path) -> None:
    packaged = files("pyrfly") / "vehicles" / "multirotor" / "sets" / "x450.toml"
    path = tmp_path / "own.toml"
    path.write_text(f"initial_inputs = [0, 0, 0, -1]\n{packaged.read_text()}")
    assert load(path).initial_inputs == (0, 0, 0, -1)
    for wrong in ("[2]", "[0, 0, 0, 0, 0]", "1", '["a"]', "[nan]"):
        path.write_text(f"initial_inputs = {wrong}\n{packaged.read_text()}")
        with pytest.raises(ParameterError, match="initial_inputs: expected up to 4 numbers"):
            load(path)
