"""An ArduPilot SITL with the JSON backend: servo packets out, lines of JSON in.

Written from the description of the protocol, without pyrfly. `ArduPilot` keeps the count of frames
and its clock as the real one does; `exchange` does a frame over a socket. `hover` is a simple
controller of a quadrotor X, from what is received alone.
"""

from __future__ import annotations

import math
import socket
import struct

MAGIC_16, MAGIC_32 = 18458, 29569

# Section, key, count of numbers, mandatory; in the order in which the real one searches.
KEYS = (
    ("", "timestamp", 1, True),
    ("imu", "gyro", 3, True),
    ("imu", "accel_body", 3, True),
    ("", "position", 3, True),
    ("", "attitude", 3, False),
    ("", "quaternion", 4, False),
    ("", "velocity", 3, True),
    *(("", f"rng_{k}", 1, False) for k in range(1, 7)),
    ("windvane", "direction", 1, False),
    ("windvane", "speed", 1, False),
    ("", "airspeed", 1, False),
    ("", "no_time_sync", 1, False),
    ("", "velocity_wind", 3, False),
    *(("rc", f"rc_{k}", 1, False) for k in range(1, 13)),
    ("battery", "voltage", 1, False),
    ("battery", "current", 1, False),
)


class Incomplete(Exception):
    """A mandatory field is missing: the real one stops."""


def numbers_at(text: str, count: int) -> list[float]:
    """Return numbers that begin at once, in brackets if there are several."""
    if count == 1:
        end = next((i for i, c in enumerate(text) if c not in "+-.0123456789eE"), len(text))
        return [float(text[:end])]
    if not text.startswith("["):
        raise Incomplete("no bracket where the numbers begin")
    return [float(number) for number in text[1 : text.index("]")].split(",")][:count]


def parse_line(text: str) -> dict[str, list[float]]:
    """Return the numbers by key; a search for names, not a parser of JSON."""
    found = {}
    for section, key, count, mandatory in KEYS:
        start = text.find(section)
        at = text.find(key, start + len(section) + 1) if start >= 0 else -1
        if at >= 0:
            found[key] = numbers_at(text[at + len(key) + 2 :], count)
        elif mandatory:
            raise Incomplete(key)
    if not {"attitude", "quaternion"} & found.keys():
        raise Incomplete("attitude")
    return found


class ArduPilot:
    """The end of the link that drives."""

    def __init__(self, frame_rate: int = 400, outputs: int = 16) -> None:
        self.frame_rate = frame_rate
        self.outputs = outputs
        self.received: dict[str, list[float]] = {}
        self.resets_seen = 0
        self._buffer = b""
        self.restart()

    def restart(self) -> None:
        """Begin anew, as the program does when it is started again."""
        self.frame_count = 0
        self.time = 0.0
        self._timestamp = 0.0

    def servo_packet(self, pwm: list[int]) -> bytes:
        """Return the packet of the present frame; outputs that are not given have no pulse."""
        pulses = [*pwm, *[0] * self.outputs][: self.outputs]
        magic = MAGIC_16 if self.outputs == 16 else MAGIC_32
        head = struct.pack("<HHI", magic, self.frame_rate, self.frame_count % 2**32)
        return head + struct.pack(f"<{self.outputs}H", *pulses)

    def receive(self, datagram: bytes) -> bool:
        """Take an answer; return whether it held a line, which completes the frame."""
        self._buffer += datagram
        *_, line, rest = [b"", *self._buffer.split(b"\n")] if b"\n" in self._buffer else [b"", b""]
        if not line:
            return False
        self._buffer = rest
        self.received = parse_line(line.decode("ascii"))
        (timestamp,) = self.received["timestamp"]
        if timestamp < self._timestamp:
            self.resets_seen += 1
        else:
            self.time += timestamp - self._timestamp
        self._timestamp = timestamp
        self.frame_count += 1
        return True

    def exchange(
        self, sock: socket.socket, address: tuple[str, int], pwm: list[int], resend: float = 1.0
    ) -> None:
        """Send a frame until it is answered; TimeoutError after five times."""
        for _ in range(5):
            sock.sendto(self.servo_packet(pwm), address)
            sock.settimeout(resend)
            try:
                while not self.receive(sock.recv(65000)):
                    pass
            except TimeoutError:
                continue
            return
        raise TimeoutError("no answer from the physics")

    def hover(self, height: float, throttle: float) -> list[int]:
        """Return pulses that hold a height [m] above home, level; `throttle` is that of hover."""
        if not self.received:
            return [1000] * 4
        roll, pitch = self._tilt()
        p, q, r = self.received["gyro"]
        climb = -self.received["velocity"][2]
        error = height + self.received["position"][2]
        lift = throttle + 0.08 * max(-2.0, min(2.0, error)) - 0.1 * climb
        moments = -0.2 * roll - 0.05 * p, -0.2 * pitch - 0.05 * q, -0.1 * r
        signs = ((-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1))  # of quadrotor X
        mixed = [lift + sum(s * m for s, m in zip(row, moments, strict=True)) for row in signs]
        return [round(1000 + 1000 * max(0.0, min(1.0, motor))) for motor in mixed]

    def _tilt(self) -> tuple[float, float]:
        if "quaternion" not in self.received:
            return self.received["attitude"][0], self.received["attitude"][1]
        w, x, y, z = self.received["quaternion"]
        roll = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        return roll, math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x))))
