"""Checks of arguments: numbers of one vehicle, or an array for several, as arrays of k rows.

``k`` is the number of vehicles; None is one vehicle whose arguments are plain numbers and lists, as
RflySim has them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import numeric_array
from pyrfly.errors import ShapeError, brief

__all__ = ["fill_list", "finite", "fixed", "integer", "numbers", "single", "triples", "vectors"]

Array = NDArray[np.float64]

LARGEST = float(np.finfo(np.float32).max)
"""Largest number of an argument: packets and inputs of vehicles are float32."""

MAXIMUM_LENGTH = 65536
"""Maximum length of a list of `fill_list`, more than any packet holds."""


def single(name: str, value: Any, unit: str, *, nan: bool = False) -> float:
    """Return a finite number as float, or NaN where allowed; anything else is an error."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(())[()]
    if not isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
        raise TypeError(f"{name}: expected a number [{unit}], got {value!r:.80}")
    try:
        number = float(value)
    except OverflowError:  # an integer of many digits
        number = math.inf
    if abs(number) > LARGEST or (math.isnan(number) and not nan):
        allowed = " or NaN" if nan else ""
        raise ValueError(f"{name}: expected a finite number [{unit}]{allowed}, got {number}")
    return number


def numbers(name: str, value: Any, unit: str, k: int | None, *, nan: bool = False) -> Array:
    """Return one number per vehicle.

    Parameters
    ----------
    name : str
        Of the argument, for errors.
    value : number or array_like, shape () or (k,)
        The argument.
    unit : str
        For errors.
    k : int or None
        Number of vehicles, see the module.
    nan : bool
        Whether NaN is allowed.

    Returns
    -------
    ndarray, shape (k,), float64
        A copy.
    """
    if k is None:
        return np.array([single(name, value, unit, nan=nan)])
    array = numeric_array(name, value, unit)
    if array.shape not in ((), (k,)):
        raise ShapeError(f"{name}: expected shape () or ({k},) [{unit}], got {array.shape}")
    _check_finite(name, array, unit, nan)
    return np.array(np.broadcast_to(array, (k,)))


def finite(name: str, value: Any, unit: str, k: int | None) -> Array:
    """Return one finite number per vehicle, see `numbers`."""
    return numbers(name, value, unit, k)


def triples(names: Sequence[str], values: Sequence[Any], unit: str, k: int | None) -> Array:
    """Return three arguments, each as in `numbers` with NaN allowed, as (k, 3)."""
    columns = [numbers(n, v, unit, k, nan=True) for n, v in zip(names, values, strict=True)]
    return np.stack(columns, axis=-1)


def vectors(name: str, value: Any, unit: str, k: int | None, widths: tuple[int, ...]) -> Array:
    """Return one finite vector per vehicle.

    Parameters
    ----------
    name, unit, k
        As in `numbers`.
    value : sequence or array_like, shape (w,) or (k, w)
        The argument.
    widths : tuple of int
        Which w are allowed.

    Returns
    -------
    ndarray, shape (k, w), float64
        A copy.
    """
    expected = " or ".join(map(str, widths))
    if k is None:
        try:
            row = [single(name, component, unit) for component in value]
        except TypeError:
            row = []
        if isinstance(value, bytes):  # a sequence of integers, but not meant as one
            row = []
        if len(row) not in widths:
            raise TypeError(f"{name}: expected {expected} numbers [{unit}], got {value!r:.80}")
        return np.array([row])
    array = numeric_array(name, value, unit)
    if array.ndim not in (1, 2) or array.shape[-1] not in widths or len(array[..., 0:1]) == 0:
        raise ShapeError(
            f"{name}: expected shape ({expected},) or ({k}, {expected}) [{unit}], got {array.shape}"
        )
    if array.ndim == 2 and len(array) != k:
        raise ShapeError(f"{name}: expected {k} rows [{unit}], got {len(array)}")
    _check_finite(name, array, unit, False)
    return np.array(np.broadcast_to(array, (k, array.shape[-1])))


def integer(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """Return an integer, from ``low`` to ``high``; anything else, bool included, is an error."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}: expected an integer, got {value!r:.80}")
    number = int(value)
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"{name}: expected {low} to {high}, got {brief(number)}")
    return number


def fixed(name: str, value: Any, length: int, unit: str) -> list[float]:
    """Return finite numbers as a list of a length, as `fill_list` makes it."""
    values = fill_list(value, length)
    return [single(f"{name}[{i}]", component, unit) for i, component in enumerate(values)]


def fill_list(data: Any, length: int, fill: Any = 0) -> list[Any]:
    """Return values as a list of a length: cut off, or filled up at the end.

    Parameters
    ----------
    data : object, sequence, or ndarray
        The values, or the first one.
    length : int
        Length of the list, at most 65536.
    fill : object
        Value to fill up with.

    Raises
    ------
    ValueError
        For another length.
    """
    count = integer("inLen", length, 0, MAXIMUM_LENGTH)
    values = data.ravel().tolist() if isinstance(data, np.ndarray) else data
    several = isinstance(values, Sequence) and not isinstance(values, (str, bytes))
    row = list(values) if several else [values]
    return (row + [fill] * (count - len(row)))[:count]


def _check_finite(name: str, array: Array, unit: str, nan: bool) -> None:
    bad = np.abs(array) > LARGEST if nan else ~(np.abs(array) <= LARGEST)
    if bad.any():
        allowed = " or NaN" if nan else ""
        raise ValueError(
            f"{name}: expected finite numbers [{unit}]{allowed}, got {array[bad].flat[0]}"
        )
