"""Links of ``pyrfly sim`` besides that of RflySim's mode: their options, and what they open."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from pyrfly.errors import brief
from pyrfly.options import add_px4_channels, naming, number, whole_number
from pyrfly.protocol.ardupilot import PORT as ARDUPILOT_PORT
from pyrfly.protocol.link_modes import SIM_MODE_NAMES, SimMode
from pyrfly.protocol.px4_channels import LATEST, VERSIONS
from pyrfly.scene import read_scene
from pyrfly.server.autopilot_ports import AutopilotPorts
from pyrfly.server.link import Link
from pyrfly.server.links.ardupilot import SPACING, ArduPilotLink
from pyrfly.server.links.configuration import ConfigurationLink
from pyrfly.server.links.display import MOST, WINDOWS, DisplayLink
from pyrfly.server.links.events import EventLink
from pyrfly.server.links.flightgear import PORT as FLIGHTGEAR_PORT
from pyrfly.server.links.flightgear import FlightGearLink
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.page import PageLink
from pyrfly.server.links.px4 import FIRST_PORT as PX4_PORT
from pyrfly.server.links.px4 import Px4Link
from pyrfly.server.links.px4_hitl import Px4HitlLink
from pyrfly.server.links.px4_texts import Px4TextLink
from pyrfly.server.links.serial_hil import SerialHilLink
from pyrfly.server.links.topics import TopicLink
from pyrfly.server.links.view import ViewLink
from pyrfly.server.pacing import rate_of
from pyrfly.server.relay import Relay, client_series
from pyrfly.server.scripts.settings import StartSettings
from pyrfly.server.starts import Starts
from pyrfly.server.text_options import add_text_arguments, text_links
from pyrfly.server.timeouts import checked_timeouts, timeout_of
from pyrfly.sim import Sim
from pyrfly.transport import MAXIMUM_FLEET, OptionError, PortError, without_key
from pyrfly.transport.byte_streams import ByteStream, SerialStream, UdpStream
from pyrfly.transport.ports import MAXIMUM_PORT, PAGE_PORT, is_port
from pyrfly.transport.sockets import OTHER_PROGRAM

__all__ = [
    "add_link_arguments",
    "further_links",
    "has_autopilot",
    "open_links_of_script",
    "ports_apart",
    "px4_texts",
    "relays",
]

_MOST_DIGITS = len(str(MAXIMUM_PORT))


def add_link_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of links besides that of RflySim's mode."""
    _add_rflysim(parser)
    _add_mavlink(parser)
    _add_autopilots(parser)
    parser.add_argument(
        "--event-port",
        type=whole_number(1, MAXIMUM_PORT),
        metavar="PORT",
        help="take changes of columns at simulated times on this UDP port, as JSON with the "
        "arguments of Sim.at (docs/events.md)",
    )
    add_text_arguments(parser)
    parser.add_argument(
        "--view",
        type=whole_number(1, MAXIMUM_PORT),
        nargs="?",
        const=PAGE_PORT,
        metavar="PORT",
        help=f"show the vehicles in browsers, in a page on this TCP port, {PAGE_PORT} by default",
    )
    parser.add_argument(
        "--flightgear",
        type=_address(FLIGHTGEAR_PORT),
        metavar="HOST[:PORT]",
        help="show a vehicle in FlightGear there, port 5500 by default",
    )
    parser.add_argument(
        "--flightgear-vehicle",
        type=whole_number(1, MAXIMUM_FLEET),
        metavar="ID",
        help="CopterID of the vehicle that FlightGear shows (default: the first)",
    )


def _add_rflysim(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--display",
        type=whole_number(0, MOST),
        nargs="?",
        const=WINDOWS,
        metavar="WINDOWS",
        help="show the vehicles in RflySim3D, in this number of windows of each peer (default: 3)",
    )
    parser.add_argument(
        "--display-rate",
        type=number(0.1, 1000, "Hz"),
        metavar="HZ",
        help="how often RflySim3D is told (default: 100 Hz, with more than 4 vehicles 33 Hz)",
    )
    parser.add_argument(
        "--display-reports",
        action="store_true",
        help="ask RflySim3D to report what vehicles hit there",
    )
    parser.add_argument(
        "--ray-scene",
        type=Path,
        metavar="FILE",
        help="be RflySim3D for collisions: walls of this scene, and vehicles that touch, push by "
        "RflySim's rules; vehicles of other programs get the distances, too",
    )
    parser.add_argument(
        "--custom-data",
        action="store_true",
        help="also listen to what users' programs send to port 50000, CustomData",
    )
    parser.add_argument(
        "--rfly-px4",
        action="store_true",
        help="open the ports of topics for and from PX4, 40100 and 40101 on",
    )


def _add_mavlink(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--mavlink",
        type=_mavlink_kinds,
        metavar="KINDS",
        help="also answer as PX4 to ground_station (port 14550), onboard (SDKs, port 14540 on), or "
        "both between a comma; MAVLink modes do so already",
    )
    parser.add_argument(
        "--mavlink-key",
        type=_signing_key,
        metavar="HEX",
        help="sign MAVLink frames with this key of 64 hexadecimal digits, and drop others",
    )


def _add_autopilots(parser: argparse.ArgumentParser) -> None:
    autopilot = parser.add_mutually_exclusive_group()
    autopilot.add_argument(
        "--px4",
        type=whole_number(1, MAXIMUM_PORT),
        nargs="?",
        const=PX4_PORT,
        metavar="PORT",
        help="wait for PX4 SITL, one for each vehicle, on TCP ports from this one on (default: "
        "4560; RflySim counts from 4561)",
    )
    _add_settings_of_px4(parser)
    autopilot.add_argument(
        "--ardupilot",
        type=whole_number(1, MAXIMUM_PORT),
        nargs="?",
        const=ARDUPILOT_PORT,
        metavar="PORT",
        help="be the physics of ArduPilot SITL, model JSON, one for each vehicle, on UDP ports "
        "from this one on, ten apart (default: 9002)",
    )
    parser.add_argument(
        "--ardupilot-frame",
        metavar="NAME",
        help="frame of ArduPilot's vehicles, such as quad_plus (default: that of the layout)",
    )
    autopilot.add_argument(
        "--serial-hil",
        type=_device,
        metavar="DEVICE[:BAUD]",
        help="give the first vehicle to a controller that speaks the 0xAA55 protocol on a serial "
        "port, 921600 baud by default",
    )
    autopilot.add_argument(
        "--px4-serial",
        type=_devices,
        metavar="DEVICE[:BAUD],...",
        help="PX4 in hardware in the loop on serial ports, one for each vehicle",
    )
    autopilot.add_argument(
        "--px4-net",
        type=_addresses,
        metavar="HOST[:PORT],...",
        help="PX4 in hardware in the loop over UDP, one for each vehicle",
    )


def _add_settings_of_px4(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--px4-version",
        choices=VERSIONS,
        help=f"version of PX4, whose channels differ for rovers (default: {LATEST})",
    )
    add_px4_channels(parser)
    parser.add_argument(
        "--lockstep",
        action="store_true",
        help="simulated time begins when all vehicles have an autopilot; without it those without "
        "are simulated as they are",
    )
    parser.add_argument(
        "--px4-faults",
        action="store_true",
        help="tell PX4 SITL what fails on its vehicle, as failure injection; it needs "
        "SYS_FAILURE_EN 1, as its start script for simulators sets it",
    )


def open_links_of_script(options: argparse.Namespace, settings: StartSettings) -> None:
    """Set the options of the links that SimMode and ComNum of a start script stand for.

    PX4s in software have the numbers of the CopterIDs, as RflySim starts them. An autopilot that an
    option names precedes.

    Raises
    ------
    OptionError
        There is no such link, or it needs serial ports that are not listed.
    """
    if has_autopilot(options) or options.serial_hil is not None:
        return
    match settings.sim_mode:
        case None | SimMode.SIMULINK_DLL_SIL:
            pass
        case SimMode.PX4_SITL | SimMode.PX4_SITL_RFLY:
            options.px4 = PX4_PORT + 1
        case SimMode.APM_SITL_NET:
            options.ardupilot = ARDUPILOT_PORT
        case SimMode.PX4_HITL if settings.serial_ports:
            options.px4_serial = [(port, settings.baud_rate) for port in settings.serial_ports]
        case SimMode.PX4_HITL:
            raise OptionError("ComNum: expected serial ports for SimMode PX4_HITL, got none")
        case mode:
            raise OptionError(
                f"--script-links: no link is known for SimMode {SIM_MODE_NAMES[mode]}; "
                "PX4_HITL_NET is --px4-net HOST:PORT"
            )


def has_autopilot(options: argparse.Namespace) -> bool:
    """Return whether options ask for an autopilot outside, which needs sensors with noise."""
    given = (options.px4, options.ardupilot, options.px4_serial, options.px4_net)
    return any(option is not None for option in given)


def relays(options: argparse.Namespace, mode: str) -> bool:
    """Return whether a PX4 outside answers on the ports of a MAVLink mode, not the vehicles."""
    given = (options.px4, options.px4_serial, options.px4_net)
    return mode.startswith("mavlink_") and any(option is not None for option in given)


def further_links(
    options: argparse.Namespace, sim: Sim, settings: StartSettings, mode: str, starts: Starts
) -> list[Link]:
    """Return the links that options ask for besides those of a mode; all or none are open."""
    links: list[Link] = []
    with ExitStack() as opened, ports_apart(links):
        for link in _opened(options, sim, settings, mode, starts):
            links.append(opened.enter_context(closing(link)))  # noqa: PERF401  those until an error
        opened.pop_all()
    return links


@contextmanager
def ports_apart(links: Sequence[Link]) -> Iterator[None]:
    """Tell where a port that cannot be opened is in use by one of the links that are open."""
    try:
        yield
    except PortError as error:
        port, uses = error.port, [use for link in links for use in link.port_uses()]
        own = [use for use in uses if use.listens and port in use.ports]
        if port is None or not own:
            raise
        here = f"this server itself, as {own[0].told([port])}"
        raise PortError(str(error).replace(OTHER_PROGRAM, here)) from None


def _opened(
    options: argparse.Namespace, sim: Sim, settings: StartSettings, mode: str, starts: Starts
) -> Iterator[Link]:
    host, peers, later = options.host, settings.peers, settings.first_id - 1
    allow = without_key(options.allow, options.mavlink_key)
    given = dict(options.timeout)
    timeouts = checked_timeouts(given)
    yield from _rflysim_links(options, sim, settings, allow)
    yield from _px4_links(options, sim, settings, relays(options, mode), starts)
    if options.ardupilot is not None:
        port = options.ardupilot + SPACING * later
        with naming(frames="--ardupilot-frame", vehicle="--ardupilot"):
            ardupilot = ArduPilotLink(
                *(sim, host, port, options.ardupilot_frame, peers),
                first_id=settings.first_id,
                starts=starts,
                allow=allow,
                timeout=timeout_of("ardupilot", timeouts),
            )
        yield ardupilot
    if options.serial_hil is not None:
        with naming(copter_id="--serial-hil"):
            serial = SerialHilLink(
                *(sim, SerialStream(*options.serial_hil)),
                timeout=timeout_of("serial", timeouts),
                first_id=settings.first_id,
            )
        yield serial
    if options.mavlink is not None and not mode.startswith("mavlink_"):  # those have its ports
        patience = max(1.0, rate_of(options.rate))
        where = (host, peers, settings.first_port, settings.first_id)
        key, signed = options.mavlink_key, options.allow
        yield MavlinkLink(
            *(sim, options.mavlink, *where, patience, key, starts, signed), timeouts=given
        )
    if options.event_port is not None:
        yield EventLink(sim, options.event_port, host, peers, settings.first_id, allow, starts)
    yield from text_links(options, sim, host, settings.first_id, peers, allow, starts)
    if options.view is not None:
        rate = rate_of(options.rate)
        pace = rate if math.isfinite(rate) else None
        yield PageLink(sim, options.view, host, settings.first_id, allow, pace)
    if options.flightgear is not None:
        address, port = options.flightgear
        shown_id, first_id = options.flightgear_vehicle, settings.first_id
        with naming(address="--flightgear"):
            flightgear = FlightGearLink(sim, address, port, shown_id, first_id=first_id)
        yield flightgear


def _px4_links(
    options: argparse.Namespace, sim: Sim, settings: StartSettings, relayed: bool, starts: Starts
) -> Iterator[Link]:
    """Yield PX4 in the loop, and what passes its MAVLink on.

    PX4 SITL sends to ground stations and SDKs itself, so that its relay has RflySim's ports alone.
    """
    version, later = options.px4_version or LATEST, settings.first_id - 1
    clients = client_series(settings.first_id, settings.first_port)
    where = (options.host, settings.peers, settings.first_id, options.allow)
    if options.px4 is not None:
        port, waits, first_id = options.px4 + later, options.lockstep, settings.first_id
        yield Px4Link(
            *(sim, options.host, port, version, waits),
            first_id=first_id,
            starts=starts,
            peers=settings.peers,
            allow=options.allow,
        )
        yield from px4_texts(sim, options.host, later, first_id, options.px4_faults)
        if relayed:
            autopilots = AutopilotPorts(sim.n, host=options.host)
            yield Relay(sim, clients[-1:], autopilots, *where)
    streams: list[Callable[[], ByteStream]] = [
        *(partial(SerialStream, *device) for device in options.px4_serial or ()),
        *(partial(UdpStream, *address) for address in options.px4_net or ()),
    ]
    if streams:
        relay = Relay(sim, clients if relayed else clients[:-1], None, *where)
        yield relay
        option, first_id = "--px4-net" if options.px4_net else "--px4-serial", settings.first_id
        with naming(peer=option, streams=option):
            hitl = Px4HitlLink(sim, streams, relay, version, first_id=first_id, starts=starts)
        yield hitl


def px4_texts(
    sim: Sim, host: str, first_instance: int, first_id: int, tell_faults: bool = False
) -> Iterator[Link]:
    """Yield what listens to the texts of PX4 SITL; a port in use costs no more than them."""
    try:
        yield Px4TextLink(sim, host, first_instance, first_id, tell_faults)
    except (OptionError, PortError) as error:
        print(f"pyrfly: what PX4 says is not printed: {error}", file=sys.stderr)


def _rflysim_links(
    options: argparse.Namespace, sim: Sim, settings: StartSettings, allow: Sequence[str]
) -> Iterator[Link]:
    """Yield the links of RflySim's structures besides that of its mode."""
    where = (options.host, settings.peers, settings.first_port, settings.first_id)
    yield ConfigurationLink(sim, *where, custom_data=options.custom_data, allow=allow)
    if options.display is not None:
        yield DisplayLink(
            *(sim, *where, options.display),
            rate=options.display_rate,
            allow=allow,
            reports=options.display_reports,
        )
    if options.ray_scene is not None:
        yield ViewLink(sim, read_scene(options.ray_scene), *where, allow=allow)
    if options.rfly_px4:
        yield TopicLink(sim, *where, allow=allow)


def _mavlink_kinds(text: str) -> tuple[str, ...]:
    """Return kinds of MAVLink links from names between commas."""
    kinds = tuple(part.strip() for part in text.split(","))
    known = ("ground_station", "onboard")
    if not set(kinds) <= set(known) or len(set(kinds)) < len(kinds):
        raise argparse.ArgumentTypeError(f"expected {' or '.join(known)}, got {brief(text)}")
    return kinds


def _signing_key(text: str) -> bytes:
    """Return the 32 bytes of a key."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise argparse.ArgumentTypeError("expected 64 hexadecimal digits")
    return key


def _address(default: int) -> Callable[[str], tuple[str, int]]:
    """Return a reader of a host and a port, the default where none is given."""

    def read(text: str) -> tuple[str, int]:
        host, colon, digits = text.partition(":")
        port = int(digits) if digits.isdecimal() and len(digits) <= _MOST_DIGITS else 0
        if not host or (colon and not is_port(port)):
            raise argparse.ArgumentTypeError(
                f"expected HOST or HOST:PORT, PORT 1 to {MAXIMUM_PORT}, got {brief(text)}"
            )
        return host, port if colon else default

    return read


def _addresses(text: str) -> list[tuple[str, int]]:
    return [_address(0)(part) for part in text.split(",")]


def _devices(text: str) -> list[tuple[str, int]]:
    return [_device(part) for part in text.split(",")]


def _device(text: str) -> tuple[str, int]:
    device, _, baud = text.rpartition(":")
    if not device:
        device, baud = text, "921600"
    if not baud.isdecimal():
        raise argparse.ArgumentTypeError(f"expected DEVICE or DEVICE:BAUD, got {brief(text)}")
    return device, int(baud)
