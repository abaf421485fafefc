"""What vehicles of a kind do: when they have landed."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.vehicles.kinds import Kind

PLACES = {
    "at rest on the ground": (0.0, (0.0, 0.0, 0.0)),
    "sliding on the ground": (0.0, (2.0, 0.0, 0.0)),
    "rolling on the ground": (0.0, (0.0, 8.0, 0.0)),
    "falling to the ground": (0.0, (0.0, 0.0, 2.0)),
    "at rest in the air": (5.0, (0.0, 0.0, 0.0)),
}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Kind.HOVERS, (True, True, True, False, False)),
        (Kind.HOVERS | Kind.WINGED, (True, True, True, False, False)),
        (Kind.WINGED, (True, True, False, False, False)),  # PX4's LNDFW_VEL_XY_MAX is 5 m/s
        (Kind.DRIVES, (True, False, False, False, True)),
        (Kind.FLOATS, (True, False, False, False, True)),
    ],
)
def test_what_landed_means_follows_from_the_kind(kind: Kind, expected: tuple[bool, ...]) -> None:
    height, vel = zip(*PLACES.values(), strict=True)
    found = kind.landed(np.array(height), np.array(vel))
    assert dict(zip(PLACES, found, strict=True)) == dict(zip(PLACES, expected, strict=True))
