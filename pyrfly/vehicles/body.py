"""The inertia of a rigid body."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ParameterError, brief

__all__ = ["check_inertia", "principal_moments", "require_bodies"]

FLAT = 1 + 1e-9
"""A flat body has one moment that is the sum of the others, up to rounding."""


def principal_moments(inertia: ArrayLike) -> NDArray[np.float64]:
    """Return the principal moments of (..., 6) xx, yy, zz, xy, xz, yz [kg m^2], ascending."""
    xx, yy, zz, xy, xz, yz = np.moveaxis(np.asarray(inertia, dtype=np.float64), -1, 0)
    tensors = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=-1).reshape(*xx.shape, 3, 3)
    return np.asarray(np.linalg.eigvalsh(tensors), np.float64)


def check_inertia(origin: str, inertia: ArrayLike) -> None:
    """Raise a ParameterError unless the principal moments of one body are positive and physical."""
    moments = principal_moments(inertia)
    listed = ", ".join(f"{moment:.4g}" for moment in moments)
    if not moments[0] > 0:
        raise ParameterError(
            f"{origin}: inertia: expected a positive definite tensor, "
            f"got principal moments {listed} kg m^2"
        )
    if moments[2] > (moments[0] + moments[1]) * FLAT:
        raise ParameterError(
            f"{origin}: inertia: no body has principal moments {listed} kg m^2: one exceeds the "
            "sum of the others"
        )


def require_bodies(name: str, rows: NDArray[np.float64]) -> None:
    """Raise a ValueError for tensors (k, 6) that no body has."""
    moments = principal_moments(rows)
    bad = ~(moments[:, 0] > 0) | (moments[:, 2] > (moments[:, 0] + moments[:, 1]) * FLAT)
    if bad.any():
        raise ValueError(
            f"{name}: expected a tensor with positive principal moments of which none exceeds the "
            f"sum of the others [kg m^2], got {brief(rows[bad][0].tolist())}"
        )
