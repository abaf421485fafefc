"""``pyrfly sim``: a headless server from the command line.

`pyrfly.server.arguments` has its options.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from pyrfly.errors import RunEnded
from pyrfly.files import printable
from pyrfly.options import (
    attach_payloads,
    enable_batteries,
    enable_estimator,
    enter_boundary_file,
    enter_event_file,
    load_params,
    naming,
    put_scene,
    terrain_of,
)
from pyrfly.server.arguments import NO_SENSORS, add_arguments, check_copter_ids, check_options
from pyrfly.server.autopilot_texts import READY
from pyrfly.server.copter_tables import copter_tables
from pyrfly.server.end_signals import EndSignals
from pyrfly.server.fleet import Fleet, fleet_of
from pyrfly.server.hil import enable_sensors
from pyrfly.server.input_link import InputLink
from pyrfly.server.link import Link
from pyrfly.server.link_options import (
    further_links,
    has_autopilot,
    open_links_of_script,
    ports_apart,
    relays,
)
from pyrfly.server.links.events import EventLink
from pyrfly.server.links.mavlink import MavlinkLink
from pyrfly.server.links.page import PageLink
from pyrfly.server.links.px4_texts import Px4TextLink
from pyrfly.server.links.rflysim import RflySimLink
from pyrfly.server.links.tcp import TcpLink
from pyrfly.server.model_texts import ModelTexts
from pyrfly.server.modes import served
from pyrfly.server.notices import Notices
from pyrfly.server.pacing import rate_of
from pyrfly.server.recording import recording
from pyrfly.server.relay import Relay
from pyrfly.server.scripts.places import starts
from pyrfly.server.scripts.reader import read_start_script, rflysim_name
from pyrfly.server.scripts.settings import (
    Note,
    StartSettings,
    start_settings,
)
from pyrfly.server.scripts.variables import Variable
from pyrfly.server.server import Server
from pyrfly.server.starts import Starts
from pyrfly.server.status import Status
from pyrfly.server.text_output import TextOutput
from pyrfly.sim import Sim
from pyrfly.sim.ends import END, LOOK, RunEnd, Watch
from pyrfly.transport import OptionError, Senders, check_ports, is_loopback

__all__ = ["MoreLinks", "add_arguments", "run"]

MoreLinks = Callable[[Sim, int, Starts], Sequence[Link]]
"""Makes links of a program around this one, of the vehicles, the CopterID of the first one, and
where they start."""

_COLUMN = 12  # least width of the table of ports

_HERE = "127.0.0.1"

_ENDED = 3
"""Exit status where a safety boundary has ended the run."""

_PATIENCE = 1.0
"""How long the end waits for a reader of the output that has stopped reading [s]."""

_OVERRIDING = {
    "DLLModel": "vehicles dll", "VehicleNum": "vehicles", "ComNum": "script_links",
    "CLASS_3D_ID": "vehicles dll", "UE4_MAP": "terrain", "UDPSIMMODE": "mode",
    "IS_BROADCAST": "peer", "UDP_START_PORT": "first_port", "ORIGIN_POS_X": "start",
    "ORIGIN_POS_Y": "start", "ORIGIN_YAW": "yaw", "VEHICLE_INTERVAL": "interval",
    "PosXX": "start", "SimMode": "script_links",
}  # fmt: skip
"""Options that go before variables of start scripts, whose notes then say nothing."""

_ARGUMENTS = {
    "peers": "--peer",
    "first_port": "--first-port",
    "timeouts": "--timeout",
    "allow": "--allow",
}
"""Options by the argument of `Server` that they are passed as, where it has another name."""

_TITLES = {"command": "commands", "from command": "state", "sil": "inputs", "from sil": "truth"}
"""Of the table of RflySim's ports, by the name of their use."""


def _print_ports(sim: Sim, server: Server, out: TextIO) -> None:
    """Print RflySim's ports of each group of vehicles, and the series of the other links."""
    uses = [] if server.rflysim is None else server.rflysim.port_uses()
    shown = [use for use in uses if use.name in _TITLES]
    rows = [["vehicles", "set", *(_TITLES[use.name] for use in shown)]]
    for group in sim.groups:
        first, last = group.first_id - 1, group.first_id + group.n - 2
        cells = [_span(server.first_id + first, server.first_id + last), group.name]
        rows.append(cells + [_span(use.ports[first], use.ports[last]) for use in shown])
    widths = [max(_COLUMN, *map(len, column)) for column in zip(*rows, strict=True)]
    for cells in rows:
        print("  ".join(map(str.ljust, cells, widths)).rstrip(), file=out)
    for link in server.links:
        if link is not server.rflysim:
            for line in link.where():
                print(line, file=out)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _settings(options: argparse.Namespace) -> tuple[StartSettings, str]:
    """Return what script, variables and options ask for, and the name of the script, or nothing."""
    given: dict[str, str] = {}
    scripts = []
    for argument in options.start_script:
        if match := re.fullmatch(r"([A-Za-z_]\w*)=(.*)", argument, re.DOTALL):
            given[match[1]] = match[2]
        else:
            scripts.append(Path(argument))
    if len(scripts) > 1:
        raise OptionError(f"expected one start script, got {', '.join(map(printable, scripts))}")
    if scripts:
        settings = read_start_script(scripts[0], given)
    else:
        settings = start_settings(
            {rflysim_name(name): Variable(text, 0) for name, text in given.items()}
        )
    settings = _with_options(options, _without_far_peers(options, settings))
    return settings, printable(scripts[0]) if scripts else ""


def _without_far_peers(options: argparse.Namespace, settings: StartSettings) -> StartSettings:
    """Return the settings without peers that the address of the server does not reach.

    A script does not open the server to other computers, only the option ``--host`` does.
    """
    far = [peer for peer in settings.peers if not is_loopback(peer)]
    if not far or not is_loopback(options.host):
        return settings
    text = f"{', '.join(far)}: nothing is sent to other computers without --host 0.0.0.0"
    near = tuple(peer for peer in settings.peers if peer not in far)
    return replace(settings, peers=near, notes=(*settings.notes, Note("IS_BROADCAST", text)))


def _print_settings(
    options: argparse.Namespace, settings: StartSettings, source: str, fleet: Fleet, out: TextIO
) -> None:
    """Print the fleet that a script describes, with the options, and what it asks for in vain."""
    n = fleet.n
    north, east = settings.origin
    where = f"{settings.interval:g} m apart from ({north:g}, {east:g}) at {settings.yaw:g} deg"
    if len(settings.places) == n:
        where = f"{n} places"
    ids = _span(settings.first_id, settings.first_id + n - 1)
    vehicles = f"CopterID {ids}, {', '.join(fleet.names)}, {where}"
    print(f"from {source or 'variables'}: {vehicles}, {_mode(options, settings)}", file=out)
    for note in settings.notes:
        overriding = _OVERRIDING.get(note.variable, "").split()
        if all(getattr(options, name) is None for name in overriding):
            print(f"  {note}", file=out)


def _mode(options: argparse.Namespace, settings: StartSettings) -> str:
    """Return the mode that is served."""
    return served(options.mode or [settings.mode.label])


def _with_options(options: argparse.Namespace, settings: StartSettings) -> StartSettings:
    """Return the settings with what the options say instead."""
    if options.start is not None or options.interval is not None:
        settings = replace(settings, places=())
    if options.start is not None:
        settings = replace(settings, origin=options.start)
    if options.interval is not None:
        settings = replace(settings, interval=options.interval)
    if options.yaw is not None:
        yaw = options.yaw[0]
        turned = tuple(place._replace(yaw=yaw) for place in settings.places)
        settings = replace(settings, yaw=yaw, places=turned)
    if options.first_port is not None:
        settings = replace(settings, first_port=options.first_port)
    return replace(settings, peers=tuple(options.peer or settings.peers or (_HERE,)))


def _built(options: argparse.Namespace, settings: StartSettings, fleet: Fleet) -> Sim:
    """Return the vehicles at their start."""
    with naming(vehicle="--vehicles"):
        sim = Sim(fleet.counts, dt=fleet.dt)
    sim.enable_synthesis()
    if options.origin is not None:
        sim.origin = options.origin
    if (terrain := terrain_of(options, options.origin)) is not None:
        sim.environment.set_terrain(terrain)
    sensors = options.sensors or ("px4_sih" if has_autopilot(options) else "rflysim")
    if sensors != NO_SENSORS:
        enable_sensors(sim, sensors)
    enable_estimator(options, sim)
    enable_batteries(options, sim)
    attach_payloads(options, sim)
    put_scene(options, sim)
    load_params(options, sim, settings.first_id)
    pos, yaw = starts(settings, sim.n)
    sim.reset(pos=pos, yaw=yaw)
    enter_event_file(options, sim, settings.first_id)
    enter_boundary_file(options, sim, settings.first_id)
    return sim


def _server(options: argparse.Namespace, settings: StartSettings, fleet: Fleet) -> Server:
    """Return the server of vehicles at their start."""
    mode = _mode(options, settings)
    check_options(options, mode)
    sim = _built(options, settings, fleet)
    check_copter_ids(options, settings.first_id, sim.n)
    places = Starts(sim)
    links = further_links(options, sim, settings, mode, places)
    with ExitStack() as opened, ports_apart(links):
        for link in links:
            opened.enter_context(closing(link))
        if options.more_links is not None:
            for link in options.more_links(sim, settings.first_id, places):
                links.append(opened.enter_context(closing(link)))
        server = Server(
            sim,
            mode=mode,
            rate=rate_of(options.rate),
            host=options.host,
            peers=settings.peers,
            first_port=settings.first_port,
            timeouts=dict(options.timeout),
            setpoints_arm=options.setpoints_arm,
            first_id=settings.first_id,
            links=links,
            tick=options.tick,
            key=options.mavlink_key,
            relayed=relays(options, mode),
            starts=places,
            allow=options.allow,
        )
        opened.pop_all()
    ids = range(server.first_id, server.first_id + server.sim.n)
    notices = Notices(sys.stderr, ids)
    for link in server.links:
        if isinstance(link, (RflySimLink, InputLink)):
            link.inbox.notices = notices
        elif isinstance(link, EventLink):
            link.notices = notices
        elif isinstance(link, PageLink):
            link.links = server.links
    return server


def _tell_texts(server: Server, models: ModelTexts, out: TextIO, status: Status | None) -> None:
    """Let what vehicles, their models and PX4s say be printed, and reported to programs."""

    def tell(row: int, text: str) -> None:
        print(f"CopterID {server.first_id + row}: {text}", file=out)
        if status is not None:
            status.tell(server.first_id + row, text)

    models.hearers.append(tell)
    models.watch(server.sim)
    if server.mavlink is not None:
        server.mavlink.autopilots.hearers.append(lambda row, _, text: tell(row, text))
    for link in server.links:
        if isinstance(link, (Px4TextLink, Relay)) and link.texts is not None:
            link.texts.tell = tell


def _announce(
    options: argparse.Namespace, settings: StartSettings, server: Server, out: TextIO
) -> None:
    """Print which ports there are, and what is to be known of them."""
    _print_ports(server.sim, server, out)
    uses = [use for link in server.links for use in link.port_uses()]
    here = server.rflysim is None or server.rflysim.sockets.peers_here
    notices = list(check_ports(uses, here))
    n = server.sim.n
    if server.mavlink is not None:
        notices += filter(None, [server.mavlink.notice()])
    for notice in notices:
        print(f"pyrfly sim: {notice}", file=sys.stderr)
    mode = "" if server.rflysim is None else f"{server.rflysim.mode}, "
    senders = Senders(settings.peers, options.allow, options.host)
    others = "" if is_loopback(options.host) else f"; {senders} may command"
    if options.mavlink_key is not None:
        doors = ", ".join(link.name for link in server.links if _is_unsigned(link))
        print(f"without the key {Senders()} may command, by {doors}", file=out)
    print(
        f"serving {n} vehicle{'' if n == 1 else 's'} on {options.host}, {mode}rate {options.rate}"
        f"{others}; Ctrl-C stops",
        file=out,
    )
    if options.start_script and not has_autopilot(options):
        ids = _span(settings.first_id, settings.first_id + n - 1)
        for text in READY:  # true of vehicles with controllers of their own from the beginning on
            print(f"CopterID {ids}: {text}", file=out)


def _is_unsigned(link: Link) -> bool:
    """Return whether a link takes what nobody has signed."""
    listens = isinstance(link, TcpLink) or any(use.listens for use in link.port_uses())
    return listens and not isinstance(link, MavlinkLink)


def _serve(options: argparse.Namespace, ending: ExitStack) -> int:
    """Serve until the end, and print the counts; return the exit status.

    ``ending`` gets what holds until the very end.
    """
    out = sys.stderr if options.json_status else sys.stdout
    settings, source = _settings(options)
    models = ModelTexts()
    fleet = fleet_of(options, settings, models.printed)
    if options.start_script:
        _print_settings(options, settings, source, fleet, out)
    if options.script_links:
        open_links_of_script(options, settings)
    with naming(**_ARGUMENTS):
        server = _server(options, settings, fleet)
    signals = ending.enter_context(EndSignals(server))
    shown, status, end = sys.stdout, None, None
    if isinstance(shown, TextOutput) and (options.json_status or shown.isatty()):
        server.report = status = Status(shown, options.json_status, options.status_of)
    with (
        closing(server),
        copter_tables(server, options.copter_tables),
        recording(server, options.record) as notes,
        suppress(KeyboardInterrupt),
    ):
        _announce(options, settings, server, out)
        _tell_texts(server, models, out, status)
        if isinstance(shown, TextOutput):
            shown.settle(_PATIENCE)  # raises where the reader has ended, as nothing may later
        end = _run(server, options)
        if end is not None:
            notes[END] = end.reason
    signals.ending = True
    with suppress(OSError):  # of a terminal that was closed
        if status is not None:
            status.end()
        why = "" if end is None else f": {end.reason}"
        print(f"stopped after {server.sim.time:.2f} s of simulated time{why}", file=out)
        if server.late:
            print(f"fell behind the rate {server.late} times", file=out)
        for link in server.links:
            print(f"{link.name}: {link.stats}", file=out)
    return 0 if end is None or end.crossing is None else _ENDED


def _run(server: Server, options: argparse.Namespace) -> RunEnd | None:
    """Serve; return why the run has ended, at a boundary or by ``--until``."""
    ends: list[RunEnd] = []
    if options.until:
        sim = server.sim
        watch = Watch(sim.select(), options.until)

        def look() -> None:
            if end := watch.look(sim.time):
                ends.append(end)
                server.stop()

        sim.add_listener(look, LOOK)
    try:
        server.run(options.seconds)
    except RunEnded as error:
        return RunEnd.at_boundary(error)
    return ends[0] if ends else None


def run(options: argparse.Namespace) -> int:
    """Serve until a signal, until the time is up, or until a boundary ends the run: status 3.

    Nothing that is written on the way waits for its reader, whatever writes it.
    """
    outputs = shown, told = TextOutput(sys.stdout), TextOutput(sys.stderr)
    with ExitStack() as ending, redirect_stdout(shown), redirect_stderr(told):
        for output in outputs:
            ending.callback(output.close)
        try:
            return _serve(options, ending)
        finally:
            for output in outputs:
                output.settle(_PATIENCE)
