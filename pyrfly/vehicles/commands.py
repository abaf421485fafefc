"""Interface of the commands of a family to the selected vehicles of a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.errors import brief
from pyrfly.protocol.bits import Setpoint

__all__ = [
    "FamilyCommands",
    "Ids",
    "Select",
    "Selected",
    "frame_bit",
    "heading",
    "normalized_thrust",
    "set_attitude",
    "set_rate",
]

Ids = int | Sequence[int] | NDArray[Any] | None
"""CopterIDs; None for all."""


class Selected(Protocol):
    """Vehicles that can be commanded, such as a `pyrfly.sim.Selection`."""

    def per_vehicle(
        self, name: str, value: ArrayLike, unit: str, width: int = 1
    ) -> NDArray[np.float64]:
        """Return a checked argument as one row per vehicle."""

    def positive(self, name: str, value: ArrayLike, unit: str) -> NDArray[np.float64]:
        """Return a checked argument above 0, one per vehicle."""

    def read(self, name: str) -> NDArray[Any]:
        """Return a column, one row per vehicle."""

    def write(self, name: str, values: ArrayLike) -> None:
        """Write a column, one row per vehicle."""

    def set_point(self, mask: int, **columns: NDArray[np.float64]) -> None:
        """Write set-points; ``mask`` consists of bits of `Setpoint`."""


class Select(Protocol):
    """The vehicles of a family in a simulation."""

    def __call__(self, ids: Ids, /) -> Selected:
        """Return those with these CopterIDs, all for None."""

    def lacks(self, command: str) -> AttributeError:
        """Return the error of a command that the family does not have."""


class FamilyCommands:
    """Base of the commands of a family.

    Parameters
    ----------
    select : Select
        The vehicles of the family.
    """

    def __init__(self, select: Select) -> None:
        self._select = select

    def __repr__(self) -> str:
        names = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        return f"<{type(self).__name__}: {names}>"

    if not TYPE_CHECKING:  # type checkers then know which commands there are

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("_"):
                raise AttributeError(name)
            raise self._select.lacks(name)


def heading(
    chosen: Selected, yaw: ArrayLike | None, yaw_rate: ArrayLike | None
) -> tuple[int, dict[str, NDArray[np.float64]]]:
    """Return the bits and columns of a heading [rad] or heading rate [rad/s] set-point."""
    mask, columns = 0, {}
    if yaw is not None:
        mask += Setpoint.YAW  # | of flags is slow
        columns["yaw_sp"] = chosen.per_vehicle("yaw", yaw, "rad")
    if yaw_rate is not None:
        mask += Setpoint.YAW_RATE
        columns["yaw_rate_sp"] = chosen.per_vehicle("yaw_rate", yaw_rate, "rad/s")
    return mask, columns


def frame_bit(frame: str) -> int:
    """Return the bit of the frame of velocities and accelerations, ``'ned'`` or ``'frd'``."""
    if frame not in ("ned", "frd"):
        raise ValueError(f"frame: expected 'ned' or 'frd', got {brief(frame)}")
    return Setpoint.HEADING_FRAME if frame == "frd" else 0


def normalized_thrust(chosen: Selected, thrust: ArrayLike) -> NDArray[np.float64]:
    """Return thrusts or throttles of an argument, limited to 0 to 1."""
    return np.clip(chosen.per_vehicle("thrust", thrust, "1"), 0.0, 1.0)


def set_attitude(chosen: Selected, att: ArrayLike, thrust: ArrayLike) -> None:
    """Set attitude set-points, quaternions FRD to NED of any length, with a normalized thrust."""
    quaternion = chosen.per_vehicle("att", att, "1", 4)
    largest = np.abs(quaternion).max(axis=-1, keepdims=True)
    if not (largest > 1e-6).all():
        raise ValueError("att: expected quaternions, got one of length 0")
    quaternion = quaternion / largest  # so that no square overflows
    norm = exact.norm(quaternion)[..., None]
    normalized = normalized_thrust(chosen, thrust)
    mask = Setpoint.ATTITUDE | Setpoint.THRUST
    chosen.set_point(mask, att_sp=quaternion / norm, thrust_sp=normalized)


def set_rate(chosen: Selected, rate: ArrayLike, thrust: ArrayLike) -> None:
    """Set angular velocity set-points [rad/s, FRD] with a normalized thrust."""
    columns = {"rate_sp": chosen.per_vehicle("rate", rate, "rad/s", 3)}
    columns["thrust_sp"] = normalized_thrust(chosen, thrust)
    chosen.set_point(Setpoint.BODY_RATE | Setpoint.THRUST, **columns)
