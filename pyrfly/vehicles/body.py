"""Checks of the parameters of a rigid body."""

from __future__ import annotations

import numpy as np

from pyrfly.errors import ParameterError

__all__ = ["check_inertia"]


def check_inertia(origin: str, inertia: tuple[float, ...]) -> None:
    """Raise a ParameterError unless the principal moments are positive and physical."""
    xx, yy, zz, xy, xz, yz = inertia
    moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
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
