"""Contact points of vehicles: `set_contact_points`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import finite_array
from pyrfly.columns import fields_of_part
from pyrfly.errors import ParameterError, ShapeError, at_most, brief
from pyrfly.sim.group import LARGEST_PRODUCT, Group
from pyrfly.sim.selection import Rows, Selection
from pyrfly.vehicles.family import LandingGear

__all__ = ["MAXIMUM_POINTS", "set_contact_points"]

Array = NDArray[np.float64]

MAXIMUM_POINTS = next(f.width for f in fields_of_part("contact") if f.name == "contact_load")
"""Maximum number of contact points of a vehicle."""

FARTHEST = 1e3
"""Maximum of a coordinate of a point [m]: above that of any vehicle."""

SINK = 0.01
"""Penetration [m] of the points of a standing vehicle with the default stiffness, estimated."""

DAMPING_RATIO = 0.7
"""Damping ratio of its vertical motion with the default damping, estimated."""


def set_contact_points(
    chosen: Selection,
    enable_part: Callable[[str], None],
    dt: float,
    points: ArrayLike | None,
    stiffness: ArrayLike | None,
    damping: ArrayLike | None,
    friction: ArrayLike | None,
) -> None:
    """Set the contact points of vehicles, as `Sim.set_contact_points` describes."""
    same = None if points is None else _checked_points(points)
    given = {
        "stiffness": (stiffness, "N/m"),
        "damping": (damping, "N s/m"),
        "friction": (friction, "1"),
    }
    laws = {
        name: None if value is None else chosen.not_negative(name, value, unit)
        for name, (value, unit) in given.items()
    }
    chosen.require_distinct()
    written = []
    for group, rows, indices in chosen:
        feet = _gear(group).feet
        legs = same if same is not None else feet(group.parameters)
        own = {name: None if law is None else law[indices] for name, law in laws.items()}
        columns = _columns(group, rows, legs, **own)
        _require_stable(group, rows, legs, columns, dt)
        written.append((group, rows, columns))
    enable_part("contact")
    for group, rows, columns in written:
        group.write_rows(rows, columns)
        group.raise_to_ground(rows)


def _checked_points(points: ArrayLike) -> Array:
    array = finite_array("points", points, "m", FARTHEST)
    if array.size == 0:
        return np.empty((0, 3))
    if array.ndim != 2 or array.shape[1] != 3 or len(array) > MAXIMUM_POINTS:
        raise ShapeError(
            f"points: expected shape (p, 3) with p from 0 to {MAXIMUM_POINTS} [m, FRD], "
            f"got {array.shape}"
        )
    return array


def _gear(group: Group) -> LandingGear:
    """Return the landing gear; raise a ParameterError where no contact points act."""
    gear = group.family.landing_gear
    if gear is None or group.batch.effects != "full":
        raise ParameterError(
            f"set_contact_points: {group.name!r} (CopterID {group.first_id}) is a "
            f"{group.family.name} with effects {group.batch.effects!r}, on which no contact points "
            "act"
        )
    return gear


def _columns(
    group: Group,
    rows: Rows,
    points: Array,
    stiffness: Array | None,
    damping: Array | None,
    friction: Array | None,
) -> dict[str, Array]:
    """Return the settings of the part `contact` of some vehicles, with defaults."""
    mass, gravity = (group.view(name)[rows].astype(np.float64) for name in ("mass", "gravity"))
    count = len(points)
    share = mass / max(count, 1)
    if stiffness is None:
        stiffness = share * gravity / SINK
    if damping is None:
        damping = 2 * DAMPING_RATIO * np.sqrt(stiffness * share)
    if friction is None:
        friction = group.view(_gear(group).grip)[rows].astype(np.float64)
    lowest = float(points[:, 2].max(initial=-np.inf))
    feet = max(int(np.count_nonzero(points[:, 2] > lowest - SINK)), 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        sunk = np.where(stiffness > 0, mass * gravity / (feet * stiffness), 0.0)
    if not (sunk <= FARTHEST).all():
        softest = float((mass * gravity).max()) / (feet * FARTHEST)
        raise ValueError(
            f"stiffness: expected 0, or at least {softest:.3g} N/m for {group.name!r}, which sinks "
            f"by its weight, got {brief(stiffness)}"
        )
    placed = np.zeros((3, MAXIMUM_POINTS))
    placed[:, :count] = points.T
    return {
        "contact_count": np.full(len(mass), float(count)),
        "contact_position": np.tile(placed.ravel(), (len(mass), 1)),
        "contact_stiffness": stiffness,
        "contact_damping": damping,
        "contact_grip": friction,
        "contact_height": lowest - sunk if count else np.zeros(len(mass)),
        "contact_pull": np.zeros((len(mass), 2 * MAXIMUM_POINTS)),
        "contact_load": np.zeros((len(mass), MAXIMUM_POINTS)),
    }


def _require_stable(
    group: Group, rows: Rows, points: Array, columns: dict[str, Array], dt: float
) -> None:
    """Raise a ValueError if the step does not resolve the motion on all points.

    Their springs and dampers are isotropic: with the matrix J of the velocities of all points by
    the six of the body, and its inertia M, the decay rates are c, and the squares of the natural
    frequencies k, times the eigenvalues of J' J / M.
    """
    if not len(points):
        return
    x, y, z = points.T
    zero = np.zeros_like(x)
    turn = np.stack([zero, z, -y, -z, zero, x, y, -x, zero], axis=1).reshape(-1, 3, 3)
    jacobian = np.concatenate([np.broadcast_to(np.eye(3), turn.shape), turn], axis=2)
    both = np.einsum("pij,pik->jk", jacobian, jacobian)
    mass = group.view("mass")[rows].astype(np.float64)
    xx, yy, zz, xy, xz, yz = group.view(_gear(group).inertia)[rows].astype(np.float64).T
    body = np.zeros((len(mass), 6, 6))
    body[:, [0, 1, 2], [0, 1, 2]] = mass[:, None]
    body[:, 3:, 3:] = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], -1).reshape(-1, 3, 3)
    try:
        largest = np.linalg.eigvals(np.linalg.solve(body, both)).real.max(axis=1)
    except np.linalg.LinAlgError:  # of a column that was written
        raise ParameterError(
            f"set_contact_points: expected a mass and an inertia of {group.name!r} that a body can "
            f"have, got {brief(mass)} kg and {brief(body[:, 3:, 3:])} kg m^2"
        ) from None
    rates = columns["contact_damping"] * largest
    rates = np.maximum(rates, np.sqrt(columns["contact_stiffness"] * largest))
    limit = LARGEST_PRODUCT[group.batch.integrator] / dt
    if not (rates <= limit).all():
        raise ValueError(
            f"stiffness, damping: expected decay rates of {group.name!r} on its points of at most "
            f"{at_most(limit)} 1/s, the limit of {group.batch.integrator} with dt = {dt:g} s, got "
            f"{rates.max():.9g}; lower them, or the step"
        )
