"""Few triangles for a vehicle that is far away: `few_triangles`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pyrfly.vehicles.drawing import Part
from pyrfly.vehicles.drawing_solids import Rotor
from pyrfly.view.solids import Surface, few_of, surface_of

__all__ = ["MOST", "few_triangles"]

MOST, LEAST = 30, 2
"""Most triangles of a vehicle, and least of a part."""

_Drawn = list[tuple[Part, Surface]]

SMALLEST, LONG = 0.2, 1.6
"""Area of a part over that of the largest one from which it is drawn first, and its length from
which it is, too."""


class _Likes(NamedTuple):
    """What parts of a kind and size have in common.

    Attributes
    ----------
    area, length : float
        What is seen of one, of a rotor its disc [m^2], and its longest side [m].
    turns : bool
        Whether they are rotors.
    joints : int
        Number of joints.
    """

    area: float
    length: float
    turns: bool
    joints: int


def few_triangles(parts: Sequence[Part]) -> list[tuple[Part, Surface]]:
    """Return the largest parts of a vehicle with at most `MOST` triangles in all.

    Parts of the same kind and size are all drawn or none, so that what is symmetric remains so. The
    largest, and long ones, come first, each with as few triangles as it can have; what is left goes
    to rotors, which should not look like triangles, then to the largest, then to other parts.
    """
    alike: dict[_Likes, list[Part]] = {}
    for part in _from_far(parts):
        alike.setdefault(_likes(part), []).append(part)
    ordered = sorted(alike, reverse=True)
    if not ordered:
        return []
    largest = next((likes for likes in ordered if not likes.turns), ordered[0])
    first = [likes for likes in ordered if _is_seen(likes, largest)]
    chosen: dict[_Likes, _Drawn] = {}
    for likes in first:
        _use(chosen, likes, _forms(alike[likes])[-1])
    for likes in sorted(first, key=lambda one: not one.turns):
        if likes in chosen:
            for form in reversed(_forms(alike[likes])):
                _use(chosen, likes, form)
    for likes in ordered:
        if likes not in first and _count(chosen) + LEAST * len(alike[likes]) <= MOST:
            _use(chosen, likes, _forms(alike[likes])[-1])
    return [drawn for of_likes in chosen.values() for drawn in of_likes]


def _from_far(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield what stands for parts from far away."""
    for part in parts:
        if part.far is None:
            yield part
        else:
            yield from (part._replace(solid=solid, far=None) for solid in part.far)


def _likes(part: Part) -> _Likes:
    turns = isinstance(part.solid, Rotor)
    _, middle, longest = np.sort(np.ptp(surface_of(part.solid).vertices, axis=0))
    area, length = (float(f"{x:.2g}") for x in (longest * (longest if turns else middle), longest))
    return _Likes(area, length, turns, len(part.joints))


def _is_seen(likes: _Likes, largest: _Likes) -> bool:
    """Return whether parts are seen from far away, where the largest of what rests is."""
    large = likes.area >= SMALLEST * largest.area
    return large or likes.length >= LONG * largest.length


def _forms(parts: Sequence[Part]) -> list[_Drawn]:
    """Return parts that are alike in each of their forms, that of the fewest triangles last."""
    of_each = [few_of(part.solid) for part in parts]
    return [list(zip(parts, form, strict=True)) for form in zip(*of_each, strict=False)]


def _count(chosen: Mapping[_Likes, _Drawn]) -> int:
    """Return the number of triangles that are drawn."""
    return sum(len(surface.triangles) for drawn in chosen.values() for _, surface in drawn)


def _use(chosen: dict[_Likes, _Drawn], likes: _Likes, form: _Drawn) -> None:
    """Draw parts in a form, or leave all as it is if those were too many triangles."""
    if _count({**chosen, likes: form}) <= MOST:
        chosen[likes] = form
