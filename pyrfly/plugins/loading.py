"""Libraries as vehicles: `load`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.arrays import finite_array, one_number
from pyrfly.columns import add_type
from pyrfly.errors import ParameterError, brief
from pyrfly.files import printable
from pyrfly.plugins.family import FAMILY
from pyrfly.plugins.library import FUNCTIONS, examined, names_function
from pyrfly.plugins.own_model import ENTRY, OwnModel, load_own
from pyrfly.plugins.parameters import COMMANDS, NAME, LibraryModel
from pyrfly.vehicles import add_family
from pyrfly.vehicles.hull import Hull
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, CLEARANCE, filling
from pyrfly.vehicles.parameters import as_columns

__all__ = ["STEPS", "load"]

STEPS = (1e-6, 1.0)
"""Range of the step of a model [s]."""


def load(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    mass: float = 1.5,
    size: ArrayLike | None = None,
    isolate: bool = False,
    limit: float = 1.0,
    printed: Callable[[int, str], object] | None = None,
) -> LibraryModel | OwnModel:
    """Load a model from a library, as a vehicle for a `pyrfly.Sim`.

    Of a model with RflySim's functions each vehicle has a copy of the library of its own, because
    such models keep their state in global variables. One with the function of ``pyrfly_model.h``
    is a type of vehicles, as pyrfly's own are; the arguments but ``name`` are not for it. Native
    code can do all that this process can: load what you trust.

    Parameters
    ----------
    path : str or os.PathLike
        A shared library (``.so``) with ``pyrfly_model_entry``, or with ``Dllstep`` and one of
        ``DlloutVehileInfo60d`` and ``DlloutModel3DInfo`` (docs/plugins.md).
    name : str, optional
        Name of the vehicle; by default that of the file.
    mass : float
        Its mass [kg], with which others collide; the model has its own.
    size : array_like, shape (3,), optional
        Length, width and height [m] of the body that rays meet and others collide with, 0.001 to
        1000; without it a sphere that follows from the mass.
    isolate : bool
        Whether each vehicle has a process of its own: then a model that crashes, does not return or
        writes into memory that is not its own ends as a fault of one vehicle. In this process it
        ends the process.
    limit : float
        Time [s] that a call of an isolated model may last, 0.001 to 3600; then it is ended.
    printed : callable, optional
        Is called with the CopterID and each line that an isolated model prints, between steps, in
        the thread that steps. What others print appears as this program's own.

    Returns
    -------
    LibraryModel or OwnModel
        The vehicle; ``missing`` of the former has the functions of RflySim that the library lacks.

    Raises
    ------
    ParameterError
        There is no such file, it is no library of this system, or no model.
    TypeError, ValueError
        An argument is of another type, or out of its range.

    Examples
    --------
    >>> from pyrfly import plugins
    >>> plugins.load("no_such_model.so")
    Traceback (most recent call last):
        ...
    pyrfly.errors.ParameterError: no_such_model.so: expected the file of a library, there is none
    """
    if not isinstance(isolate, bool):
        raise TypeError(f"isolate: expected True or False, got {brief(isolate)}")
    if printed is not None and not callable(printed):
        raise TypeError(f"printed: expected a function, got {brief(printed)}")
    for word, value, low, high in (("mass", mass, 1e-3, 1e7), ("limit", limit, 1e-3, 3600.0)):
        if not low <= one_number(word, value, "") <= high:
            raise ValueError(f"{word}: expected {low:g} to {high:g}, got {brief(value)}")
    file = Path(path)
    hull = Hull() if size is None else _hull(size)
    if names_function(file, ENTRY):
        if isolate:
            raise ParameterError(
                f"{printable(file)}: a model with {ENTRY} runs in this process alone: "
                "isolate=False, or --dll-in-process of pyrfly sim"
            )
        return load_own(file, name)
    model = examined(file, isolate=isolate, limit=limit)
    exports = tuple(model.exports)
    if not STEPS[0] <= model.period <= STEPS[1]:
        raise ParameterError(
            f"{printable(file)}: DllGetStep0: expected a step of {STEPS[0]:g} to {STEPS[1]:g} s, "
            f"got {model.period:g}"
        )
    add_type(NAME)
    add_family(FAMILY)
    return LibraryModel(
        name=name or file.stem,
        title=f"the model {file.name}",
        family=NAME,
        uav_type=None,
        c_type=NAME,
        actuator_count=COMMANDS,
        columns=as_columns({"mass": mass, "gravity": 9.8}),
        sources={"mass": "estimated", "gravity": "as the other sets"},
        hull=hull,
        path=file.absolute(),
        exports=exports,
        missing=tuple(one for one in FUNCTIONS if one not in exports),
        isolate=isolate,
        limit=float(limit),
        printed=printed,
        step=model.period,
        initial_inputs=tuple(np.nan_to_num(model.port("commands"), posinf=0, neginf=0).tolist()),
    )


def _hull(size: ArrayLike) -> Hull:
    """Return the hull of a body with a length, width and height [m]."""
    half = finite_array("size", size, "m") / 2
    if half.shape != (3,) or not ((half >= 5e-4) & (half <= 500)).all():
        raise ValueError(f"size: expected 3 numbers from 0.001 to 1000 m, got {brief(size)}")
    height = float(half[2]) / CLEARANCE
    return Hull((filling("body", -half, half, BODY_ROUNDING),), height=height)
