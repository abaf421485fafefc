"""The two bodies of a tractor with a trailer: loads of the axles, and what is impossible."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError
from pyrfly.vehicles.parameters import scalar

__all__ = ["loads", "require_bodies"]

Array = NDArray[np.float64]

AXLES = ("front", "rear", "trailer's")

LONGEST = 4.0
"""Radius of gyration over the wheelbase of a body, at most: beyond, its mass is nowhere on it."""


def loads(columns: Mapping[str, Array]) -> Array:
    """Return the loads of the front, the rear and the trailer's axle [kg], shape (3,)."""
    front, rear, offset, length, centre = (
        scalar(columns, name)
        for name in (
            "front_axle",
            "rear_axle",
            "hitch_offset",
            "trailer_wheelbase",
            "trailer_centre",
        )
    )
    trailer = scalar(columns, "trailer_mass")
    tractor = scalar(columns, "mass") - trailer
    on_trailer = trailer * centre / length
    on_hitch = trailer - on_trailer
    on_front = (tractor * rear - on_hitch * offset) / (front + rear)
    return np.array([on_front, tractor + on_hitch - on_front, on_trailer])


def require_bodies(origin: str, columns: Mapping[str, Array]) -> None:
    """Raise a ParameterError for a tractor with a trailer that cannot be.

    Parameters
    ----------
    origin : str
        Name of the document in messages.
    columns : mapping of str to ndarray
        Its parameter columns.
    """
    mass, trailer = scalar(columns, "mass"), scalar(columns, "trailer_mass")
    if not trailer < mass:
        raise ParameterError(
            f"{origin}: trailer_mass: expected a part of the mass of {mass:g} kg, got {trailer:g}"
        )
    _require_hitch(origin, columns)
    for axle, load in zip(AXLES, loads(columns), strict=True):
        if not load > 0.0:
            raise ParameterError(
                f"{origin}: trailer_centre: expected a load on the {axle} axle, got {load:.3g} kg "
                "with this hitch_offset, trailer_wheelbase and front_axle"
            )
    for inertia, body, own in (
        ("yaw_inertia", mass - trailer, columns["front_axle"] + columns["rear_axle"]),
        ("trailer_inertia", trailer, columns["trailer_wheelbase"]),
    ):
        most = body * (LONGEST * float(own[0])) ** 2
        if scalar(columns, inertia) > most:
            raise ParameterError(
                f"{origin}: {inertia}: expected at most {most:g} kg m^2 of a body of {body:g} kg "
                f"and {float(own[0]):g} m between its axles, got {scalar(columns, inertia):g}"
            )


def _require_hitch(origin: str, columns: Mapping[str, Array]) -> None:
    """Refuse a hitch before the front axle, and a trailer that its hitch does not reach."""
    offset, length = scalar(columns, "hitch_offset"), scalar(columns, "trailer_wheelbase")
    wheelbase = float(columns["front_axle"][0] + columns["rear_axle"][0])
    if not -wheelbase < offset:
        raise ParameterError(
            f"{origin}: hitch_offset: expected a hitch behind the front axle, more than "
            f"{-wheelbase:g} m, got {offset:g}"
        )
    if not abs(offset) < length:
        raise ParameterError(
            f"{origin}: trailer_wheelbase: expected more than the distance of the hitch from the "
            f"rear axle, {abs(offset):g} m, so that the trailer follows, got {length:g}"
        )
