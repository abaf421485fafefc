"""docs/rflysim-compat.md is correct and complete."""

import ast
import importlib
import inspect
import math
import re
from typing import Any, NamedTuple

import numpy as np
import pytest

from pyrfly import Sim, vehicles
from pyrfly.ctrl import PX4MavCtrler, Swarm, UnsupportedError, parameters
from pyrfly.rflysim import PX4MavCtrlV4, PX4MavCtrlV4ROS
from pyrfly.rflysim.api import Ctrl
from pyrfly.rflysim.DllSimCtrlAPI import ModelLoad, MultiCopterDll
from pyrfly.server.scripts import settings
from pyrfly.vehicles.rflysim_models import PX4_FRAMES, RFLYSIM_MODELS

from .conftest import page, rows

PAGE = page("rflysim-compat.md")
CONTROLLER = "pyrfly.rflysim.PX4MavCtrlV4.PX4MavCtrler"
THERE = ("works", "sent", "partly", "kept", "raises")
# Classes of attributes alone, and an exception.
WITHOUT_TABLE = {
    *("MapError", "CameraData", "CoptReqData", "ObjReqData", "reqVeCrashData", "imuDataCopter"),
    *("VisionSensorReq", "VisionSensorReqNew"),
}
# A module's table names its classes, which have tables of their own.
MODULE_TABLES = {"pyrfly.rflysim.PX4MavCtrlV4"}
# Classes whose tables leave out what they inherit.
OWN_BASES = {
    Ctrl: PX4MavCtrler,
    PX4MavCtrlV4ROS.PX4MavCtrler: PX4MavCtrlV4.PX4MavCtrler,
}


class Name(NamedTuple):
    """A name in a table of the page; a method has a signature."""

    owner: str
    name: str
    signature: str | None
    state: str


def tables(kind: str) -> list[tuple[str, str]]:
    """Return what a kind of mark says, and the table between it and the next `end`."""
    return re.findall(rf"<!-- {kind}:? ?(\S*) -->(.*?)<!-- end -->", PAGE, re.DOTALL)


def names() -> list[Name]:
    found = []
    for owner, table in tables("class"):
        for cell, state, _ in rows(table):
            for text in re.findall(r"`([^`]+)`", cell):
                signature = text if text.endswith(")") else None
                found.append(Name(owner, text.split("(")[0], signature, state))
    return found


NAMES = names()
METHODS = [n for n in NAMES if n.signature is not None and n.state in THERE]
ATTRIBUTES = [n for n in NAMES if n.signature is None and n.state in THERE]
MISSING = [n for n in NAMES if n.state == "missing"]
OWNERS = sorted({n.owner for n in NAMES} - MODULE_TABLES)


def label(value: Any) -> str | None:
    return f"{value.owner.split('.')[-1]}.{value.name}" if isinstance(value, Name) else None


def resolve(path: str) -> Any:
    """Return a module, or a class in one."""
    module, _, last = path.rpartition(".")
    try:
        return getattr(importlib.import_module(module), last)
    except AttributeError:
        return importlib.import_module(path)


def example_of(path: str) -> Any:
    """Return an object that has the attributes of a class or module; the class where it has all."""
    owner = resolve(path)
    if not inspect.isclass(owner):
        return owner
    if issubclass(owner, PX4MavCtrler):
        mav = owner(1, sim=Sim("sdk"))
        mav.InitMavLoop()
        return mav
    if owner is ModelLoad:
        return MultiCopterDll()
    needs_no_socket = owner.__name__ not in ("ReqCopterSim", "RflyTimeStmp")
    return owner() if needs_no_socket else owner


def defaults_of(signature: str) -> dict[str, Any]:
    """Return the parameters of a signature as text, and their defaults."""
    function = ast.parse(f"def {signature}: pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = [a.arg for a in function.args.args]
    known = {"nan": math.nan, "pi": math.pi}
    values = [eval(ast.unparse(value), known) for value in function.args.defaults]
    needed = [inspect.Parameter.empty] * (len(given) - len(values))
    return dict(zip(given, [*needed, *values], strict=True))


def same(ours: Any, theirs: Any) -> bool:
    """Compare defaults; a list of RflySim may be a tuple here."""
    ours = list(ours) if isinstance(ours, tuple) else ours
    if isinstance(theirs, (int, float, list)) and ours != theirs:
        return np.shape(ours) == np.shape(theirs) and np.allclose(ours, theirs, equal_nan=True)
    return bool(ours is theirs or ours == theirs)


def public_methods(owner: Any) -> set[str]:
    return {name for name, _ in inspect.getmembers(owner, callable) if name[0] != "_"}


@pytest.mark.parametrize("method", METHODS, ids=label)
def test_methods_are_called_as_the_page_says(method: Name) -> None:
    function = getattr(resolve(method.owner), method.name)
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    assert all(p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for p in parameters)
    ours = {p.name: p.default for p in parameters}
    theirs = defaults_of(method.signature or "")
    assert list(ours) == list(theirs)
    for name, default in theirs.items():
        assert same(ours[name], default), f"{name}={ours[name]!r}"


@pytest.mark.parametrize("owner", sorted({n.owner for n in ATTRIBUTES}))
def test_attributes_are_there(owner: str) -> None:
    thing = example_of(owner)
    absent = [n.name for n in ATTRIBUTES if n.owner == owner and not hasattr(thing, n.name)]
    assert not absent


@pytest.mark.parametrize("owner", sorted({n.owner for n in MISSING}))
def test_what_is_missing_is_not_there(owner: str) -> None:
    thing = example_of(owner)
    assert not [n.name for n in MISSING if n.owner == owner and hasattr(thing, n.name)]


@pytest.mark.parametrize("method", [n for n in METHODS if n.state == "raises"], ids=label)
def test_what_raises_does(method: Name) -> None:
    function = getattr(example_of(method.owner), method.name)
    needed = [d for d in defaults_of(method.signature or "").values() if d is inspect._empty]
    arguments = [(1.0, 2.0, 3.0)] if method.name == "send_pos_speed_fw" else []
    arguments += [1.0] * (len(needed) - len(arguments))
    with pytest.raises(UnsupportedError):
        function(*arguments)


PARTLY = {
    "SendPosNEDExt": ((0, 0, -5, 0), (0, 0, -5, 3)),
    "SendSetMode": ((1,), (6,)),
    "SendMavCmdLong": ((9999,), (400, 1)),
    "SendQgcCmdLong": ((9999,), (400, 1)),
    "sendMavSetParam": ((b"MPC_XYZ", 1.0, 9), (b"MPC_XY_VEL_MAX", 3.0, 9)),
    "SendBuf": ((b"",), None),
    "initRCSendLoop": (None, ()),
    "SendRCPwms": (None, ([1500],)),
    "SendRcOverride": (None, ()),
    "sendMavManualCtrl": (None, ()),
    "SendBufTrue": ((b"",), None),
    "enFixedWRWTO": ((), None),
    "SendHILCtrlMsg": ((), None),
    "SendHILCtrlMsg1": ((), None),
    "sendPX4UorbRflyCtrl": ((), None),
    "SendVisionPosition": ((0, 0, 0, 0), None),
    "SendHILGps": ((), None),
}  # arguments that raise in process, and others that do not


@pytest.mark.parametrize("method", [n for n in METHODS if n.state == "partly"], ids=label)
def test_what_works_partly_does(method: Name) -> None:
    raising, working = PARTLY[method.name]
    mav = example_of(CONTROLLER)
    if raising is not None:  # else what is left out has no effect
        with pytest.raises(UnsupportedError):
            getattr(mav, method.name)(*raising)
    if working is not None:
        getattr(mav, method.name)(*working)


@pytest.mark.parametrize("path", OWNERS)
def test_no_public_method_is_forgotten(path: str) -> None:
    owner = resolve(path)
    inherited = public_methods(OWN_BASES[owner]) if owner in OWN_BASES else set()
    on_the_page = {n.name for n in NAMES if n.owner == path}
    assert public_methods(owner) - inherited <= on_the_page


def test_no_attribute_of_the_controller_is_forgotten() -> None:
    attributes = {name for name in dir(example_of(CONTROLLER)) if name[0] != "_"}
    assert attributes <= {n.name for n in NAMES if n.owner == CONTROLLER}


def test_swarm_and_multicopter_have_no_names_of_their_own() -> None:
    assert public_methods(Swarm) <= public_methods(PX4MavCtrler)
    assert public_methods(MultiCopterDll) <= public_methods(ModelLoad)


def test_modules_are_as_the_page_says() -> None:
    listed = rows(tables("modules")[0][1])
    assert len(listed) == 12
    named = {path.rpartition(".")[2] for path in (*OWNERS, "x.MultiCopterDll")}
    for _, cell, state in listed:
        name = cell.strip("`")
        if state.startswith(("works", "raises")):
            for exported in importlib.import_module(name).__all__:
                if inspect.isclass(getattr(importlib.import_module(name), exported)):
                    assert exported in named or exported in WITHOUT_TABLE
        else:
            assert state.startswith("missing")
            with pytest.raises(ModuleNotFoundError):
                importlib.import_module(name)


def test_no_name_is_there_twice() -> None:
    keys = [(n.owner, n.name) for n in NAMES]
    assert len(keys) == len(set(keys))
    assert {n.state for n in NAMES} == {*THERE, "missing"}


def test_parameters_are_as_the_page_says() -> None:
    table = tables("parameters")[0][1]
    said = {
        state: {name for cell, s in rows(table) if s == state for name in re.findall(r"\w+", cell)}
        for state in ("works", "kept", "raises")
    }
    assert said["works"] == {
        name for one in vehicles.FAMILIES.values() for name in one.abilities.px4
    }
    assert said["kept"] == set(parameters.STORED)
    for name in said["raises"]:
        with pytest.raises(UnsupportedError):
            parameters.of_name("param_id", name)


def test_all_variables_of_start_scripts_are_in_their_table() -> None:
    ((_, table),) = tables("start scripts")
    listed = re.findall(r"`(\w+)`", " ".join(variables for variables, _ in rows(table)))
    assert sorted(listed) == sorted([*settings.NAMES, *settings.ALIASES])


def test_models_of_start_scripts_are_those_of_the_table() -> None:
    (cell,) = (here for name, here in rows(tables("start scripts")[0][1]) if name == "`DLLModel`")
    named = {name.lower() for name in re.findall(r"`(\w+)`", cell)} & set(RFLYSIM_MODELS)
    assert named == {name for name in RFLYSIM_MODELS if not re.fullmatch(r"fx\d+", name)}


def test_sets_of_models_and_frames_exist():
    assert {*RFLYSIM_MODELS.values(), *PX4_FRAMES.values()} <= set(vehicles.names())
