"""What Python repeats of the core is what the core has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pyrfly import _core
from pyrfly.sim import STATUS_TEXT, layout_version
from pyrfly.sim.constants import HAS_HOME
from pyrfly.vehicles import Setpoint, constants

CSRC = Path(__file__).parents[2] / "csrc"
HEADERS = "\n".join(path.read_text("utf-8") for path in sorted(CSRC.rglob("*.h")))


def bits(prefix: str) -> dict[str, int]:
    """Return the bits of an enum by name."""
    rows = re.findall(rf"\b{prefix}(\w+) = 1u? << (\d+)", HEADERS)
    return {name: 1 << int(bit) for name, bit in rows}


def number(name: str) -> float:
    """Return the value of a macro."""
    found = re.search(rf"#define {name}\s+(?:\(\(real\))?([\d.]+)", HEADERS)
    assert found is not None
    return float(found[1])


def test_set_point_bits() -> None:
    own = {name: bit for name, bit in vars(Setpoint).items() if not name.startswith("_")}
    assert own == bits("RF_SETPOINT_")


def test_status_bits() -> None:
    assert set(STATUS_TEXT) == set(bits("RF_VEHICLE_").values())


def test_navigator_flags() -> None:
    assert bits("NAVIGATOR_")["HAS_HOME"] == HAS_HOME


@pytest.mark.parametrize(
    ("own", "name"),
    [
        (constants.MOST_AIRFRAMES, "RF_AIRFRAMES"),
        (constants.IDLE_SHARE, "ALLOCATION_IDLE"),
        (constants.LIFT_SHARE, "VELOCITY_LIFT_SHARE"),
        (constants.LEAST_LIFT, "VELOCITY_LEAST_LIFT"),
    ],
)
def test_limits(own: float, name: str) -> None:
    assert own == number(name)


def test_layout_versions_tell_types_apart() -> None:
    versions = {c_type: layout_version(c_type) for c_type in _core.vehicle_types()}
    assert len(set(versions.values())) == len(versions)
    assert all(re.fullmatch("[0-9a-f]{16}", version) for version in versions.values())
