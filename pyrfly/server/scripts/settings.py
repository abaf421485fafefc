"""What the variables of RflySim's start scripts ask for: `StartSettings`, `start_settings`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from pyrfly import vehicles
from pyrfly.ctrl.grid import INTERVAL
from pyrfly.errors import brief, near_names
from pyrfly.protocol.link_modes import (
    REDIS,
    SIM_MODE_NAMES,
    LinkMode,
    SimMode,
    link_mode,
    sim_mode,
)
from pyrfly.server.scripts.values import (
    Place,
    addresses,
    degrees,
    display_class,
    distance,
    listed,
    metres,
    serial_port,
    whole,
)
from pyrfly.server.scripts.variables import Variable
from pyrfly.transport import FIRST_PORT, MAXIMUM_FLEET, OptionError
from pyrfly.transport.ports import MAXIMUM_PORT
from pyrfly.vehicles.rflysim_models import LIBRARY, PX4_FRAMES, set_of_model

__all__ = [
    "ALIASES",
    "DEFAULT_VEHICLE",
    "NAMES",
    "Note",
    "StartSettings",
    "start_settings",
]

DEFAULT_VEHICLE = "sdk"

NAMES = (
    *("START_INDEX", "TOTOAL_COPTER", "VehicleNum", "MAX_VEHICLE", "ORIGIN_POS_X", "ORIGIN_POS_Y"),
    *("ORIGIN_YAW", "VEHICLE_INTERVAL", "PosXStr", "PosYStr", "YawStr", "DLLModel", "CLASS_3D_ID"),
    *("UE4_MAP", "SimMode", "PX4SitlFrame", "ComNum", "BaudRate", "IsSysID", "UDPSIMMODE"),
    *("IS_BROADCAST", "UDP_START_PORT", "ToolChainType", "PSP_PATH", "PSP_PATH_LINUX"),
)
"""Variables of RflySim's start scripts, as RflySim spells them."""

ALIASES = {"TOTAL_COPTER": "TOTOAL_COPTER"}
"""Other spellings."""

_MOST_COPTERS = 10**6

_FLEET = whole(1, MAXIMUM_FLEET)

_FLAT_MAPS = {"", "0", "1", "grasslands"}
Value = TypeVar("Value")


_OPTIONS = {
    SimMode.PX4_HITL: "--script-links",
    SimMode.PX4_SITL: "--script-links",
    SimMode.PX4_SITL_RFLY: "--script-links",
    SimMode.PX4_HITL_NET: "--px4-net",
    SimMode.APM_SITL_NET: "--script-links",
}
"""Options that open what a simulation mode asks for."""


class Note(NamedTuple):
    """What a variable asks for that is not here.

    Attributes
    ----------
    variable : str
        The variable, as RflySim spells it.
    text : str
        What it asks for, and what is done instead.
    """

    variable: str
    text: str

    def __str__(self) -> str:
        return f"{self.variable}: {self.text}"


@dataclass(frozen=True)
class StartSettings:
    """A fleet as a start script describes it; by default one vehicle at the origin.

    Attributes
    ----------
    first_id : int
        CopterID of the first vehicle, START_INDEX.
    count : int
        Number of vehicles: VehicleNum, or as many as places or serial ports are listed.
    total : int or None
        Number of vehicles on all computers, TOTOAL_COPTER; it sets the side of the grid.
    origin : (float, float)
        North and east of CopterID 1 in the grid [m], ORIGIN_POS_X and ORIGIN_POS_Y.
    yaw : float
        Heading of all vehicles [deg], ORIGIN_YAW.
    interval : float
        Distance between neighbours in the grid [m], VEHICLE_INTERVAL.
    places : tuple of Place
        Places instead of the grid, PosXStr, PosYStr and YawStr; empty for the grid.
    vehicle : str
        Parameter set, of DLLModel.
    library : Path or None
        Library that DLLModel names instead: a file with RflySim's functions.
    display_class : int or None
        Number of the vehicle in RflySim3D, CLASS_3D_ID; None for that of the parameter set.
    display_map : str
        Map of RflySim3D, UE4_MAP.
    mode : LinkMode
        Protocol to clients, UDPSIMMODE.
    sim_mode : SimMode or None
        Autopilot, SimMode; None if there is nothing about it.
    px4_frame : str
        Airframe of a PX4 in the loop, PX4SitlFrame.
    serial_ports : tuple of str
        Serial ports of PX4s, one for each vehicle, ComNum.
    baud_rate : int
        Of these ports, BaudRate.
    autopilots_number : bool
        Whether the system IDs of PX4s are the CopterIDs, IsSysID.
    peers : tuple of str
        Addresses to send to, IS_BROADCAST; empty for this computer.
    first_port : int
        Port of the commands of CopterID 1, UDP_START_PORT.
    notes : tuple of Note
        What the script asks for that is not here.
    """

    first_id: int = 1
    count: int = 1
    total: int | None = None
    origin: tuple[float, float] = (0.0, 0.0)
    yaw: float = 0.0
    interval: float = INTERVAL
    places: tuple[Place, ...] = ()
    vehicle: str = DEFAULT_VEHICLE
    library: Path | None = None
    display_class: int | None = None
    display_map: str = ""
    mode: LinkMode = LinkMode.UDP_FULL
    sim_mode: SimMode | None = None
    px4_frame: str = ""
    serial_ports: tuple[str, ...] = ()
    baud_rate: int = 921600
    autopilots_number: bool = False
    peers: tuple[str, ...] = ()
    first_port: int = FIRST_PORT
    notes: tuple[Note, ...] = ()


def start_settings(
    variables: Mapping[str, Variable], source: str = "", folder: Path = Path()
) -> StartSettings:
    """Return what variables ask for.

    Parameters
    ----------
    variables : mapping of str to Variable
        By name, as `NAMES` has them; others are an error.
    source : str
        The file that sets them, for messages.
    folder : Path
        Where the names of libraries count from that the file gives.

    Raises
    ------
    OptionError
        A value is none that its variable can have; the message names file, line and variable.

    Examples
    --------
    >>> start_settings({"TOTOAL_COPTER": Variable("4", 0), "UDPSIMMODE": Variable("1", 0)}).mode
    <LinkMode.UDP_SIMPLE: 1>
    """
    unknown = sorted(set(variables) - set(NAMES))
    if unknown:
        near = near_names(unknown[0], NAMES)
        raise OptionError(f"{unknown[0]}: expected a variable of start scripts: {near}")
    return _Reader(variables, source, folder).settings()


class _Reader:
    """Reads the values of variables, and notes what is not here."""

    def __init__(self, variables: Mapping[str, Variable], source: str, folder: Path) -> None:
        self._variables = variables
        self._source = source
        self._folder = folder
        self._notes: list[Note] = []

    def settings(self) -> StartSettings:
        """Return the settings."""
        first_id = self._value("START_INDEX", whole(1, MAXIMUM_FLEET), 1)
        total = self._read("TOTOAL_COPTER", whole(0, _MOST_COPTERS)) or None  # 0: not given
        places, ports = self._places(), self._serial_ports()
        north, east = (self._value(f"ORIGIN_POS_{axis}", metres, 0.0) for axis in "XY")
        return StartSettings(
            first_id=first_id,
            count=self._count(first_id, len(places) or len(ports), total),
            total=total,
            origin=(north, east),
            yaw=self._value("ORIGIN_YAW", degrees, 0.0),
            interval=self._value("VEHICLE_INTERVAL", distance, INTERVAL),
            places=places,
            library=(library := self._library()),
            vehicle=DEFAULT_VEHICLE if library else self._vehicle(),
            display_class=self._value("CLASS_3D_ID", display_class, None),
            display_map=self._map(),
            mode=self._mode(),
            sim_mode=self._sim_mode(),
            px4_frame=self._frame(),
            serial_ports=ports,
            baud_rate=self._value("BaudRate", whole(1, 10**8), 921600),
            autopilots_number=self._numbering(),
            peers=self._value("IS_BROADCAST", addresses, ()),
            first_port=self._value("UDP_START_PORT", whole(1, MAXIMUM_PORT), FIRST_PORT),
            notes=tuple(self._notes),
        )

    def _value(self, name: str, read: Callable[[str], Value], default: Value) -> Value:
        """Return the value of a variable, with a note where there is doubt."""
        value = self._read(name, read)
        value = default if value is None else value
        variable = self._variables.get(name)
        if variable is not None and variable.doubt:
            self._doubt(name, value)
        return value

    def _read(self, name: str, read: Callable[[str], Value]) -> Value | None:
        """Return the last known value of a variable, None without one."""
        variable = self._variables.get(name)
        if variable is None or variable.text is None:
            return None
        try:
            return read(variable.text.strip().strip("\"'").strip())
        except ValueError as error:
            raise self._error(name, str(error)) from None

    def _error(self, name: str, message: str) -> OptionError:
        line = self._variables[name].line
        place = f"{self._source}:{line}: " if self._source and line else ""
        return OptionError(f"{place}{name}: {message}")

    def _doubt(self, name: str, value: object) -> None:
        variable = self._variables[name]
        place = f" in line {variable.line}" if variable.line else ""
        text = f"{variable.doubt}{place}: {_said(value)} here; {name}=VALUE changes it"
        self._note(name, "".join(c if c.isprintable() else "?" for c in text))

    def _count(self, first_id: int, listed: int, total: int | None) -> int:
        """Return the number of vehicles.

        Scripts ask for it, or for a list of serial ports.
        """
        number = self._read("VehicleNum", _FLEET)
        if listed:
            return self._checked(first_id, listed)
        if number is not None:
            count = number
        elif total is None:
            count = 1
        elif total < first_id:
            raise self._error(
                "TOTOAL_COPTER", f"expected at least START_INDEX, {first_id}, got {total}"
            )
        else:
            count = total - first_id + 1
        named = self._variables.get("VehicleNum")
        if named is None or named.doubt:
            asked = [name for name in ("ComNum", "VehicleNum") if name in self._variables]
            for name in asked[:1]:
                self._doubt(name, f"{count} vehicle{'s' if count > 1 else ''}")
        return self._checked(first_id, count)

    def _checked(self, first_id: int, count: int) -> int:
        """Return the number of vehicles if there are ports for so many."""
        if first_id + count - 1 > MAXIMUM_FLEET:
            raise OptionError(
                f"{self._source or 'START_INDEX'}: expected CopterIDs up to {MAXIMUM_FLEET}, "
                f"got {count} vehicles from {first_id}"
            )
        return count

    def _places(self) -> tuple[Place, ...]:
        """Return the places that are listed one by one."""
        none: tuple[float, ...] = ()
        norths = self._value("PosXStr", listed(metres), none)
        easts = self._value("PosYStr", listed(metres), none)
        yaws = self._value("YawStr", listed(degrees), none) or (0.0,) * len(norths)
        for name, values in (("PosYStr", easts), ("YawStr", yaws)):
            if len(values) != len(norths):
                named = name if name in self._variables else "PosXStr"
                raise self._error(
                    named, f"expected as many numbers as PosXStr, {len(norths)}, got {len(values)}"
                )
        return tuple(map(Place, norths, easts, yaws))

    def _serial_ports(self) -> tuple[str, ...]:
        ports = self._read("ComNum", listed(serial_port)) or ()
        if ports:
            self._note("ComNum", f"{', '.join(ports)}: opened with --script-links alone")
        return ports

    def _library(self) -> Path | None:
        """Return the library that DLLModel names, where it is the file of one."""
        variable = self._variables.get("DLLModel")
        model = self._read("DLLModel", str) or ""
        if variable is None or not model.endswith(LIBRARY):
            return None
        path = (self._folder if variable.line else Path()) / model
        return path if path.is_file() else None

    def _vehicle(self) -> str:
        model = self._value("DLLModel", str, "0")
        if model in ("", "0"):
            return PX4_FRAMES.get((self._read("PX4SitlFrame", str) or "").lower(), DEFAULT_VEHICLE)
        name = set_of_model(model)
        if name.lower() in vehicles.names():
            return name.lower()
        self._note(
            "DLLModel",
            f"{brief(model)}: {_why_not(model)}; the vehicles are {DEFAULT_VEHICLE}, RflySim's "
            "default quadrotor",
        )
        return DEFAULT_VEHICLE

    def _map(self) -> str:
        name = self._value("UE4_MAP", str, "")
        if name.lower() not in _FLAT_MAPS:
            self._note(
                "UE4_MAP", f"{brief(name)}: maps of RflySim are not here; the ground is flat"
            )
        return name

    def _mode(self) -> LinkMode:
        text = self._value("UDPSIMMODE", str, "0").lower()
        number = {"redis_full": REDIS, "redis_simple": REDIS + 1}.get(text)
        if re.fullmatch(r"[0-9]{1,2}", text) and REDIS <= int(text) < 2 * REDIS:
            number = int(text)
        if number is not None:
            mode = LinkMode(number - REDIS)
            self._note("UDPSIMMODE", f"{text}: there is no Redis here; {mode.label} instead")
            return mode
        try:
            return link_mode(text or "0")
        except ValueError as error:
            raise self._error("UDPSIMMODE", str(error)) from None

    def _sim_mode(self) -> SimMode | None:
        mode = self._value("SimMode", sim_mode, None)
        if mode not in (None, SimMode.SIMULINK_DLL_SIL):
            option = _OPTIONS.get(mode)
            instead = "" if option is None else f"; with {option} an autopilot does"
            self._note(
                "SimMode",
                f"{SIM_MODE_NAMES[mode]}: the vehicles' own controllers fly them{instead}",
            )
        return mode

    def _frame(self) -> str:
        frame = self._value("PX4SitlFrame", str, "")
        if frame and frame.lower() not in PX4_FRAMES:
            self._note("PX4SitlFrame", f"{brief(frame)}: no vehicle is known for this airframe")
        return frame

    def _numbering(self) -> bool:
        number = self._value("IsSysID", whole(0, 1), 0)
        if number:
            self._note("IsSysID", "CopterIDs begin with START_INDEX, not with IDs of autopilots")
        return bool(number)

    def _note(self, name: str, text: str) -> None:
        self._notes.append(Note(name, text))


def _why_not(model: str) -> str:
    """Return why there is no vehicle for a model."""
    if re.fullmatch(r"-?\d+", model):
        return "a number of a model in RflySim's installation cannot be loaded"
    if model.endswith(LIBRARY):
        return "there is no such file"
    if model.lower().endswith(".dll"):
        return f"a DLL of Windows cannot be loaded here; build the model as {LIBRARY}"
    return f"no model of this name is known; a library is named by its file, {LIBRARY}"


def _said(value: object) -> str:
    """Return a value for a note."""
    if value is None or value == () or value == "":
        return "the default"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
