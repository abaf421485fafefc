"""csrc/models/wmm.c: the official coefficients, and the field along a flight."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import pytest

import pyrfly
from pyrfly.frames import LocalFrame

from .truth import WMM_DATA, field_at

Hanging = Callable[..., pyrfly.Sim]
ROOT = Path(__file__).parents[2]
HOME = (40.1540302, 116.2593683, 50.0)


@pytest.mark.parametrize("origin", [HOME, (-70.0, 130.0, 0.0), (5.0, -60.0, 0.0)])
def test_field_on_a_flight_is_within_a_tenth_of_a_nanotesla(
    hanging: Hanging, origin: tuple[float, float, float]
) -> None:
    """Through many cells and in their corners, in the axes of the map."""
    frame = LocalFrame(*origin)
    begin = np.array([30_000, -20_000, -3000.0])
    offsets = np.array([[0, 0, 0], [1990, 1990, 990], [-1990, 1990, -1990], [14_000, 2000, 0]])
    sim = hanging(len(offsets), begin)
    sim.origin = origin
    sim.environment.enable("magnetic")
    sim.step()
    sim.pos[:] = begin + offsets
    sim.step(4)
    for pos, got in zip(sim.pos, sim.magnetic_field, strict=True):
        lla = frame.to_lla(pos)
        there = LocalFrame(*lla)
        local = field_at(tuple(lla), 2025.0)
        axes = [frame.ecef_to_ned(there.ned_to_ecef(e)) - pos for e in np.eye(3)]
        np.testing.assert_allclose(1e9 * got, local @ np.array(axes), atol=0.1)


def test_field_follows_the_origin_of_the_map(hanging: Hanging) -> None:
    sim = hanging(1, (0, 0, 0))
    sim.environment.set_date(date(2027, 7, 2))
    sim.step()
    sim.origin = (-30, 20, 0)
    sim.step(4)
    expected = field_at((-30, 20, 0), 2027 + 182 / 365)
    np.testing.assert_allclose(1e9 * sim.magnetic_field[0], expected, atol=1e-6)


@pytest.mark.parametrize("wrong", [2024.99, 2030.01, date(2031, 1, 1), float("nan"), "2025", True])
def test_date_outside_of_the_epoch_is_refused(hanging: Hanging, wrong: object) -> None:
    sim = hanging()
    with pytest.raises((TypeError, ValueError), match=r"date: expected .*got"):
        sim.environment.set_date(wrong)  # type: ignore[arg-type]
    assert not sim.environment.enabled


def test_coefficients_are_those_of_the_official_file() -> None:
    command = [sys.executable, ROOT / "tools" / "wmm.py", WMM_DATA / "WMM_2025.COF"]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert (ROOT / "csrc" / "models" / "wmm_2025.h").read_text(encoding="utf-8") == made
