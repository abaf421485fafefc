"""Every method with arguments of the wrong kind: clear errors, and vehicles that stay sound."""

from __future__ import annotations

import inspect
import math
import warnings
from typing import Any

import numpy as np
import pytest

from pyrfly import vehicles
from pyrfly.ctrl import PX4MavCtrler, Swarm
from pyrfly.ctrl.methods import messages
from pyrfly.errors import CommandWarning
from pyrfly.sim import Sim
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.families import DEFAULT_FAMILY

BAD: list[Any] = [
    math.nan, math.inf, 1e300, 10**400, -(2**70), "abc", b"x", None, [], [1, 2], [[1], [2, 3]],
    [math.nan] * 3, np.zeros((2, 2)), (1,) * 40, {"a": 1}, 1j, object(),
    np.datetime64("2026-01-01"),
]  # fmt: skip

ANYTHING = {"setMsgDict": ("stName",), "fillList": ("data", "fill")}
"""Arguments that may be any object."""

TEXTS = {"IP": "abc", "param_id": "abc", "buf": b"x"}

WAITING = {"waitForStartMsg", "stopRun", "initPointMassModel"}
"""Methods that wait in real time, or end the simulation."""

GOOD: dict[str, Any] = {
    "pos": (30, 40, -60), "vel": (1, 0, 0), "acc": (0, 0, 0), "att": (0, 0, 0.1), "q": (1, 0, 0, 0),
    "body_rate": (0, 0, 0), "ctrls": (0, 0, 0, 0), "buf": b"1", "param_id": b"NAV_LOITER_RAD",
    "param_value": 80, "param_type": 9, "Euler": (0, 0, 0), "EnList": (0,) * 6, "data": (0,) * 16,
    "LonLatAlt": (40, 116, 50), "Pwms": [1500] * 8, "command": 400, "mainmode": 6, "Speed": 17,
    "rad": 80, "type_mask": 0b110111111000, "coordinate_frame": 1, "lat": 40.154, "lon": 116.26,
    "alt": 90, "thrust": 0.5,
}  # fmt: skip


class Silent:
    """A socket that sends nothing: other tests listen on RflySim's ports."""

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def sendto(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "sender", Silent)


def methods(controller: type) -> list[str]:
    named = (name for name in dir(controller) if not name.startswith("_"))
    return [name for name in named if callable(getattr(controller, name)) and name not in WAITING]


def arguments(method: Any, name: str) -> dict[str, Any]:
    """Return arguments that a method takes, those of its own kind before its defaults."""
    given = {}
    for parameter in inspect.signature(method).parameters.values():
        default = 1 if parameter.default is parameter.empty else parameter.default
        given[parameter.name] = GOOD.get(parameter.name, default)
    return {**given, "vel": 17} if name == "SendVelYawAlt" else given


def takes(method: str, argument: str, value: Any) -> bool:
    """Return whether an argument may have one of the values above: never one of another kind."""
    if argument in ANYTHING.get(method, ()):
        return True
    if isinstance(value, (str, bytes)):
        return type(TEXTS.get(argument)) in (type(value), str)
    return not isinstance(value, (dict, complex)) and type(value) is not object


def complaint(method: Any, given: dict[str, Any]) -> Exception | None:
    """Return what a method raises of errors that name the argument; others pass."""
    found = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CommandWarning)  # of what has no effect
            method(**given)
    except (TypeError, ValueError, NotImplementedError) as error:
        found = error
    assert found is None or ": " in str(found), found
    return found


def of_each_kind() -> list[Any]:
    """Return a set of each kind of vehicle of each family but multirotors, with a controller.

    Their tests are beside this. Quick is one controller of families that are of one kind.
    """
    found: dict[Any, Any] = {}
    slow = pytest.mark.slow
    for name in vehicles.names():
        vehicle = vehicles.load(name)
        family = FAMILIES[vehicle.family]
        found.setdefault((vehicle.family, family.abilities_of(vehicle)[:2]), (name, family))
    return [
        pytest.param(name, kind, marks=slow if family.abilities_by_set or kind is Swarm else ())
        for name, family in found.values()
        if family.name != DEFAULT_FAMILY
        for kind in (PX4MavCtrler, Swarm)
    ]


@pytest.mark.parametrize(("vehicle", "controller"), of_each_kind())
def test_what_a_method_cannot_take_is_named(vehicle: str, controller: type) -> None:
    sim = Sim(vehicle)
    link: Any = PX4MavCtrler(1, sim=sim) if controller is PX4MavCtrler else Swarm(sim)
    link.InitMavLoop()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of NumPy, such as overflows
        told = "thrust: expected 0 to 1|.*: expected an airspeed of|.*: expected radians"
        warnings.filterwarnings("ignore", told)
        for name in methods(controller):
            method = getattr(link, name)
            given = arguments(method, name)
            for argument in given:
                for value in BAD:
                    error = complaint(method, {**given, argument: value})
                    assert error or takes(name, argument, value), (name, argument, value)
            link.InitMavLoop()
            sim.step(5)
    assert sim.check().ok


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("sendMavSetParam", {"param_type": "9"}),
        ("sendMavSetParam", {"param_type": 77}),
        ("SendCruiseRadius", {"rad": "80"}),
        ("SendPosGlobal", {"yawValue": "1"}),
        ("SendAccPX4", {"yawValue": "1", "yawType": 0}),
        ("SendPosNEDExt", {"isNED": "no"}),
        ("SendOffAll", {"type_mask": 2**70}),
        ("sendMavOffboardCmd", {"type_mask": -1}),
        ("SendMavCmdLong", {"command": 2**16}),
        ("SendSynPos", {"x": 1e39}),
        ("sendSILIntFloat", {"inSILInts": [[1], [2, 3]]}),
        ("sendCustomData", {"CopterID": 2**40}),
        ("sendCustomData", {"port": 70000}),
        ("sendCustomData", {"data": "abc"}),
        ("sendUE4PosNew", {"windowID": 1.5}),
        ("sendUE4PosNew", {"PosE": (1, 2, math.nan)}),
        ("TypeMask", {"EnList": (1, 2)}),
        ("EulerToQuat", {"Euler": (1, 2)}),
        ("fillList", {"inLen": 2.5}),
        ("yawSat", {"yaw": math.inf}),
        ("GetUDPRedisBuf", {"sock": 3}),
    ],
)
def test_no_argument_goes_unchecked(method: str, given: dict[str, Any]) -> None:
    """Those that were, of which some have no effect on a multirotor."""
    mav = PX4MavCtrler(1, sim=Sim("x450"))
    mav.InitMavLoop()
    called = getattr(mav, method)
    error = complaint(called, {**arguments(called, method), **given})
    assert error is not None
    assert next(iter(given)) in str(error)
