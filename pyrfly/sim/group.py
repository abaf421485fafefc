"""Vehicles of one parameter set: `Group`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core, exact
from pyrfly.columns import Columns, Field, fields_of_type
from pyrfly.errors import ParameterError
from pyrfly.sim.constants import HAS_HOME
from pyrfly.vehicles import VehicleParameters
from pyrfly.vehicles.multirotor import tuning

__all__ = ["Group"]

NAVIGATOR_ROLES = ("navigator", "navigator word")
NAVIGATOR_SETTINGS = {"takeoff_height": 10.0, "takeoff_speed": 1.5, "landing_speed": 0.7}
"""Height of seed 000 section 9.2.1.2 [m]; PX4's MPC_TKO_SPEED and MPC_LAND_SPEED [m/s]."""

NAVIGATOR_KEPT = {*NAVIGATOR_SETTINGS, "sil_frame"}
"""Columns of the navigator that are settings."""


def _require_plain(parameters: VehicleParameters) -> None:
    """Refuse a set whose essence the plain effects leave out."""
    columns = parameters.columns
    coefficients = columns.get("thrust_coef", columns.get("rotor_thrust_coef"))
    assert coefficients is not None
    linear = coefficients[: len(coefficients) // 2]
    if np.any(linear) or np.any(columns["motor_curve"][2:]):
        raise ParameterError(
            f"effects: 'plain' has thrust quadratic in speed and speed linear in throttle only, "
            f"which {parameters.name!r} is not; use 'full'"
        )


def _check_step(parameters: VehicleParameters, options: Mapping[str, Any]) -> None:
    """Refuse a step with which the fastest decay of a vehicle would grow instead.

    Runge-Kutta of fourth order is stable to 2.785 over a decay rate, Euler to 2 (Hairer, Wanner,
    Solving Ordinary Differential Equations II, section IV.2).
    """
    columns = parameters.columns
    rates = 1 / columns["motor_tau"]
    if options["effects"] == "full":
        ground = ("ground_damping", "ground_level_damping", "ground_friction")
        rates = np.concatenate([rates, *(columns[name] for name in ground)])
    longest = (2.785 if options["integrator"] == "rk4" else 2.0) / float(rates.max())
    if options["dt"] > longest:
        raise ValueError(
            f"dt: expected at most {longest:.3g} s, with which {options['integrator']} is stable "
            f"for the motors and the ground of {parameters.name!r}, got {options['dt']}"
        )


class Group(Columns):
    """Vehicles of one parameter set: a batch of the core, with its columns as attributes.

    Every column is a live view: writing into it changes the vehicles, parameters included.

    Attributes
    ----------
    name : str
        Name of the parameter set.
    parameters : VehicleParameters
        The set all vehicles start with.
    first_id : int
        CopterID of the first vehicle.
    n : int
        Number of vehicles.
    batch : pyrfly._core.Batch
        The batch of the core.
    fields : tuple of Field
        The columns that there are.
    largest : float
        Largest number that a column holds.
    """

    def __init__(
        self, parameters: VehicleParameters, n: int, first_id: int, options: Mapping[str, Any]
    ) -> None:
        self.name = parameters.name
        self.parameters = parameters
        self.first_id = first_id
        self.n = n
        if options["effects"] == "plain":
            _require_plain(parameters)
        _check_step(parameters, options)
        self.batch = _core.Batch(parameters.c_type, n, **options)
        self.fields: tuple[Field, ...] = ()
        self._views: dict[str, NDArray[Any]] = {}
        self._show(f for f in fields_of_type(parameters.c_type) if f.role not in NAVIGATOR_ROLES)
        self.largest = float(np.finfo(self.batch.precision).max)
        for k, airframe in enumerate(parameters.airframes):
            self._fill(airframe)
            self.batch.set_airframe(k, self._params_and_gains())
        self._fill(parameters)
        for name in ("att", "att_sp"):
            self.batch.fill(name, (1.0, 0.0, 0.0, 0.0))

    def _fill(self, parameters: VehicleParameters) -> None:
        """Make every vehicle one of a parameter set."""
        gains = tuning.gains(parameters.columns, parameters.c_type)
        for name, values in {**parameters.columns, **gains}.items():
            self.batch.fill(name, values)

    def _params_and_gains(self) -> NDArray[np.float64]:
        """Return those of the first vehicle, in the order of the columns."""
        chosen = [self._views[f.name][0] for f in self.fields if f.role in ("param", "gain")]
        return np.concatenate([np.atleast_1d(values) for values in chosen]).astype(np.float64)

    def view(self, name: str) -> NDArray[Any]:
        """Return a column: a live view of what is stored, or an output computed now.

        Raises
        ------
        AttributeError
            When these vehicles have no such column.
        """
        view = self._views.get(name)
        if view is not None:
            return view
        try:
            return self.batch.view(name)
        except KeyError:
            message = f"vehicles of type {self.batch.type_name} have no column {name!r}"
            raise AttributeError(message) from None
        except ValueError:
            message = f"{name}: there is no navigator yet; call enable_synthesis() of the Sim"
            raise AttributeError(message) from None

    def writable(self, name: str) -> NDArray[Any]:
        """Return the live view of a column; one that is computed raises an AttributeError."""
        view = self._views.get(name)
        if view is None:
            self.view(name)
            raise AttributeError(f"{name} is computed from the state and cannot be written")
        return view

    def _view(self, name: str) -> NDArray[Any]:
        return self.view(name)

    def _write(self, name: str, value: Any) -> None:
        self.writable(name)[...] = value

    def attach_navigator(self) -> None:
        """Show the columns of the navigator, if there is one, and fill fresh ones."""
        if not self.batch.navigator:
            return
        if "navigator_flags" not in self._views:
            every = fields_of_type(self.batch.type_name)
            self._show(field for field in every if field.role in NAVIGATOR_ROLES)
        if not self.navigator_flags.any():
            self.forget(slice(None))
            for name, value in NAVIGATOR_SETTINGS.items():
                self._views[name][...] = value

    # The next two are to become methods of the batch: no other code in Python writes columns that
    # are the navigator's own.

    def forget(self, rows: Any) -> None:
        """Reset the navigators of vehicles: home is where they are now."""
        for field in self.fields:
            if field.role in NAVIGATOR_ROLES and field.name not in NAVIGATOR_KEPT:
                self._views[field.name][rows] = 0
        self.home[rows] = self.pos[rows]
        self.navigator_flags[rows] = HAS_HOME

    def release_navigator(self, rows: Any) -> None:
        """End what the navigators of vehicles execute, so that they write no more set-points."""
        if self.batch.navigator:
            self._views["navigator_mode"][rows] = 0
            self._views["navigator_flags"][rows] = HAS_HOME

    def _show(self, fields: Iterable[Field]) -> None:
        """Add columns to those that the vehicles have."""
        new = tuple(fields)
        self.fields += new
        self._views.update((f.name, self.batch.view(f.name)) for f in new if f.role != "output")

    def reset(self, rows: Any, pos: NDArray[np.float64], yaw: NDArray[np.float64]) -> None:
        """Put vehicles at rest at ``pos`` (k, 3) [m, NED] with heading ``yaw`` (k,) [rad]."""
        for field in self.fields:
            if (
                field.role in ("state", "setpoint", "controller", "flag")
                or field.name == "throttle"
            ):
                self._views[field.name][rows] = 0
        self.pos[rows] = pos
        self.att[rows, 3], self.att[rows, 0] = exact.sincos(yaw / 2)
        self.att_sp[rows] = self.att[rows]
        self.heading[rows] = np.stack(exact.sincos(yaw)[::-1], axis=-1)
        if self.batch.navigator:
            self.forget(rows)
