"""Models of vehicles that step themselves: `OwnModels`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.errors import ParameterError
from pyrfly.frames import DEFAULT_ORIGIN, euler_of_quaternion
from pyrfly.protocol.bits import Fault
from pyrfly.vehicles import Family, VehicleParameters

__all__ = ["HEARD", "OwnModels", "hear"]

HEARD = 0.05
"""Period [s] in which what models print is read, while a `Sim` takes many steps."""

_MOTION = {"vel": 3, "pos": 6, "att": 12, "model_display": 16, "model_accel": 24, "rate": 27}
"""Places of columns in the numbers of a motion (csrc/base/library.h)."""


_TYPE = 1
"""Place of the type in RflySim3D in the numbers of a motion."""

_PARTS = {
    "free_outputs": {"DllOutCopterData", "DllGetExtToUE4", "DllGetExtToPX4"},
    "free_inputs": {"DllInCopterData", "DllInFromUE"},
}
"""Parts of a simulation by the functions of models whose numbers are their columns."""

_LARGEST = 2**31 - 1

_KEPT = ("origin", "extended", "sil_doubles")
"""Inputs that a new model of a vehicle has from the last one; the others are those of columns."""

_PARAMS = {
    "FaultInParams": ("fault_params", "fault_mask"),
    "InitInParams": ("init_params", "init_mask"),
    "DynModiParams": ("dynamic_params", "dynamic_mask"),
}
"""Ports of parameters by number, and of which of them are new."""


@runtime_checkable
class Speaker(Protocol):
    """Owner of a model in a process of its own."""

    def hear(self) -> None:
        """Give the lines away that the model has printed since the last call."""


class OwnModels:
    """The models of the vehicles of a group, one each; false where the core steps them.

    Parameters
    ----------
    family, parameters, batch
        Those of the group.
    first_id : int
        CopterID of its first vehicle.

    Raises
    ------
    ParameterError
        A model cannot be loaded, or has another step than the batch.
    """

    def __init__(
        self,
        family: Family[Any],
        parameters: VehicleParameters,
        batch: _core.Batch,
        first_id: int,
    ) -> None:
        self._family, self._parameters, self._batch = family, parameters, batch
        self._first_id = first_id
        self._models = self._open(range(batch.n))
        self._give()
        self.set_origin(*DEFAULT_ORIGIN)

    def __bool__(self) -> bool:
        return bool(self._models)

    def __getitem__(self, row: int) -> _core.Library:
        """Return the model of a vehicle by its row."""
        return self._models[row]

    def _open(self, rows: Sequence[int]) -> list[_core.Library]:
        """Return models of vehicles by their rows."""
        if self._family.models is None:
            return []
        ids = [self._first_id + row for row in rows]
        return self._family.models(self._parameters, ids, self._batch.dt)

    def _give(self) -> None:
        if self._models:
            self._batch.set_libraries(tuple(self._models))

    @property
    def sensors(self) -> frozenset[str]:
        """The sensors whose values the models give."""
        return frozenset(self._models[0].sensors if self._models else ())

    @property
    def parts(self) -> list[str]:
        """The parts of a simulation that have columns for what the models take and tell."""
        functions = {name for model in self._models[:1] for name in model.exports}
        return [part for part, needed in _PARTS.items() if functions & needed]

    @property
    def display_class(self) -> int:
        """Number of the vehicles in RflySim3D, as the first model tells it; 0: it tells none."""
        told = float(self._models[0].port("motion")[_TYPE]) if self._models else 0.0
        return int(told) if 0 < told <= _LARGEST else 0

    def put(self, row: int, port: str, values: NDArray[Any]) -> None:
        """Write an input of the model of a vehicle that no column has, such as ``extended``."""
        self._models[row].port(port)[:] = values

    def require_none(self, what: str) -> None:
        """Raise a ValueError where there are models, whose state is theirs alone."""
        if self._models:
            raise ValueError(
                f"{self._parameters.name}: expected vehicles with equations of the core for {what},"
                " got a model in a library, whose state is its own"
            )

    def set_origin(self, lat: float, lon: float, height: float) -> None:
        """Set the origin of the local frame [deg, deg, m] that the next start has."""
        for model in self._models:
            model.port("origin")[:] = lat, lon, height

    def start(self, row: int, columns: Mapping[str, NDArray[Any]]) -> None:
        """Start the model of a vehicle where the vehicle is, and write its motion.

        One that has failed is replaced by a new one; where this fails, too, the vehicle has the
        fault flag of that.
        """
        if self._models[row].failure and not self._replace(row):
            columns["status"][row] |= np.uint32(Fault.MODEL_FAILED)
            return
        model = self._models[row]
        model.port("start_pos")[:] = columns["pos"][row]
        model.port("start_angles")[:] = euler_of_quaternion(columns["att"][row])
        model.port("terrain")[:] = [columns["terrain"][row], *14 * [0.0]]
        if not model.start():
            columns["status"][row] |= np.uint32(Fault.MODEL_FAILED)
            return
        motion = model.port("motion")
        for name, first in _MOTION.items():
            columns[name][row] = motion[first : first + columns[name].shape[1]]

    def _replace(self, row: int) -> bool:
        """Put a new model in the place of one that has failed; return whether there is one."""
        self.hear()
        last = self._models[row]
        try:
            (self._models[row],) = self._open([row])
        except ParameterError:  # such as of a file that is gone
            return False
        for port in _KEPT:
            self._models[row].port(port)[:] = last.port(port)
        self._give()
        return True

    def param_writes(
        self, row: int, interface: str, numbers: Mapping[int, float]
    ) -> list[tuple[NDArray[Any], NDArray[np.intp], NDArray[Any]]]:
        """Return (array, indices, values) to write for parameters of a model, by their numbers."""
        indices = np.array(sorted(numbers), np.intp) - 1
        params, mask = (self._models[row].port(name) for name in _PARAMS[interface])
        new = sum(1 << int(k) for k in indices) | int(mask[0])
        values = np.array([numbers[int(k) + 1] for k in indices])
        return [(params, indices, values), (mask, np.arange(1), np.array([new], mask.dtype))]

    @property
    def speak(self) -> bool:
        """Whether what the models print has to be heard."""
        return any(isinstance(model.owner, Speaker) for model in self._models)

    def hear(self) -> None:
        """Give the lines away that the models have printed since the last call."""
        for model in self._models:
            if isinstance(model.owner, Speaker):
                model.owner.hear()

    def failures(self) -> dict[int, str]:
        """Return why models have failed, by row."""
        failed = [(row, model) for row, model in enumerate(self._models) if model.failure]
        return {row: model.owner.reason(model.failure) for row, model in failed}


def hear(models: Iterable[OwnModels]) -> None:
    """Give the lines away that models have printed since the last call."""
    for one in models:
        one.hear()
