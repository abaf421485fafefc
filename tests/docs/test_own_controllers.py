"""docs/own-controllers.md: its calls work as written, also with several vehicles."""

import re
from pathlib import Path

import numpy as np

from pyrfly import Sim

PAGE = Path(__file__).resolve().parents[2] / "docs" / "own-controllers.md"


def test_the_calls_for_a_linear_model_work_with_several_vehicles():
    calls = re.findall(
        r"^- `([^`]*sim\.(?:trim|linearize)\([^`]*)`", PAGE.read_text(), re.MULTILINE
    )
    assert len(calls) == 2
    names = {"sim": Sim("x450", 2)}
    for call in calls:
        exec(re.sub(r"(, )?\w+=\.\.\.", "", call), names)
    assert names["point"].state["pos"].shape == (1, 3)


def test_the_program_with_a_failed_rotor_holds_its_place(capsys):
    """An octocopter does without one rotor, which the healthy vehicle beside it has."""
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (program,) = (text for text in programs if "rotor_thrust_coef" in text)
    names = {}
    exec(program, names)
    sim = names["sim"]
    assert capsys.readouterr().out
    assert (sim.throttle[1] - sim.throttle[0])[3:].max() > 0.01
    assert sim.throttle[1, 2] == 0
    np.testing.assert_allclose(sim.pos, [[0, 0, -20]] * 2, atol=0.01)


def test_the_program_with_a_car_trims_it_and_finds_it_stable(capsys):
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (program,) = (text for text in programs if "yaw_rate=" in text)
    exec(program, {})
    assert "deg" in capsys.readouterr().out
