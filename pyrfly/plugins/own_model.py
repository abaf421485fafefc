"""Vehicles of models with the functions of ``pyrfly_model.h``: `OwnModel`, their families."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.columns import vehicle_types
from pyrfly.errors import ParameterError
from pyrfly.files import printable
from pyrfly.plugins.library import Copy, check_file
from pyrfly.plugins.parameters import COMMANDS, build
from pyrfly.plugins.table import Functions, Table
from pyrfly.vehicles import add_family
from pyrfly.vehicles.abilities import Abilities, Limits
from pyrfly.vehicles.actuators import SERVO, UNUSED
from pyrfly.vehicles.commands import FamilyCommands
from pyrfly.vehicles.family import Family
from pyrfly.vehicles.hovering import ACCEPTANCE_RADIUS, LIMITS, HoveringCommands
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.loops import LoopPeriods
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["ENTRY", "OwnModel", "load_own"]

ENTRY = "pyrfly_model_entry"
"""The function of a library with such a model."""

_KEPT: dict[str, list[object]] = {}
"""By type, what its functions need: libraries, as long as the process, which may call them."""


@dataclass(frozen=True, eq=False)
class OwnModel(VehicleParameters):
    """A vehicle whose model is one's own; `pyrfly.plugins.load` makes it of a library.

    Attributes
    ----------
    path : Path
        The file of the library.
    table : Table
        What the model told of itself when it was loaded.
    """

    path: Path = field(default=Path())
    table: Table = field(repr=False, default=Table("", "", 1, (), Functions()))

    @property
    def commands(self) -> bool:
        """Whether it has a controller, with which it takes commands of position and so on."""
        return bool(self.table.functions.control)

    @property
    def step(self) -> float:
        """The step that it takes by itself [s]: none."""
        return 0.0

    def reload(self) -> None:
        """Take the functions of the file anew, for all vehicles that there are, at once.

        For a library that was compiled again, such as from a notebook: they go on from where they
        are, with the parameters that they have.

        Raises
        ------
        ParameterError
            The file is no such library any more, or its columns are others than those of these
            vehicles; then `pyrfly.plugins.load` makes others of it. Nothing is changed.
        """
        if self.path == Path():
            raise ParameterError(f"{self.name}: a model in Python has no file to load anew")
        copy, table = open_table(self.path)
        if _layout(table) != _layout(self.table) or table.actuators != self.table.actuators:
            raise ParameterError(
                f"{printable(self.path)}: the model has other columns than when it was loaded; "
                "load it anew"
            )
        if bool(table.functions.control) != self.commands:
            raise ParameterError(
                f"{printable(self.path)}: the model has got, or lost, its controller; load it anew"
            )
        _core.set_model_functions(self.c_type, table.functions)
        _KEPT[self.c_type].append(copy)

    def __copy__(self) -> OwnModel:
        """Return itself: it does not change."""
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> OwnModel:
        """Return itself: it does not change."""
        return self

    def __reduce__(self) -> tuple[Callable[..., OwnModel], tuple[Any, ...]]:
        """Pickle as a file: another process loads it, this one has it."""
        if self.path == Path():
            raise TypeError(
                f"{self.name}: a model in Python cannot be pickled, as its functions are those of "
                "this process; one in C can"
            )
        return _restored, (self.path, self.c_type, _layout(self.table), vars(self))


def _layout(table: Table) -> tuple[tuple[object, ...], ...]:
    return tuple((one.name, one.role, one.width) for one in table.own)


def _restored(
    path: Path, c_type: str, layout: tuple[tuple[object, ...], ...], state: dict[str, Any]
) -> OwnModel:
    """Return a model from a pickle; it is loaded where its type is not there."""
    if c_type not in _KEPT:
        fresh = load_own(path, None)
        if _layout(fresh.table) != layout:
            raise ParameterError(f"{printable(path)}: the model has other columns now")
        state = {**state, "c_type": fresh.c_type, "family": fresh.family}
    return OwnModel(**state)


def open_table(path: Path) -> tuple[Copy, Table]:
    """Return a library in memory, and the table of its model, checked."""
    check_file(path)
    copy = Copy(path)
    entry = copy.address(ENTRY)
    try:
        if not entry:
            raise ParameterError(f"expected the function {ENTRY}, got none")
        table = Table.at(entry)
        table.check()
    except ValueError as error:  # a ParameterError is one
        raise ParameterError(f"{printable(path)}: {error}") from None
    return copy, table


def load_own(path: Path, name: str | None) -> OwnModel:
    """Return a vehicle of a library with such a model, whose type is added to the core."""
    copy, table = open_table(path)
    model = add(table, name, copy)
    return replace(model, path=path.absolute(), title=f"{table.doc}, of {path.name}")


def add(table: Table, name: str | None, keep: object, *, whole: bool = False) -> OwnModel:
    """Add the type of a model to the core, under a name that is free, and return its vehicle."""
    c_type, number = table.name, 1
    while c_type in vehicle_types():
        number += 1
        c_type = f"{table.name}_{number}"
    table.add(c_type, whole=whole)
    _KEPT[c_type] = [keep]
    add_family(_family(c_type, table))
    return OwnModel(
        name=name or table.name,
        title=table.doc,
        family=c_type,
        uav_type=None,
        c_type=c_type,
        actuator_count=table.actuators,
        columns=table.starts("param"),
        sources=dict.fromkeys(table.starts("param"), "the model"),
        starts={k: v for k, v in table.starts(*_BEGINNING).items() if v.any()},
        table=table,
    )


_BEGINNING = ("state", "input", "setpoint", "controller", "sensor")
"""Roles of columns that begin with their start values."""


def _family(c_type: str, table: Table) -> Family[Any]:
    """Return the family of the vehicles of a model."""
    gains, unused = table.starts("gain"), COMMANDS - table.actuators

    def constant(
        columns: Mapping[str, NDArray[np.float64]], c_type: str, periods: LoopPeriods | None = None
    ) -> dict[str, NDArray[np.float64]]:
        return gains

    flies = Abilities(
        frozenset({"command_position", "command_velocity"}),
        Kind.HOVERS,
        LIMITS,
        acceptance_radius=ACCEPTANCE_RADIUS,
    )
    return Family(
        name=c_type,
        sets=Path(__file__).parent,
        build=build,
        gains=constant,
        trim=lambda parameters: (0.5,) * table.actuators + (0.0,) * unused,
        contact=(),
        fastest_rate=lambda parameters, effects: 1.0,
        actuators=lambda parameters: (SERVO,) * table.actuators + (UNUSED,) * unused,
        abilities=flies if table.functions.control else Abilities(limits=Limits()),
        commands=HoveringCommands if table.functions.control else FamilyCommands,
    )
