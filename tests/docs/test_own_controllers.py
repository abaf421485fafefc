"""docs/own-controllers.md: its calls work as written, also with several vehicles."""

import re
from pathlib import Path

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
