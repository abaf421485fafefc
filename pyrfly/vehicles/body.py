"""The inertia of a rigid body."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError

__all__ = ["check_inertia", "principal_moments"]


def principal_moments(inertia: Iterable[float]) -> NDArray[np.float64]:
    """Return the principal moments of xx, yy, zz, xy, xz, yz [kg m^2], in ascending order."""
    xx, yy, zz, xy, xz, yz = inertia
    return np.asarray(np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), np.float64)


def check_inertia(origin: str, inertia: tuple[float, ...]) -> None:
    """Raise a ParameterError unless the principal moments are positive and physical."""
    moments = principal_moments(inertia)
    if not moments[0] > 0:
        raise ParameterError(
            f"{origin}: inertia: expected a positive definite tensor, "
            f"got principal moments {', '.join(f'{m:.4g}' for m in moments)} kg m^2"
        )
    # A flat body has equality, up to rounding.
    if moments[2] > (moments[0] + moments[1]) * (1 + 1e-9):
        raise ParameterError(
            f"{origin}: inertia: no body has principal moments "
            f"{', '.join(f'{m:.4g}' for m in moments)} kg m^2: one exceeds the sum of the others"
        )
