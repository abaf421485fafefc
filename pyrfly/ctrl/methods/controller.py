"""Base of all methods of a controller: its link, and checks of arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.ctrl.arguments import finite, numbers, single, triples, vectors
from pyrfly.ctrl.link.protocols import (
    AirspeedRange,
    Datagrams,
    Link,
    MavlinkMessages,
    ParameterAccess,
    lacks,
)
from pyrfly.ctrl.link.targets import Target
from pyrfly.errors import CommandWarning, ParameterWarning, UnsupportedError, warn
from pyrfly.sim.slips import angle_slip

__all__ = ["SET_POINT_WAITS", "Controller"]

Array = NDArray[np.float64]

MAX_DISTANCE = 1e6  # m, as in csrc/base/status.h

SET_POINT_WAITS = "set-point: no effect before initOffboard, which arms and lets it be flown"


class Controller:
    """Base of the methods: k vehicles behind a link.

    Attributes
    ----------
    UDPMode : int
        What ``InitMavLoop`` was called with, 2 before.
    """

    _link: Link
    _k: int | None  # None: one vehicle, whose arguments are plain numbers
    _name: str  # for errors

    def __init__(self) -> None:
        self.UDPMode = 2
        self._connected = False
        self._offboard = False
        self._has_target = False
        self._heading: Array | None = None  # of the set-point that was set last
        self._told: set[str] = set()  # arguments of another unit, warnings that were given

    def _ready(self) -> Link:
        """Return the link; a RuntimeError when ``InitMavLoop`` was not called."""
        if not self._connected:
            raise RuntimeError(f"call InitMavLoop of {self._name} before any command")
        return self._link

    def _mavlink(self) -> MavlinkMessages | None:
        """Return the link if commands are messages of MAVLink, else None."""
        link = self._ready()
        return link if isinstance(link, MavlinkMessages) else None

    def _set_target(self, target: Target | None) -> None:
        link = self._ready()
        if target is not None:
            link.require_supported(target)
            if not self._offboard and link.estimate.armed.any():
                self._warn_once(SET_POINT_WAITS)
        link.set_target(target)
        self._has_target = target is not None
        self._heading = getattr(target, "yaw", None)

    def _warn_once(self, message: str) -> None:
        """Warn of a command without effect, once for each kind of it."""
        if message not in self._told:
            self._told.add(message)
            warn(message, CommandWarning)

    def _warn_unless_armed(self, method: str) -> None:
        """Warn of a method that has no effect on vehicles which are not armed."""
        if not self._ready().estimate.armed.all():
            self._warn_once(
                f"{method}: no effect before the vehicle is armed: initOffboard or SendMavArm(1)"
            )

    def _send_target(self, target: Target) -> None:
        """Pass a set-point on at once."""
        link = self._ready()
        link.require_supported(target)
        link.send(target)

    def _parameter_access(self, method: str, column: str) -> ParameterAccess:
        """Return the link as access to a column; an UnsupportedError names the method."""
        link = self._link
        if not isinstance(link, ParameterAccess):
            raise lacks(method, ParameterAccess)
        link.require(method, column)
        return link

    def _require_wings(self, method: str, what: str, link: ParameterAccess) -> None:
        """Raise an UnsupportedError that names the method if a vehicle hovers."""
        others = ", ".join(str(some) for some in link.vehicles if not some.abilities.kind.circles)
        if others:
            raise self._unsupported(method, f"{what} is for planes, got {others}")

    def _datagrams(self, method: str) -> Datagrams:
        """Return the link as sender of messages; an UnsupportedError names the method."""
        if not isinstance(self._link, Datagrams):
            raise lacks(method, Datagrams)
        return self._link

    def _shown_scalar(self, values: Any) -> Any:
        """Return numbers (k,) as the user gets them."""
        raise NotImplementedError

    def _unsupported(self, method: str, what: str) -> UnsupportedError:
        return UnsupportedError(f"{method}: {what}")

    # --- arguments as arrays of k rows

    def _numbers(self, name: str, value: Any, unit: str) -> Array:
        """Return one number per vehicle; NaN may pass."""
        return self._radians(name, numbers(name, value, unit, self._k, nan=True), unit)

    def _finite(self, name: str, value: Any, unit: str) -> Array:
        return self._radians(name, finite(name, value, unit, self._k), unit)

    def _radians(self, name: str, values: Array, unit: str) -> Array:
        """Return values; warn once a name of angles that seem to be degrees."""
        if unit == "rad" and name not in self._told and (message := angle_slip(name, values)):
            self._told.add(name)
            warn(f"{message}: another unit?", ParameterWarning)
        return values

    def _positive(self, name: str, value: Any, unit: str) -> Array:
        values = self._finite(name, value, unit)
        if not (values > 0).all():
            raise ValueError(f"{name}: expected a value above 0 [{unit}], got {value!r:.80}")
        return values

    def _warn_of_airspeed(self, name: str, speed: Array, *, now: bool) -> None:
        """Warn of airspeeds that wings will not fly at, of those in flight ``now``."""
        if not isinstance(self._link, AirspeedRange):
            return
        low, high = self._link.airspeed_range(now)
        outside = np.flatnonzero((speed < low) | (speed > high))
        if len(outside):
            first = outside[0]
            span, got = f"{low[first]:.3g} to {high[first]:.3g} m/s", f"{speed[first]:g}"
            message = f"{name}: expected an airspeed of {span}, got {got}; it is limited"
            warn(message, CommandWarning)

    def _normalized(self, name: str, value: Any) -> Array:
        """Return one normalized thrust per vehicle, limited to 0 to 1 with a warning."""
        thrust = self._finite(name, value, "1")
        limited = np.clip(thrust, 0.0, 1.0)
        outside = thrust[thrust != limited]
        if len(outside):
            warn(f"{name}: expected 0 to 1, got {outside[0]:g}; it is limited", CommandWarning)
        return limited

    def _triple(self, names: str, values: tuple[Any, Any, Any], unit: str) -> Array:
        """Return three arguments, named in one string, as (k, 3); NaN may pass."""
        found = triples(names.split(), values, unit, self._k)
        for name, column in zip(names.split(), found.T, strict=True):
            self._radians(name, column, unit)
        return found

    def _vector(self, name: str, value: Any, unit: str, *widths: int) -> Array:
        return vectors(name, value, unit, self._k, widths)

    def _position(self, names: str, values: tuple[Any, Any, Any]) -> Array:
        """Return three finite arguments [m] as (k, 3)."""
        pairs = zip(names.split(), values, strict=True)
        return np.stack([self._finite(name, value, "m") for name, value in pairs], axis=-1)

    def _geodetic(self, lat: Any, lon: Any, alt: Any) -> Array:
        """Return latitude and longitude [deg] and height [m] as (k, 3)."""
        angles = [self._angle("lat", lat, 90.0), self._angle("lon", lon, 180.0)]
        lla = np.stack([*angles, self._finite("alt", alt, "m")], axis=-1)
        if self._link.fixed and self._link.estimate.home_lla.any():
            frame = self._link.origin
            ways = frame.to_ned(lla) - frame.to_ned(self._link.estimate.home_lla)
            farthest = float(exact.norm(ways).max())
            if farthest > MAX_DISTANCE:
                raise ValueError(
                    f"lat lon alt: expected a position within {MAX_DISTANCE / 1e3:g} km of the "
                    f"take-off point, got one at {farthest / 1e3:.0f} km"
                )
        return lla

    def _angle(self, name: str, value: Any, limit: float) -> Array:
        angles = self._finite(name, value, "deg")
        if np.abs(angles).max() > limit:
            raise ValueError(f"{name}: expected {-limit:g} to {limit:g} [deg], got {value!r:.80}")
        return angles

    @staticmethod
    def _one(name: str, value: Any, unit: str) -> float:
        """Return a finite number that holds for all vehicles."""
        return single(name, value, unit)
