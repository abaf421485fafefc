"""Parameter sets of rovers that make no sense warn."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from pyrfly import ParameterWarning, vehicles
from pyrfly.vehicles import FAMILIES

FAMILY = FAMILIES["rover"]


@pytest.mark.parametrize("name", vehicles.names("rover"))
def test_packaged_sets_are_usual(name: str) -> None:
    found = FAMILY.plausibility(vehicles.load(name))
    assert len(found) == 9
    assert all(quantity.usual for quantity in found), [str(q) for q in found if not q.usual]


def test_the_numbers_of_the_turtlebot() -> None:
    """From its manual: 1 kg, 0.22 m/s, 0.16 m between wheels of 33 mm, 0.7 N m a side."""
    found = {q.name: q.value for q in FAMILY.plausibility(vehicles.load("turtlebot3_burger"))}
    expected = {
        "mass [kg]": 1.0,
        "track [m]": 0.16,
        "wheel radius over track": 33 / 160,
        "maximum speed [m/s]": 0.22,
        "yaw radius of gyration over track": math.sqrt(0.00454) / 0.16,
        "pull of the motors over weight": 2 * 0.7 / 0.033 / 9.8,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("mass", 17000.0, r"mass \[kg\] 1\.7e\+04, usual 0\.05 to 5000"),
        ("mass", 0.8, r"mass over cube of the track \[kg/m\^3\] 3\.7, usual"),
        ("track", 56.0, r"track \[m\] 56, usual 0\.03 to 4"),
        ("wheel_radius", 0.9, r"wheel radius over track 1\.5, usual"),
        ("wheel_speed_max", 2000.0, r"maximum speed \[m/s\] 200, usual"),
        ("yaw_inertia", 46.0, r"yaw radius of gyration over track 4, usual"),
    ],
)
def test_what_is_unusual_warns(column: str, value: float, message: str, tmp_path: Path) -> None:
    text = (FAMILY.sets / "rover_differential.toml").read_text(encoding="utf-8")
    text, count = re.subn(rf"(\[{column}\]\nvalue = ).*", rf"\g<1>{value}", text)
    assert count == 1
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.warns(ParameterWarning) as warned:
        vehicles.load(path)
    assert any(re.search(message, str(w.message)) for w in warned), [str(w.message) for w in warned]
