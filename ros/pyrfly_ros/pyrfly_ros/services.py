"""Services that command vehicles: `SERVICES`, a row for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol import synthesis
from pyrfly.server.orders import Action, Reset, SetInputs, TakeOff
from pyrfly.sim import Sim

__all__ = ["SERVICES", "Done", "Service", "executed"]

Ids = NDArray[np.intp]
Done = Callable[[], object]
"""What is called when a service is done."""

_SHOWN = 8  # vehicles that are named
_TRIGGER, _SWITCH = "std_srvs/Trigger", "std_srvs/SetBool"


class Service(NamedTuple):
    """A service of a vehicle, and of all together.

    Attributes
    ----------
    kind : str
        Its type.
    action : callable
        What it requests, of CopterIDs and the request.
    flies : bool
        Whether vehicles that are not armed cannot do it.
    """

    kind: str
    action: Callable[[Ids, Any], Action]
    flies: bool = False


def _arm(ids: Ids, request: Any) -> Action:
    return SetInputs.of(ids, *synthesis.arm(np.full(len(ids), request.data)))


def _take_off(ids: Ids, request: Any) -> Action:
    here = np.full(len(ids), np.nan)
    return TakeOff(ids, *synthesis.take_off(here, here, 0.0, armed=True))


def _land(ids: Ids, request: Any) -> Action:
    return SetInputs.of(ids, *synthesis.land(np.full(len(ids), np.nan)))


def _return_home(ids: Ids, request: Any) -> Action:
    return SetInputs.of(ids, *synthesis.return_home(np.zeros(len(ids))))


def _reset(ids: Ids, request: Any) -> Action:
    return Reset(ids)


SERVICES: Mapping[str, Service] = MappingProxyType(
    {
        "arm": Service(_SWITCH, _arm),
        "take_off": Service(_TRIGGER, _take_off, flies=True),
        "land": Service(_TRIGGER, _land, flies=True),
        "return_home": Service(_TRIGGER, _return_home, flies=True),
        "reset": Service(_TRIGGER, _reset),
    }
)
"""Services by their names below the namespace of a vehicle, and of the node."""


def executed(
    sim: Sim,
    act: Callable[[Action], None],
    service: Service,
    ids: Ids,
    request: Any,
    copter_id: Callable[[int], int] = int,
) -> str:
    """Do what a service requests; return what is refused of it, nothing if all is done.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    act : callable
        Executes an action.
    service : Service
        The service.
    ids : ndarray of int
        The vehicles.
    request : object
        The request of ROS.
    copter_id : callable
        What a vehicle is called.
    """

    def some(chosen: Ids) -> str:
        shown = ", ".join(str(copter_id(one)) for one in chosen[:_SHOWN].tolist())
        return shown + (", ..." if len(chosen) > _SHOWN else "")

    chosen = sim.select(ids)
    if service.flies and not (armed := chosen.read("armed") != 0).all():
        return f"not armed: vehicles {some(ids[~armed])}"
    before = chosen.read("sil_refused").copy()
    act(service.action(ids, request))
    refused = chosen.read("sil_refused") > before
    return f"refused by vehicles {some(ids[refused])}" if refused.any() else ""
