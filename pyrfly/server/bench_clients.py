"""Programs at the other end of a server that is measured.

``python -m pyrfly.server.bench_clients`` runs them. Each says ``ready`` when its sockets are open,
works until its standard input ends, and prints what it has measured as JSON. `pyrfly.server.bench`
starts them, as processes of their own: a thread would take turns with the server for the
interpreter.
"""

from __future__ import annotations

import json
import math
import random
import selectors
import socket
import struct
import sys
import threading
import time
from binascii import crc_hqx
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from subprocess import PIPE, Popen
from typing import Any

import numpy as np

from pyrfly import wire
from pyrfly.mavlink import blank
from pyrfly.mavlink.messages import message_of
from pyrfly.protocol.short_message import ShortMode
from pyrfly.transport import PortError, bound
from pyrfly.transport.datagrams import SocketSet
from pyrfly.transport.open_files import allow_open_files

__all__ = ["PROGRAMS", "Client", "client", "control_frame", "main"]

HERE = "127.0.0.1"

EACH = 8
"""Packets of a port that are read at once, more than are sent to most of them in a cycle."""

CYCLE = 0.02
"""Time between two readings of all ports [s]: less work for the system than at every packet."""

THRUSTS = (0.2, 0.1)
"""Normalized thrusts that are commanded in turns, on the ground [assumption: too low to lift]."""

PATIENCE = 1.0
"""Time after which an answer counts as lost [s]."""


class Client:
    """A program that was started by `client`."""

    def __init__(self, process: Popen[str]) -> None:
        self._process = process

    def end(self) -> Any:
        """End the program; return what it has measured."""
        out, _ = self._process.communicate(timeout=60)
        return json.loads(out)


@contextmanager
def client(program: str, *arguments: object) -> Iterator[Client]:
    """Run a program of `PROGRAMS`; ends with the block, or with this process.

    Raises
    ------
    PortError
        It cannot open its ports.
    """
    command = [sys.executable, "-m", __name__, program, *map(str, arguments)]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().strip()
            if line != "ready":
                raise PortError(line or f"the program {program} has ended")
            yield Client(process)
        finally:
            if process.poll() is None:
                process.kill()


def listen(over: threading.Event, *spans: int) -> dict[str, float]:
    """Read all ports of some spans, each as first port, step and number of ports."""
    ports = [
        port
        for first, step, count in zip(*[iter(spans)] * 3, strict=True)
        for port in range(first, first + step * count, step)
    ]
    with ExitStack() as opened:
        allow_open_files(len(ports))
        sockets = [opened.enter_context(bound(HERE, port)) for port in ports]
        for one in sockets:
            one.setblocking(False)
        together = SocketSet(sockets, EACH * len(sockets))
        everything = np.arange(len(sockets))
        print("ready", flush=True)
        received, cpu = 0, time.process_time()
        while not over.wait(CYCLE):
            received += len(together.receive(everything, EACH).datas)
        return {"received": received, "cpu_s": time.process_time() - cpu}


def command(over: threading.Event, first_port: int, span_us: int) -> dict[str, list[float]]:
    """Command motors in turns up and down; measure when the true state shows it [s].

    Commands are sent at random times, up to ``span_us`` after the answer to the one before.
    """
    packets = [wire.blank("inOffboardShortData") for _ in THRUSTS]
    for packet, thrust in zip(packets, THRUSTS, strict=True):
        packet["ctrlMode"], packet["ctrls"] = ShortMode.ATTITUDE, (0, 0, 0, thrust)
    delays: list[float] = []
    with bound(HERE, first_port + 10001) as opened:
        opened.settimeout(PATIENCE)
        print("ready", flush=True)
        for turn in range(sys.maxsize):
            speed = _newest_speed(opened, math.nan)
            if over.wait(random.uniform(0.0, span_us * 1e-6)):  # packets come at regular times
                break
            speed = _newest_speed(opened, speed)
            sign = 1 if turn % 2 == 0 else -1
            begin = time.perf_counter()
            opened.sendto(packets[turn % 2].tobytes(), (HERE, first_port))
            while time.perf_counter() - begin < PATIENCE:
                if sign * (_speed(opened) - speed) > 0:
                    delays.append(time.perf_counter() - begin)
                    break
    return {"delays_s": delays}


def _speed(opened: socket.socket) -> float:
    """Return the speed of the first rotor in the next packet; NaN if it shows none, or is missing.

    Raises
    ------
    BlockingIOError
        There is none, on a socket that does not wait.
    """
    name = "SOut2Simulator"
    try:
        packet = opened.recv(2048)
    except (TimeoutError, ConnectionError):
        return math.nan
    if len(packet) != wire.dtype(name).itemsize:
        return math.nan
    return float(np.frombuffer(packet, wire.dtype(name))["MotorRPMS"][0, 0])


def _newest_speed(opened: socket.socket, before: float) -> float:
    """Return the speed that was shown last; waits for one where none was shown ``before`` (NaN)."""
    newest = _speed(opened) if math.isnan(before) else before
    opened.setblocking(False)
    try:
        while True:
            speed = _speed(opened)
            newest = newest if math.isnan(speed) else speed
    except BlockingIOError:
        opened.settimeout(PATIENCE)
    return newest


# --- an autopilot in lockstep

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_HIL_SENSOR, _TIME = 107, slice(10, 18)


def _control_template() -> tuple[bytes, bytes, bytes]:
    """Return HIL_ACTUATOR_CONTROLS before and after its time, and the extra byte of its checksum.

    Armed, in lockstep, with controls that do not lift.
    """
    message = message_of("HIL_ACTUATOR_CONTROLS")
    record = blank(message.name)
    record["controls"][:, :4], record["mode"], record["flags"] = 0.1, 129, 1
    payload = record.tobytes()
    head = struct.pack("<BBBBBBB", len(payload), 0, 0, 0, 1, 1, message.id)
    return head + b"\0\0", payload[8:], bytes([message.crc_extra])


_BEFORE, _AFTER, _EXTRA = _control_template()


def control_frame(time_usec: bytes) -> bytes:
    """Return a frame of HIL_ACTUATOR_CONTROLS with a time, its 8 bytes as in HIL_SENSOR.

    The checksum of MAVLink takes the bits of a byte in the reverse order of ``crc_hqx``.

    Examples
    --------
    >>> from pyrfly.mavlink import FrameParser
    >>> from pyrfly.server.bench_clients import control_frame
    >>> frame, = FrameParser().feed(control_frame((4000).to_bytes(8, "little")))
    >>> frame.name, int(frame.record()["time_usec"])
    ('HIL_ACTUATOR_CONTROLS', 4000)
    """
    body = _BEFORE + time_usec + _AFTER
    checksum = crc_hqx((body + _EXTRA).translate(_REVERSED), 0xFFFF)
    return b"\xfd" + body + bytes((_REVERSED[checksum >> 8], _REVERSED[checksum & 255]))


def px4(over: threading.Event, *ports: int) -> dict[str, int]:
    """Answer every HIL_SENSOR at once, on a connection to each port."""
    answered = 0
    with ExitStack() as opened, selectors.DefaultSelector() as selector:
        for port in ports:
            link = opened.enter_context(socket.create_connection((HERE, port), timeout=10))
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(link, selectors.EVENT_READ, _answering(link))
        print("ready", flush=True)
        while selector.get_map() and not over.is_set():
            for key, _ in selector.select(CYCLE):
                count = key.data()
                answered += count or 0
                if count is None:
                    selector.unregister(key.fileobj)
    return {"answered": answered}


def _answering(link: socket.socket) -> Callable[[], int | None]:
    """Return a function that answers what has arrived: how many messages; None at the end."""
    rest = b""

    def answer() -> int | None:
        nonlocal rest
        try:
            data = link.recv(65536)
            if not data:
                return None
            data, answers = rest + data, []
            while len(data) >= 2 and len(data) >= data[1] + 12:
                if data[7] == _HIL_SENSOR:
                    answers.append(control_frame(data[_TIME]))
                data = data[data[1] + 12 :]
            rest = data
            link.sendall(b"".join(answers))
        except OSError:
            return None
        return len(answers)

    return answer


PROGRAMS: dict[str, Callable[..., Any]] = {"listen": listen, "command": command, "px4": px4}
"""Programs by name; their arguments are whole numbers."""


def main(argv: Sequence[str]) -> int:
    """Run a program until standard input ends."""
    over = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait, daemon=True).start()
    try:
        measured = PROGRAMS[argv[0]](over, *map(int, argv[1:]))
    except PortError as error:
        print(error, flush=True)
        return 1
    print(json.dumps(measured), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
