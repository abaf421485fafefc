"""Methods that set parameters: speeds, radii, and PX4's by name."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.ctrl.arguments import integer
from pyrfly.ctrl.link.mavlink_messages import INTEGER_FORMATS, parameter_bits, parameter_set
from pyrfly.ctrl.link.protocols import (
    Datagrams,
    MavlinkMessages,
    ParameterAccess,
    lacks,
)
from pyrfly.ctrl.methods.controller import Controller
from pyrfly.ctrl.parameters import SPEED_LIMIT, STORED, Vehicles, of_name
from pyrfly.mavlink.constants import ParamType
from pyrfly.protocol.short_message import Cruise
from pyrfly.vehicles import Abilities
from pyrfly.vehicles.px4 import Px4Parameter

__all__ = ["ParameterMethods"]

Array = NDArray[np.float64]


class ParameterMethods(Controller):
    """RflySim's parameter setters."""

    def __init__(self) -> None:
        super().__init__()
        self._stored: dict[str, ArrayLike] = dict.fromkeys(STORED, 0.0)

    def sendMavSetParam(
        self, param_id: bytes | str, param_value: ArrayLike, param_type: int
    ) -> None:
        """Set a parameter of PX4 by its name.

        Parameters
        ----------
        param_id : bytes or str
            PX4's name; `pyrfly.ctrl.parameters` lists those there are.
        param_value : float or array_like of shape (k,)
            The value, in PX4's unit.
            In MAVLink modes an integer is sent with the bytes of ``param_type``, as PX4 wants it,
            a float as it is.
        param_type : int
            MAV_PARAM_TYPE: 6 integer, 9 real; of use in MAVLink modes only.

        Raises
        ------
        UnsupportedError
            When there is no such parameter here; not in MAVLink modes, where it is not known.
        ValueError, TypeError
            For a value or a type that there is not.
        """
        name = param_id.decode("ascii", "replace") if isinstance(param_id, bytes) else param_id
        if not isinstance(name, str):
            raise TypeError(f"param_id: expected a name as bytes or str, got {param_id!r:.80}")
        name, kind = name.rstrip("\0"), _parameter_type(param_type)
        if (link := self._mavlink()) is not None:
            if isinstance(param_value, (int, np.integer)) and kind != ParamType.REAL32:
                value = parameter_bits(int(param_value), kind)
            else:
                value = float(self._numbers("param_value", param_value, "1")[0])
            link.send_message(parameter_set(name.encode(), value, kind))
        else:
            self._set("param_id", name, "param_value", param_value)

    def enFixedWRWTO(self) -> None:
        """Let a plane take off from a runway: set PX4's RWTO_TKOFF.

        In process planes with wheels always do, and others are launched.

        Raises
        ------
        UnsupportedError
            In process, of another vehicle; in UDP modes, which carry no parameters.
        """
        if isinstance(self._link, MavlinkMessages):
            self.sendMavSetParam(b"RWTO_TKOFF", 1, ParamType.INT32)
        elif isinstance(self._link, ParameterAccess):
            self._require_wings("enFixedWRWTO", "RWTO_TKOFF", self._link)
        else:
            raise lacks("enFixedWRWTO", ParameterAccess)

    def SendCruiseSpeed(self, Speed: ArrayLike = 0) -> None:
        """Set the cruise speed, PX4's FW_AIRSPD_TRIM: the airspeed by wings without another one.

        Of vehicles without wings it is the maximum horizontal speed that is commanded, but in
        MAVLink modes.

        Parameters
        ----------
        Speed : float or array_like of shape (k,)
            Speed [m/s]. Airspeeds are limited to what the wings fly with; in this process
            a CommandWarning says so.
        """
        speed = self._positive("Speed", Speed, "m/s")
        self._ready().set_cruise_speed(speed)
        self._warn_of_airspeed("Speed", speed, now=False)

    def SendCopterSpeed(self, Speed: ArrayLike = 0) -> None:
        """Set the maximum horizontal speed of a multirotor, PX4's MPC_XY_VEL_MAX.

        Parameters
        ----------
        Speed : float or array_like of shape (k,)
            Speed [m/s], 0.1 to 20.

        Raises
        ------
        UnsupportedError
            When a vehicle is no multirotor; only in process, where the vehicles are known.
        """
        self._set("SendCopterSpeed", "MPC_XY_VEL_MAX", "Speed", Speed)

    def SendGroundSpeed(self, Speed: ArrayLike = 0) -> None:
        """Set the speed of a ground vehicle or a plane, PX4's GND_SPEED_TRIM.

        Parameters
        ----------
        Speed : float or array_like of shape (k,)
            Speed [m/s], up to 100: that with which it drives to positions, and the
            largest that is commanded otherwise. Of planes the airspeed of their cruise, which is
            the speed over ground without wind; a real PX4 does not use it for planes.

        Raises
        ------
        UnsupportedError
            When a vehicle neither drives nor flies by wings alone; only in process, where the
            vehicles are known.
        """
        self._set("SendGroundSpeed", "GND_SPEED_TRIM", "Speed", Speed)
        self._warn_of_airspeed("Speed", self._finite("Speed", Speed, "m/s"), now=False)

    def SendCruiseRadius(self, rad: ArrayLike = 0) -> None:
        """Set the radius of circles by wings, PX4's NAV_LOITER_RAD; of others it is kept.

        Parameters
        ----------
        rad : float or array_like of shape (k,)
            Radius [m], of planes 5 to 1000.
        """
        link = self._ready()
        if isinstance(link, Datagrams) and not isinstance(link, MavlinkMessages):
            link.send_short(Cruise(np.zeros(1), self._finite("rad", rad, "m")))
        else:
            self._set("SendCruiseRadius", "NAV_LOITER_RAD", "rad", rad)

    def _set(self, caller: str, name: str, argument: str, value: Any) -> None:
        """Set PX4's parameter ``name``; errors name ``caller``, or ``argument`` for the value."""
        link = self._ready()
        if isinstance(link, MavlinkMessages):
            number = self._finite(argument, value, "1")
            if name == "MPC_XY_VEL_MAX":
                link.limit_speed(number)
            else:
                link.send_message(parameter_set(name.encode(), float(number[0])))
            return
        vehicles = link.vehicles if isinstance(link, ParameterAccess) else ()
        parameter = of_name(caller, name, vehicles)
        if parameter is None:
            self._store(name, argument, value, vehicles)
            return
        values = self._in_range(name, argument, value, parameter)
        if isinstance(link, ParameterAccess):
            link.write_where(lambda able: _column_of(able, name), values, parameter.component)
        elif (parameter.column, parameter.component) == SPEED_LIMIT:
            link.limit_speed(values)
        else:
            raise lacks(name, ParameterAccess)

    def _in_range(self, name: str, argument: str, value: Any, parameter: Px4Parameter) -> Array:
        """Return a value of PX4's parameter as its column has it, (k,)."""
        unit = parameter.unit
        values = self._finite(argument, value, unit)
        if not ((values >= parameter.low) & (values <= parameter.high)).all():
            raise ValueError(
                f"{argument}: expected {name} from {parameter.low:g} to {parameter.high:g} "
                f"[{unit}], got {value!r:.80}"
            )
        return values * parameter.factor

    def _store(self, name: str, argument: str, value: Any, vehicles: Collection[Vehicles]) -> None:
        """Keep the value of a parameter that not all vehicles have, and write it into those."""
        checked = self._finite(argument, value, "1")
        having = [some.abilities.px4[name] for some in vehicles if name in some.abilities.px4]
        if having and isinstance(link := self._link, ParameterAccess):
            values = self._in_range(name, argument, value, having[0])
            link.write_where(lambda able: _column_of(able, name), values)
        self._stored[name] = checked


def _column_of(able: Abilities, name: str) -> str | None:
    """Return the column of a parameter; None where vehicles do not have it."""
    return able.px4[name].column if name in able.px4 else None


def _parameter_type(kind: int) -> ParamType:
    number = integer("param_type", kind)
    kinds = (*INTEGER_FORMATS, ParamType.REAL32)
    if number not in kinds:
        known = ", ".join(f"{one.value} ({one.name})" for one in kinds)
        raise ValueError(f"param_type: expected one of {known}, got {number}")
    return ParamType(number)
