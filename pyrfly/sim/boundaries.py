"""Boundaries of what vehicles may do, and their crossings: `BOUNDARIES`, `Crossing`, `checked`."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import finite_array
from pyrfly.errors import ParameterError, ShapeError, brief, near_names
from pyrfly.protocol.bits import Boundary, SafetyAction
from pyrfly.sim.selection import Selection

__all__ = [
    "ACTIONS",
    "BOUNDARIES",
    "BY_NAVIGATOR",
    "CORNERS",
    "NO_LIMIT",
    "Crossing",
    "Limits",
    "Quantity",
    "checked",
    "crossing_text",
    "quantity_of",
]

Array = NDArray[np.float64]

CORNERS = 16
"""Maximum number of corners of an area (csrc/parts/safety/columns.h)."""

NO_LIMIT = 1e30
"""What the columns have for none."""

_FARTHEST = 1e6
"""Maximum of a distance [m], that of the flight envelope (csrc/base/status.h)."""

ACTIONS: Mapping[str, SafetyAction] = {
    action.name.lower(): action for action in SafetyAction if action
}
"""What a crossing does, by name; docs/safety.md describes it."""


BY_NAVIGATOR = (SafetyAction.HOLD, SafetyAction.RETURN, SafetyAction.LAND)
"""Actions that the navigator of a vehicle executes."""


class Quantity(NamedTuple):
    """What a boundary is of.

    Attributes
    ----------
    number : Boundary
        Its place in the columns.
    unit : str
        Unit of its limits.
    least, most : float
        Range of the limits.
    limits : tuple of str
        Which limits it may have.
    """

    number: Boundary
    unit: str
    least: float = 0.0
    most: float = _FARTHEST
    limits: tuple[str, ...] = ("minimum", "maximum")


BOUNDARIES: Mapping[str, Quantity] = {
    "speed": Quantity(Boundary.SPEED, "m/s", most=1e3),
    "angular_velocity": Quantity(Boundary.ANGULAR_VELOCITY, "rad/s", most=1e3),
    "tilt": Quantity(Boundary.TILT, "rad", most=pi),
    "height": Quantity(Boundary.HEIGHT, "m", least=-_FARTHEST),
    "altitude": Quantity(Boundary.ALTITUDE, "m", least=-_FARTHEST),
    "area": Quantity(Boundary.AREA, "m", limits=()),
    "separation": Quantity(Boundary.SEPARATION, "m", limits=("minimum",)),
    "specific_force": Quantity(Boundary.SPECIFIC_FORCE, "m/s^2", most=1e6),
    "silence": Quantity(Boundary.SILENCE, "s", most=1e4, limits=("maximum",)),
}
"""Boundaries by name."""


class Crossing(NamedTuple):
    """The first crossing of a boundary by a vehicle since its reset.

    Attributes
    ----------
    copter_id : int
        The vehicle.
    boundary : str
        A name of `BOUNDARIES`.
    action : str
        A name of `ACTIONS`: what it did.
    time : float
        Simulated time [s].
    value, limit : float
        Of the quantity, in SI units, and the limit that it was beyond; of an area the distance
        outside of it [m], or from its centre.
    times : int
        Crossings since the reset.
    """

    copter_id: int
    boundary: str
    action: str
    time: float
    value: float
    limit: float
    times: int


class Limits(NamedTuple):
    """A boundary of k vehicles whose arguments are right.

    Attributes
    ----------
    number : Boundary
        Its place in the columns.
    minimum, maximum : ndarray, shape (k,)
        Its limits.
    action : SafetyAction
        What a crossing does.
    corners : ndarray, shape (k, m, 2), optional
        Those of an area [m, north and east]; a circle has one, its centre.
    """

    number: Boundary
    minimum: Array
    maximum: Array
    action: SafetyAction
    corners: Array | None


def crossing_text(crossing: Crossing) -> str:
    """Return what was crossed, for messages and logs."""
    unit = BOUNDARIES[crossing.boundary].unit
    side = "below" if crossing.value < crossing.limit else "above"
    return f"{crossing.boundary} {crossing.value:.6g} {unit}, {side} {crossing.limit:.6g}"


def quantity_of(name: str) -> Quantity:
    """Return what a boundary is of; a ValueError names what is near."""
    if isinstance(name, str) and name in BOUNDARIES:
        return BOUNDARIES[name]
    near = near_names(name, BOUNDARIES) if isinstance(name, str) else ", ".join(BOUNDARIES)
    raise ValueError(f"boundary: expected one, such as {near}, got {brief(name)}")


def checked(
    chosen: Selection,
    boundary: str,
    *,
    minimum: ArrayLike | None = None,
    maximum: ArrayLike | None = None,
    corners: ArrayLike | None = None,
    centre: ArrayLike | None = None,
    radius: ArrayLike | None = None,
    action: str = "report",
) -> Limits:
    """Return a boundary of vehicles by the arguments of `Safety.add`, also for the errors."""
    quantity = quantity_of(boundary)
    if not isinstance(action, str) or action not in ACTIONS:
        raise ValueError(f"action: expected one of {', '.join(ACTIONS)}, got {brief(action)}")
    if ACTIONS[action] == SafetyAction.PARACHUTE:
        _require_parachutes(chosen)
    given = {"minimum": minimum, "maximum": maximum}
    area = {"corners": corners, "centre": centre, "radius": radius}
    allowed = (*quantity.limits, *(area if quantity.number == Boundary.AREA else ()))
    for name, value in (given | area).items():
        if value is not None and name not in allowed:
            raise TypeError(f"{name}: {boundary!r} has {', '.join(allowed)}, got {brief(value)}")
    if quantity.number == Boundary.AREA:
        places, largest = _area(chosen, corners, centre, radius)
        least = np.full(len(chosen), -NO_LIMIT)
        return Limits(quantity.number, least, largest, ACTIONS[action], places)
    if minimum is None and maximum is None:
        raise TypeError(f"{boundary}: expected {' or '.join(allowed)} [{quantity.unit}], got none")
    low = _limit(chosen, quantity, "minimum", minimum, -NO_LIMIT)
    high = _limit(chosen, quantity, "maximum", maximum, NO_LIMIT)
    if not (low < high).all():
        raise ValueError(
            f"minimum: expected less than the maximum, {brief(maximum)}, got {brief(minimum)}"
        )
    return Limits(quantity.number, low, high, ACTIONS[action], None)


def _require_parachutes(chosen: Selection) -> None:
    for group, rows, _ in chosen:
        if not group.has("parachute_area") or not group.view("parachute_area")[rows].all():
            raise ParameterError(
                f"action: expected vehicles with a parachute, got {group.name!r} "
                f"(CopterID {group.first_id}); parachute.fit(...) gives them one"
            )


def _limit(
    chosen: Selection, quantity: Quantity, name: str, value: ArrayLike | None, missing: float
) -> Array:
    """Return a limit of each vehicle."""
    if value is None:
        return np.full(len(chosen), missing)
    return chosen.within(name, value, quantity.unit, quantity.least, quantity.most)


# --- areas ---


def _area(
    chosen: Selection, corners: Any, centre: ArrayLike | None, radius: ArrayLike | None
) -> tuple[Array, Array]:
    """Return corners and the largest distance outside of them: a circle has one, its centre."""
    if corners is not None:
        if centre is not None or radius is not None:
            raise TypeError("corners: expected these, or centre and radius, got both")
        return _polygon(chosen, corners), np.zeros(len(chosen))
    if centre is None or radius is None:
        raise TypeError("area: expected corners, or centre and radius")
    places = chosen.per_vehicle("centre", centre, "m", 2, maximum=_FARTHEST)
    radii = chosen.per_vehicle("radius", radius, "m", maximum=_FARTHEST)
    if not (radii > 0).all():
        raise ValueError(f"radius: expected more than 0 [m], got {brief(radius)}")
    return places[:, None], radii


def _polygon(chosen: Selection, corners: ArrayLike) -> Array:
    """Return the corners of polygons, shape (k, m, 2)."""
    places = finite_array("corners", corners, "m", _FARTHEST)
    if places.ndim == 2:
        places = np.repeat(places[None], len(chosen), axis=0)
    if places.ndim != 3 or places.shape[0] != len(chosen) or places.shape[2] != 2:
        raise ShapeError(
            f"corners: expected shape (m, 2) or ({len(chosen)}, m, 2) [m], got {np.shape(corners)}"
        )
    count = places.shape[1]
    if not 3 <= count <= CORNERS:
        raise ShapeError(f"corners: expected 3 to {CORNERS}, got {count}")
    ahead = np.roll(places, -1, axis=1)
    twice = (places[..., 0] * ahead[..., 1] - places[..., 1] * ahead[..., 0]).sum(axis=1)
    if not (np.abs(twice) > 0).all():
        raise ValueError(f"corners: expected a polygon with an area, got {brief(corners)}")
    return places
