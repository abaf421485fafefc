"""Arrays that callers give, as float64 of a width."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ShapeError, brief

__all__ = ["given"]


def given(name: str, value: ArrayLike, width: int) -> NDArray[np.float64]:
    """Return an argument as float64 of shape (..., width); NaN stays NaN.

    Raises
    ------
    ShapeError
        It has another shape, or holds something else than real numbers.
    """
    try:
        array = np.asarray(value)
        numbers = array.dtype.kind in "biuf"
    except ValueError:  # rows of different lengths
        numbers = False
    if not numbers:
        raise ShapeError(f"{name}: expected numbers of shape (..., {width}), got {brief(value)}")
    if array.ndim == 0 or array.shape[-1] != width:
        raise ShapeError(f"{name}: expected shape (..., {width}), got {array.shape}")
    return array.astype(np.float64, copy=False)
