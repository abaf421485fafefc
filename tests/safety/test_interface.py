"""`Sim.safety` with arguments of all kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrfly import ShapeError, Sim
from pyrfly.protocol.bits import Boundary
from pyrfly.sim.boundaries import BOUNDARIES

SQUARE = [(0, 0), (0, 9), (9, 9), (9, 0)]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"boundary": "sped", "maximum": 1}, ValueError, "boundary: expected one, such as speed"),
        ({"boundary": 3}, ValueError, "boundary"),
        ({"boundary": "speed"}, TypeError, "speed: expected minimum or maximum"),
        ({"boundary": "speed", "maximum": np.nan}, ValueError, "maximum"),
        ({"boundary": "speed", "maximum": -1}, ValueError, "maximum: expected 0 to 1000"),
        ({"boundary": "speed", "maximum": [1, 2, 3]}, ShapeError, "maximum"),
        ({"boundary": "speed", "minimum": 5, "maximum": 4}, ValueError, "minimum: expected less"),
        ({"boundary": "speed", "maximum": 4, "action": "stop"}, ValueError, "action: .* freeze"),
        ({"boundary": "speed", "maximum": 4, "action": "none"}, ValueError, "action: .* freeze"),
        ({"boundary": "speed", "maximum": 4, "radius": 3}, TypeError, "radius: 'speed' has min"),
        ({"boundary": "speed", "maximum": 4, "ids": 3}, ValueError, "ids: expected"),
        ({"boundary": "speed", "maximum": 4, "ids": [1, 1]}, ValueError, "once"),
        ({"boundary": "tilt", "maximum": 45}, ValueError, "maximum: expected 0 to 3.14159"),
        ({"boundary": "separation", "maximum": 4}, TypeError, "maximum: 'separation' has minimum"),
        ({"boundary": "area"}, TypeError, "area: expected corners, or centre and radius"),
        ({"boundary": "area", "centre": [0, 0]}, TypeError, "corners, or centre and radius"),
        ({"boundary": "area", "centre": [0, 0], "radius": 0}, ValueError, "radius: expected more"),
        ({"boundary": "area", "corners": SQUARE[:2]}, ShapeError, "corners: expected 3 to 16"),
        ({"boundary": "area", "corners": SQUARE * 5}, ShapeError, "corners: expected 3 to 16"),
        ({"boundary": "area", "corners": [SQUARE] * 3}, ShapeError, "corners: expected shape"),
        ({"boundary": "area", "corners": [(0, 0), (1, 1), (2, 2)]}, ValueError, "with an area"),
        ({"boundary": "area", "corners": [(0, 0), (1, np.nan), (2, 2)]}, ValueError, "corners"),
        ({"boundary": "area", "corners": SQUARE, "radius": 2}, TypeError, "corners.* got both"),
        ({"boundary": "area", "corners": SQUARE, "maximum": 2}, TypeError, "maximum: 'area' has"),
    ],
)
@pytest.mark.filterwarnings("ignore::pyrfly.ParameterWarning")
def test_nonsense_is_refused_and_changes_nothing(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    sim = Sim("x450", 2)
    with pytest.raises(error, match=message):
        sim.safety.add(**arguments)
    assert not sim.safety.enabled


def test_every_boundary_of_the_core_has_a_name() -> None:
    names = {name.upper(): kind.number for name, kind in BOUNDARIES.items()}
    assert names == {kind.name: kind for kind in Boundary}


def test_a_boundary_replaces_one_of_its_kind() -> None:
    sim = Sim("x450", 2)
    sim.safety.add("speed", maximum=1)
    sim.safety.add("speed", ids=2, minimum=3, action="freeze")
    sim.safety.add("area", ids=1, corners=SQUARE)
    assert repr(sim.safety) == "<Safety of 2 vehicles: speed, area (1 of 2)>"
    sim.reset(pos=[0, 0, -200])
    sim.vel = [2, 0, 0]
    sim.step()
    assert [(one.limit, one.action) for one in sim.safety.crossings()] == [
        (1, "report"),
        (3, "freeze"),
    ]
    sim.safety.clear(2)
    sim.safety.clear(boundary="area")
    assert repr(sim.safety) == "<Safety of 2 vehicles: speed (1 of 2)>"


@pytest.mark.parametrize("n", [0, 1])
def test_words_of_no_action_are_harmless(n: int) -> None:
    sim = Sim("x450")
    sim.enable_part("safety")
    sim.boundary_action = 4_000_000_000 + n
    sim.area_corners = 2**32 - 1
    sim.step(4)
    assert np.isfinite(sim.pos).all()
