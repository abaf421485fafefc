"""Arrays that callers give, as float64 of a width."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.arrays import numeric_array
from pyrfly.errors import ShapeError

__all__ = ["given"]


def given(name: str, value: ArrayLike, unit: str, width: int) -> NDArray[np.float64]:
    """Return an argument as float64 of shape (..., width); NaN stays NaN.

    Raises
    ------
    ShapeError
        It has another shape.
    TypeError
        It holds something else than real numbers.
    """
    array = numeric_array(name, value, unit)
    if array.ndim == 0 or array.shape[-1] != width:
        raise ShapeError(f"{name}: expected shape (..., {width}) [{unit}], got {array.shape}")
    return array
