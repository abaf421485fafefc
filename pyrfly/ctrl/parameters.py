"""PX4's parameters that vehicles of this simulator have, by PX4's names and in PX4's units.

RflySim's methods that set parameters of PX4 act on the columns of the vehicle itself; each family
lists those that it has (``px4`` of `pyrfly.vehicles.Family`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pyrfly.ctrl.unsupported import UnsupportedError
from pyrfly.errors import near_names
from pyrfly.vehicles import FAMILIES, Family
from pyrfly.vehicles.px4 import Px4Parameter

__all__ = ["PARAMETERS", "SPEED_LIMIT", "STORED", "of_name"]

PARAMETERS = {
    name: parameter for family in FAMILIES.values() for name, parameter in family.px4.items()
}
"""Parameters of any family."""

STORED = ("NAV_LOITER_RAD", "NAV_RCL_ACT", "NAV_DLL_ACT", "COM_RCL_EXCEPT")
"""Parameters that are kept without effect: no vehicle here circles, and there is no failsafe for a
lost remote control or data link."""

SPEED_LIMIT = ("speed_limit", None)
"""Column and component that every link can set, RflySim's cruise speed."""


def of_name(name: str, families: Collection[Family[Any]] = ()) -> Px4Parameter | None:
    """Return where a parameter is; None for one that is only `STORED`.

    Parameters
    ----------
    name : str
        PX4's name.
    families : collection of Family
        Families of the vehicles; empty where they are not known: then one of all must have it.

    Raises
    ------
    UnsupportedError
        When a vehicle has no such parameter.
    """
    if name in STORED:
        return None
    lacking = [family.name for family in families if name not in family.px4]
    if name not in PARAMETERS or lacking:
        known = [*dict.fromkeys(n for family in families or FAMILIES.values() for n in family.px4)]
        known += STORED
        whose = f"no {', no '.join(lacking)}" if name in PARAMETERS else "no vehicle"
        raise UnsupportedError(
            f"param_id: {whose} here has {name!r}; near: {near_names(name, known)}; there are "
            f"{', '.join(known)}"
        )
    return PARAMETERS[name]
