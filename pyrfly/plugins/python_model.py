"""Models in Python: functions of arrays, for prototypes; `from_functions`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ParameterError, brief
from pyrfly.frames.rotations import quaternion_rate
from pyrfly.plugins.own_model import OwnModel, add
from pyrfly.plugins.table import ROLES, Functions, OwnColumn, Table, shared_fields

__all__ = ["Column", "Values", "from_functions"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Column:
    """A column of a model in Python.

    Attributes
    ----------
    unit : str
        SI unit, ``"1"`` for none.
    doc : str
        Its meaning, a noun phrase.
    start : array_like
        Value of a new vehicle, a number or a sequence of numbers: its width is theirs.
    frame : str
        ``"NED"``, ``"FRD"``, ``"FRD to NED"``, or empty.
    """

    unit: str
    doc: str
    start: ArrayLike = 0.0
    frame: str = ""


class Values:
    """Columns of vehicles as attributes: arrays of shape (n,) or (n, width), float64."""

    def __init__(self, names: Mapping[str, slice], rows: Array | None) -> None:
        self._names, self._rows = names, rows

    def __getattr__(self, name: str) -> Array:
        """Return a column by its name."""
        try:
            of = self.__dict__["_names"][name]
        except KeyError:
            known = ", ".join(self.__dict__.get("_names", ()))
            raise AttributeError(f"{name}: expected one of {known}") from None
        if self._rows is None:
            raise AttributeError(f"{name}: this function gets no columns of its role")
        values: Array = self._rows[of].T
        return values[:, 0] if values.shape[1] == 1 else values

    def __dir__(self) -> list[str]:
        """Return the names of the columns."""
        return list(self._names)


@dataclass(frozen=True)
class Call:
    """What a function of a model gets.

    Attributes
    ----------
    time : float
        Time of this integrator step [s].
    period : float
        The integrator step [s]; of a controller and of sensors that between two of their runs.
    state, input, param : Values
        The columns of these roles. ``input.command`` has 16 columns, ``input.air_density`` is in
        kg/m^3.
    gain, setpoint, controller : Values
        For a controller: the columns of these roles.
    setpoint_mask, armed : ndarray, shape (n,), uint32
        For a controller: bits of `pyrfly.Setpoint`, and whether the motors may run.
    sensor : Values
        For a controller what the sensors measure, for sensors what they have measured last.
    derivative : Values
        For sensors: time derivative of each state column by name, of all that acts on the vehicle.
    noise : Values
        For sensors: independent normal numbers of mean 0 and variance 1 for each sensor by name.
    specific_force : ndarray, shape (n, 3), float64
        For sensors: that of the centre of mass [m/s^2, FRD].
    """

    time: float
    period: float
    state: Values
    input: Values
    param: Values
    gain: Values
    setpoint: Values
    setpoint_mask: NDArray[np.uint32]
    armed: NDArray[np.uint32]
    controller: Values
    sensor: Values
    derivative: Values
    noise: Values
    specific_force: Array


Function = Callable[[Call], Mapping[str, ArrayLike]]


def from_functions(
    name: str,
    derivative: Function,
    *,
    doc: str = "a model in Python",
    state: Mapping[str, Column] | None = None,
    input: Mapping[str, Column] | None = None,
    param: Mapping[str, Column | ArrayLike] | None = None,
    gain: Mapping[str, Column | ArrayLike] | None = None,
    setpoint: Mapping[str, Column] | None = None,
    controller: Mapping[str, Column] | None = None,
    sensor: Mapping[str, Column] | None = None,
    output: Mapping[str, Column] | None = None,
    actuators: int = 4,
    finish: Function | None = None,
    outputs: Function | None = None,
    control: Function | None = None,
    sense: Function | None = None,
) -> OwnModel:
    """Return a vehicle whose equations are functions of arrays in Python.

    For prototypes: a call has all vehicles of a group, but takes 20 to 100 microseconds, four times
    a step. The same equations in C are a hundred times as fast.

    Parameters
    ----------
    name : str
        Name of the vehicle, a word of a-z, 0-9 and _.
    derivative : callable
        Gets a `Call` and returns the time derivative of each state column by name, shapes as there.
        ``pos`` and ``att`` may be left out: they follow from ``vel`` and ``rate``.
    doc : str
        What it is, a noun phrase.
    state, input, setpoint, controller, sensor, output : mapping of str to Column, optional
        Columns of its own, besides those of all vehicles (docs/own-models.md).
    param, gain : mapping of str to Column or array_like, optional
        The same; of columns that all vehicles have, such as ``mass`` and ``inertia``, which a model
        must give, the value alone.
    actuators : int
        Number of actuator commands that it uses, 1 to 16.
    finish : callable, optional
        Called after each integrator step; returns state columns that it changes.
    outputs : callable, optional
        Returns all columns of ``output``; and ``displayed`` (n, 8), what 3D packets show.
    control : callable, optional
        Returns ``command``, shape (n, 16) or (n, actuators), and columns of ``controller`` that it
        changes. With it the vehicles take commands of position, velocity and so on.
    sense : callable, optional
        Called at the ``sensor_rate`` of the `pyrfly.Sim`; returns columns of ``sensor`` that it
        changes.

    Returns
    -------
    OwnModel
        The vehicle, for a `pyrfly.Sim` of this process.

    Raises
    ------
    ParameterError
        A column is not as it has to be.
    TypeError
        An argument is of another type.

    Notes
    -----
    The functions must not use the `pyrfly.Sim` that calls them. What they raise, Ctrl-C too, the
    call that they were needed for raises; the vehicles then have a fault flag until a reset, or
    where ``sense`` raised, sensors that are NaN.

    Examples
    --------
    A mass on a rocket engine:

    >>> import numpy as np
    >>> from pyrfly import Sim, plugins
    >>> def derivative(c):
    ...     accel = np.zeros_like(c.state.vel)
    ...     push = c.input.command[:, 0] * c.param.full_thrust
    ...     accel[:, 2] = c.param.gravity - push / c.param.mass
    ...     return {"vel": accel, "rate": np.zeros_like(accel)}
    >>> rocket = plugins.from_functions(
    ...     "rocket",
    ...     derivative,
    ...     param={"mass": 2.0, "inertia": [1, 1, 1, 0, 0, 0],
    ...            "full_thrust": plugins.Column("N", "thrust at full command", 39.2)},
    ...     actuators=1,
    ... )
    >>> sim = Sim({rocket: 3})
    >>> sim.groups[0].command[:, 0] = 0.5, 0.75, 1.0
    >>> sim.step(1000)
    >>> (-sim.vel[:, 2]).round(6).tolist()
    [-0.0, 4.9, 9.8]
    """
    for word, function in (
        ("derivative", derivative),
        ("finish", finish),
        ("outputs", outputs),
        ("control", control),
        ("sense", sense),
    ):
        if not callable(function) and not (function is None and word != "derivative"):
            raise TypeError(f"{word}: expected a function, got {brief(function)}")
    own = (state, input, param, gain, setpoint, controller, sensor, output)
    for role, mapping in zip(ROLES, own, strict=False):
        if mapping is not None and not isinstance(mapping, Mapping):
            raise TypeError(f"{role}: expected a dict of columns, got {brief(mapping)}")
    columns = tuple(
        _column(word, given, role)
        for role, mapping in enumerate(own)
        for word, given in (mapping or {}).items()
    )
    rows = _Rows(columns)
    functions = Functions(
        rows.deriving(derivative),
        None if finish is None else rows.finishing(finish),
        None if outputs is None else rows.giving(outputs),
        None if control is None else rows.controlling(control, actuators),
        None if sense is None else rows.sensing(sense),
        rows.counts,
    )
    table = Table(name, doc, actuators, columns, functions)
    table.check()
    return add(table, name, None, whole=True)


def _column(name: str, given: Column | ArrayLike, role: int) -> OwnColumn:
    """Return a column of a role; a value alone is the start of one that all vehicles have."""
    if isinstance(given, Column):
        start = _start(name, given.start)
        return OwnColumn(name, given.unit, given.frame, given.doc, role, len(start), start)
    if ROLES[role] not in ("param", "gain"):
        raise TypeError(f"{name}: expected a Column, got {brief(given)}")
    start = _start(name, given)
    return OwnColumn(name, "", "", "", ROLES.index("shared"), len(start), start)


def _start(name: str, given: ArrayLike) -> tuple[float, ...]:
    """Return the values of a new vehicle."""
    try:
        values = np.atleast_1d(np.asarray(given, np.float64))
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected numbers, got {brief(given)}") from None
    if values.ndim != 1:
        raise ParameterError(
            f"{name}: expected a number or a row of them, got shape {values.shape}"
        )
    return tuple(values.tolist())


_SHARED_OUTPUT = {"displayed": slice(0, 8)}
"""Outputs of all vehicles that a model gives."""


class _Rows:
    """Rows of the columns of a model by name, and its functions as the core calls them."""

    def __init__(self, columns: tuple[OwnColumn, ...]) -> None:
        self._of = [self._places(role, columns) for role in range(len(ROLES) - 1)]
        self.counts = tuple(max((s.stop for s in of.values()), default=0) for of in self._of)

    @staticmethod
    def _places(role: int, columns: tuple[OwnColumn, ...]) -> dict[str, slice]:
        if ROLES[role] == "output":
            places, at = dict(_SHARED_OUTPUT), _SHARED_OUTPUT["displayed"].stop
        else:
            places, at = {}, 0
        widths = [] if places else [(f.name, f.width) for f in shared_fields(ROLES[role])]
        widths += [("air_density", 1)] if ROLES[role] == "input" else []
        widths += [(one.name, one.width) for one in columns if one.role == role]
        for name, width in widths:
            places[name] = slice(at, at + width)
            at += width
        return places

    def _call(self, time: float, period: float, *arrays: Any) -> Call:
        state, inputs, param, gain, setpoint, mask, armed, controller, *sensed = arrays
        sensor, derivative, noise, force = sensed
        specific_force: Any = None if force is None else force.T
        return Call(
            time=time,
            period=period,
            state=Values(self._of[0], state),
            input=Values(self._of[1], inputs),
            param=Values(self._of[2], param),
            gain=Values(self._of[3], gain),
            setpoint=Values(self._of[4], setpoint),
            setpoint_mask=mask,
            armed=armed,
            controller=Values(self._of[5], controller),
            sensor=Values(self._of[6], sensor),
            derivative=Values(self._of[0], derivative),
            noise=Values(self._of[6], noise),
            specific_force=specific_force,
        )

    def _fill(self, what: str, role: str, out: Array, given: Mapping[str, ArrayLike]) -> Array:
        """Write columns by name into rows."""
        places = self._of[ROLES.index(role)]
        if not isinstance(given, Mapping):
            raise TypeError(f"{what}: expected a dict of columns, got {brief(given)}")
        for name, values in given.items():
            if name not in places:
                raise KeyError(f"{what}: expected columns of {', '.join(places)}, got {name!r}")
            rows = out[places[name]]
            array = np.asarray(values)
            if array.dtype.kind not in "fiub" or isinstance(values, np.ma.MaskedArray):
                raise TypeError(f"{what}: {name}: expected numbers, got {brief(values)}")
            wanted = (out.shape[1],) if len(rows) == 1 else (out.shape[1], len(rows))
            if array.shape not in (wanted, ()):
                raise ValueError(f"{what}: {name}: expected shape {wanted}, got {array.shape}")
            rows[...] = array if array.ndim < 2 else array.T
        return out

    def deriving(self, function: Function) -> Callable[..., Array]:
        """Return the derivative."""
        optional = {"pos", "att"}

        def run(*arguments: Any) -> Array:
            call = self._call(*arguments)
            out: Array = np.zeros_like(arguments[2])
            given = function(call)
            self._fill("derivative", "state", out, given)
            missing = self._of[0].keys() - given.keys() - optional
            if missing:
                raise KeyError(f"derivative: expected {', '.join(sorted(missing))} besides")
            if "pos" not in given:
                out[0:3] = arguments[2][3:6]
            if "att" not in given:
                out[6:10] = quaternion_rate(arguments[2][6:10].T, arguments[2][10:13].T).T
            return out

        return run

    def finishing(self, function: Function) -> Callable[..., Array]:
        """Return what changes the state after a step."""
        return lambda *arguments: self._fill(
            "finish", "state", arguments[2].copy(), function(self._call(*arguments))
        )

    def giving(self, function: Function) -> Callable[..., Array]:
        """Return what computes the outputs."""

        def run(*arguments: Any) -> Array:
            out = np.zeros((self.counts[-1], arguments[2].shape[1]))
            given = function(self._call(*arguments))
            self._fill("outputs", "output", out, given)
            missing = self._of[-1].keys() - given.keys() - _SHARED_OUTPUT.keys()
            if missing:
                raise KeyError(f"outputs: expected {', '.join(sorted(missing))} besides")
            return out

        return run

    def controlling(self, function: Function, actuators: int) -> Callable[..., tuple[Array, Array]]:
        """Return the controller."""

        def run(*arguments: Any) -> tuple[Array, Array]:
            given = dict(function(self._call(*arguments)))
            n = arguments[2].shape[1]
            command = np.asarray(given.pop("command", 0.0), np.float64)
            if command.shape not in ((n, 16), (n, actuators)):
                raise ValueError(
                    f"control: command: expected shape {(n, actuators)}, got {command.shape}"
                )
            out = np.zeros((16, n))
            out[: command.shape[1]] = command.T
            return out, self._fill("control", "controller", arguments[9].copy(), given)

        return run

    def sensing(self, function: Function) -> Callable[..., Array]:
        """Return what computes the sensors."""
        return lambda *arguments: self._fill(
            "sense", "sensor", arguments[10].copy(), function(self._call(*arguments))
        )
