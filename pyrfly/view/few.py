"""Few triangles for a vehicle that is far away: `few_triangles`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyrfly.vehicles.drawing import Part
from pyrfly.view.solids import Surface, few_of, surface_of

__all__ = ["MOST", "few_triangles"]

MOST = 30
"""Most triangles of a vehicle."""

SMALLEST = 0.1
"""Area of a part over that of the largest one, below which it is not seen from far away."""

Likes = tuple[float, str, int]


def few_triangles(parts: Sequence[Part]) -> list[tuple[Part, Surface]]:
    """Return the largest parts of a vehicle with at most `MOST` triangles in all.

    Parts of the same kind and size are all drawn or none, so that what is symmetric remains so. The
    largest come first, each with as few triangles as it can have; what is left then goes to the
    largest again.
    """
    likes: dict[Likes, list[int]] = {}
    for i, part in enumerate(parts):
        likes.setdefault(_likes(part), []).append(i)
    keys = sorted(likes, reverse=True)
    ordered = [likes[key] for key in keys if key[0] >= SMALLEST * keys[0][0]]
    forms = {i: few_of(parts[i].solid) for alike in ordered for i in alike}
    chosen: dict[int, Surface] = {}
    for alike in ordered:
        _use(chosen, {i: forms[i][-1] for i in alike})
    for alike in ordered:
        if alike[0] in chosen:
            for form in reversed(range(len(forms[alike[0]]))):
                _use(chosen, {i: forms[i][form] for i in alike})
    return [(parts[i], chosen[i]) for i in sorted(chosen)]


def _likes(part: Part) -> Likes:
    """Return what parts of a kind and size have in common, first the area that is seen of them."""
    sizes = np.sort(np.ptp(surface_of(part.solid).vertices, axis=0))
    return float(f"{sizes[1] * sizes[2]:.3g}"), type(part.solid).__name__, len(part.joints)


def _use(chosen: dict[int, Surface], wanted: dict[int, Surface]) -> None:
    """Draw parts in a form, or leave all as it is if those were too many triangles."""
    after = {**chosen, **wanted}
    if sum(len(surface.triangles) for surface in after.values()) <= MOST:
        chosen.update(wanted)
