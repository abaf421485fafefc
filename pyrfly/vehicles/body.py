"""The inertia of a rigid body."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ParameterError

__all__ = ["principal_moments", "require_bodies", "require_moments"]

FLAT = 1 + 1e-6
"""A flat body has one moment that is the sum of the others, up to rounding to float32."""


def principal_moments(inertia: ArrayLike) -> NDArray[np.float64]:
    """Return the principal moments of (..., 6) xx, yy, zz, xy, xz, yz [kg m^2], ascending."""
    xx, yy, zz, xy, xz, yz = np.moveaxis(np.asarray(inertia, dtype=np.float64), -1, 0)
    tensors = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=-1).reshape(*xx.shape, 3, 3)
    return np.asarray(np.linalg.eigvalsh(tensors), np.float64)


def require_moments(name: str, inertia: ArrayLike) -> None:
    """Raise a ParameterError for a tensor of (..., 6) without positive principal moments."""
    least = float(principal_moments(inertia).min())
    if not least > 0.0:
        raise ParameterError(f"{name}: expected positive principal moments, got {least:g} kg m^2")


def require_bodies(name: str, inertia: ArrayLike) -> None:
    """Raise a ParameterError for a tensor of (..., 6) that no body has.

    Its principal moments are positive, and none exceeds the sum of the others.
    """
    moments = principal_moments(inertia).reshape(-1, 3)
    bad = ~(moments[:, 0] > 0) | (moments[:, 2] > (moments[:, 0] + moments[:, 1]) * FLAT)
    if bad.any():
        listed = ", ".join(f"{moment:.4g}" for moment in moments[bad][0])
        raise ParameterError(
            f"{name}: expected a tensor with positive principal moments of which none exceeds the "
            f"sum of the others, got principal moments {listed} kg m^2"
        )
