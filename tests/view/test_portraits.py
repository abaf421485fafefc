"""Portraits of vehicles: they fill their picture, whatever their size."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import FAMILIES
from pyrfly.view import portrait, sheet


def drawn(pixels: np.ndarray) -> np.ndarray:
    """Return which pixels are not of the background, which changes from row to row alone."""
    return (pixels != pixels[:, :1]).any(axis=-1)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_vehicle_fills_its_portrait_and_is_not_cut_off(family: str) -> None:
    pixels = portrait(pyrfly.names(family)[0], (120, 90))
    assert pixels.shape == (90, 120, 3)
    rows, columns = (np.flatnonzero(drawn(pixels).any(axis=axis)) for axis in (1, 0))
    assert rows[0] > 0
    assert rows[-1] < 89
    assert columns[0] > 0
    assert columns[-1] < 119
    assert max(np.ptp(rows) / 90, np.ptp(columns) / 120) > 0.7


def test_the_eye_goes_around_the_vehicle() -> None:
    (name, *_) = pyrfly.names("plane")
    left, right = (portrait(name, (64, 48), azimuth=side, elevation=0.3) for side in (2.0, -2.0))
    assert not np.array_equal(left, right)
    assert (drawn(left) == drawn(right)[:, ::-1]).mean() > 0.97  # but for propellers


def test_a_sheet_has_a_tile_for_each() -> None:
    names = pyrfly.names()[:3]
    page = sheet(names, 2, (60, 40))
    assert page.shape == (80, 120, 3)
    assert (page[40:, 60:] == page[-1, -1]).all()
    with pytest.raises(ValueError, match="columns"):
        sheet(names, 0)
    with pytest.raises(ValueError, match="size"):
        portrait(names[0], (0, 10))
