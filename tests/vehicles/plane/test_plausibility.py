"""Parameter sets of planes that make no sense warn."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from pyrfly import ParameterWarning, vehicles
from pyrfly.cli import main
from pyrfly.vehicles import FAMILIES

FAMILY = FAMILIES["plane"]
SETS = vehicles.names("plane")


def changed(tmp_path: Path, name: str, **values: str) -> Path:
    """Return a file of a packaged set with other values."""
    text = (FAMILY.sets / f"{name}.toml").read_text(encoding="utf-8")
    for key, value in values.items():
        text, count = re.subn(rf"(\[{key}\]\nvalue = ).*", rf"\g<1>{value}", text)
        assert count == 1, key
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", SETS)
def test_packaged_sets_are_usual(name: str) -> None:
    found = FAMILY.plausibility(vehicles.load(name))
    assert len(found) == 19
    assert all(quantity.usual for quantity in found), [str(q) for q in found if not q.usual]


def test_the_numbers_of_the_aerosonde() -> None:
    """From its table: 11 kg, 0.55 m^2, 2.8956 m."""
    found = {q.name: q.value for q in FAMILY.plausibility(vehicles.load("aerosonde"))}
    ratio = 2.8956**2 / 0.55
    slope = math.pi * ratio / (1 + math.sqrt(1 + (ratio / 2) ** 2))
    expected = {
        "wing loading [kg/m^2]": 20.0,
        "aspect ratio": ratio,
        "lift slope over that of its aspect ratio": 5.61 / slope,
        "span efficiency": 0.9,
        "static margin over chord": 2.74 / 5.61,
        "lift over drag": 10.4,  # of its published trim at 25 m/s
        "helix angle of a roll, p b / (2 V) [rad]": 0.17 * 0.79 / 0.51,
        "roll radius of gyration over span": math.sqrt(0.8244 / 11) / 2.8956,
        "time constant of the servos [s]": 0.025,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=5e-3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mass": "0.3"}, r"wing loading \[kg/m\^2\] 0\.545, usual 1 to 60"),
        ({"wing_span": "0.9"}, r"aspect ratio 1\.47, usual 2 to 30"),
        # it would give more power than it takes
        (
            {"propeller_torque": "[0.002, 0.0, 0.0]"},
            r"best efficiency of the propeller 1\.66",
        ),
        ({"wing_chord": "0.4"}, r"chord over area per span 2\.11, usual 0\.8 to 1\.35"),
        ({"lift_coef": "[0.23, 8.0, 7.95, 0.13, 0.0]"}, "lift slope over that of its aspect ratio"),
        ({"induced_drag": "0.06"}, r"span efficiency 0\.348, usual"),
        ({"drag_coef": "[0.002, 0, 0, 0.0135, 0]"}, r"drag coefficient without lift 0\.002, usual"),
        ({"pitch_coef": "[0.0135, -5.0, -38.21, -0.99, 0.0]"}, "static margin over chord 0.891"),
        ({"rated_airspeed": "14"}, r"rated over stall airspeed 1\.0\d, usual 1\.1 to 3"),
        ({"motor_voltage": "36.0"}, r"throttle 0\.9\d+, usual 0\.1 to 0\.95"),
        ({"roll_coef": "[0, -0.13, -0.51, 0.25, 0.01, 0.0024]"}, "helix angle of a roll"),
        ({"inertia": "[0.08, 0.2, 0.25, 0, 0, 0]"}, "roll radius of gyration over span 0.0295"),
        # that of springs that sag by 1 mm
        ({"gear_stiffness": "40000.0"}, r"load over weight of a landing with 2\.13 m/s 2"),
        ({"servo_tau": "0.4"}, r"time constant of the servos \[s\] 0\.4, usual"),
    ],
)
def test_an_unusual_number_warns_with_its_usual_range(
    values: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.warns(ParameterWarning) as caught:
        vehicles.load(changed(tmp_path, "aerosonde", **values))
    assert any(re.search(f"mine.toml: {message}", str(w.message)) for w in caught), [
        str(w.message) for w in caught
    ]


def test_the_command_line_shows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(tmp_path, "aerosonde", mass="0.3")
    assert main(["vehicles", str(path)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "wing loading [kg/m^2] 0.5455 usual 1 to 60 UNUSUAL" in lines
    assert any(line.startswith("aspect ratio 15.24 usual 2 to 30") for line in lines)
