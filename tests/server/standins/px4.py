"""Stand-ins for PX4: `Px4`, SITL at the simulator's TCP port; `Hitl`, on hardware of its own.

It does what is published of PX4 [@px4]: connects as client; sends SET_MESSAGE_INTERVAL for
HIL_STATE_QUATERNION and one HEARTBEAT; takes its time from HIL_SENSOR; answers none of the first
messages, and then each with one HIL_ACTUATOR_CONTROLS. It flies from what the sensors measure
alone: a complementary filter and cascaded loops hold a height and a place.

`Hitl` has a clock of its own, takes sensors only while HIL is on, and sends its controls at 200 Hz.

They use pymavlink and nothing of pyrfly.
"""

from __future__ import annotations

import math
import socket
import threading
from dataclasses import dataclass, field

import numpy as np
from pymavlink.dialects.v20 import common

G = 9.81
LOCKSTEP = 1  # flags
ARMED = 128 + 1  # mode
DISARMED = 1
GROUPS = {"imu": 0x3F, "magnetometer": 0x1C0, "barometer": 0x1A00}
START_UP = 20  # messages without an answer

# Rotors of a quad x: front right, rear left, front left, rear right.
ROLL = np.array([-1.0, 1.0, 1.0, -1.0])
PITCH = np.array([1.0, -1.0, 1.0, -1.0])
YAW = np.array([1.0, 1.0, -1.0, -1.0])


@dataclass
class Estimate:
    """What the stand-in knows of its vehicle."""

    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    rate: np.ndarray = field(default_factory=lambda: np.zeros(3))
    height: float = 0.0  # above the first pressure [m]
    climb: float = 0.0
    vel: np.ndarray = field(default_factory=lambda: np.zeros(2))  # north, east
    pos: np.ndarray = field(default_factory=lambda: np.zeros(2))
    ground_pressure: float | None = None
    origin: tuple[float, float] | None = None


class Px4:
    """Connects to a port and flies until `stop`, in a thread of its own.

    ``arm_after`` counts seconds of simulated time since the first message; ``height`` is held from
    then on. ``answers`` False: it says nothing any more, as a program that hangs.
    """

    def __init__(self, port: int, arm_after: float = 1.0, height: float = 3.0) -> None:
        self.estimate = Estimate()
        self.height, self.arm_after = height, arm_after
        self.times: list[int] = []
        self.counts: dict[str, int] = {}
        self.fields: set[int] = set()
        self.answers = True
        self.messages: list[object] = []
        self.armed = False
        self._hover = 0.0
        self._port = port
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.error: BaseException | None = None

    def start(self) -> Px4:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(20)
        if self.error is not None:
            raise self.error

    def __enter__(self) -> Px4:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        try:
            with self._connected() as link:
                self._serve(link)
        except (ConnectionError, TimeoutError):
            pass
        except BaseException as error:
            self.error = error

    def _connected(self) -> socket.socket:
        while not self._stop.is_set():
            try:
                link = socket.create_connection(("127.0.0.1", self._port), timeout=1)
            except OSError:
                self._stop.wait(0.01)
                continue
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            link.settimeout(0.1)
            return link
        raise TimeoutError

    def _serve(self, link: socket.socket) -> None:
        mav = common.MAVLink(None, srcSystem=1, srcComponent=1)
        mav.robust_parsing = True

        def send(message: object) -> None:
            link.sendall(message.pack(mav))

        send(common.MAVLink_command_long_message(0, 0, 511, 0, 115, 5000, 0, 0, 0, 0, 0))
        send(common.MAVLink_heartbeat_message(0, 12, 0, 0, 0, 3))
        while not self._stop.is_set():
            try:
                data = link.recv(65536)
            except TimeoutError:
                continue
            if not data:
                return
            for message in mav.parse_buffer(data) or []:
                kind = message.get_type()
                self.counts[kind] = self.counts.get(kind, 0) + 1
                if kind == "HIL_SENSOR":
                    controls = self._step(message)
                    if len(self.times) > START_UP and self.answers:
                        mode = ARMED if self.armed else DISARMED
                        time = message.time_usec
                        send(
                            common.MAVLink_hil_actuator_controls_message(
                                time, controls.tolist(), mode, LOCKSTEP
                            )
                        )
                elif kind == "HIL_GPS":
                    self._locate(message)
                elif kind == "BAD_DATA":
                    raise AssertionError("bad data")

    # --- flight

    def _step(self, m: object) -> np.ndarray:
        dt = (m.time_usec - self.times[-1]) * 1e-6 if self.times else 0.0
        assert not self.times or dt > 0
        self.times.append(m.time_usec)
        self.fields.add(m.fields_updated)
        e = self.estimate
        self._filter(m, dt)
        elapsed = (m.time_usec - self.times[0]) * 1e-6
        self.armed = elapsed > self.arm_after
        controls = np.zeros(16)
        if not self.armed:
            return controls
        climb = np.clip(1.0 * (self.height - e.height), -1.0, 1.5)
        self._hover = np.clip(self._hover + 0.1 * (climb - e.climb) * dt, 0.0, 0.5)
        thrust = 0.25 + self._hover + 0.15 * (climb - e.climb)
        # towards the first place: velocity 0.3 / s of the distance, tilt of the velocity error
        wanted = np.clip(-0.3 * e.pos, -1, 1)
        north, east = np.clip(0.15 * (wanted - e.vel), -0.2, 0.2)
        forward = north * math.cos(e.yaw) + east * math.sin(e.yaw)
        right = -north * math.sin(e.yaw) + east * math.cos(e.yaw)
        roll_rate = 5.0 * (right - e.roll)
        pitch_rate = 5.0 * (-forward - e.pitch)
        moment = 0.06 * (np.array([roll_rate, pitch_rate, 0.0]) - e.rate)
        motors = thrust + moment[0] * ROLL + moment[1] * PITCH + 2 * moment[2] * YAW
        controls[:4] = np.clip(motors, 0.0, 1.0)
        return controls

    def _filter(self, m: object, dt: float) -> None:
        e = self.estimate
        bits = m.fields_updated
        for name, group in GROUPS.items():
            assert bits & group in (0, group), name  # PX4 drops part of a group
        if bits & GROUPS["imu"] == 0:
            return
        e.rate = np.array([m.xgyro, m.ygyro, m.zgyro])
        p, q, r = e.rate
        sin, cos, tan = math.sin(e.roll), math.cos(e.roll), math.tan(e.pitch)
        e.roll += dt * (p + (q * sin + r * cos) * tan)
        e.pitch += dt * (q * cos - r * sin)
        e.yaw = math.remainder(e.yaw + dt * (q * sin + r * cos) / math.cos(e.pitch), math.tau)
        weight = min(1.0, dt / 2.0) if len(self.times) > 250 else 0.05
        e.roll += weight * (math.atan2(-m.yacc, -m.zacc) - e.roll)
        e.pitch += weight * (math.atan2(m.xacc, -m.zacc) - e.pitch)
        cos_tilt = math.cos(e.roll) * math.cos(e.pitch)
        upward = -m.zacc * cos_tilt + m.xacc * math.sin(e.pitch) - G
        upward -= m.yacc * math.sin(e.roll) * math.cos(e.pitch)
        e.climb += dt * upward
        e.height += dt * e.climb
        if bits & GROUPS["magnetometer"]:
            heading = -math.atan2(m.ymag, m.xmag)
            if len(self.times) < 250:
                e.yaw = heading
        if bits & GROUPS["barometer"]:
            self._weigh(m.abs_pressure, dt)

    def _weigh(self, pressure: float, dt: float) -> None:
        """Correct height and climb rate by a pressure [hPa]."""
        e = self.estimate
        if e.ground_pressure is None or len(self.times) < 200:
            e.ground_pressure = pressure
            e.height = e.climb = 0.0
        measured = 8430.0 * math.log(e.ground_pressure / pressure)
        error = measured - e.height
        e.height += 0.1 * error
        e.climb += 0.1 * error

    def _locate(self, m: object) -> None:
        e = self.estimate
        place = (m.lat * 1e-7, m.lon * 1e-7)
        if e.origin is None:
            e.origin = place
        metres = 6378137.0 * math.pi / 180.0
        e.pos = metres * np.array(
            [
                place[0] - e.origin[0],
                (place[1] - e.origin[1]) * math.cos(math.radians(e.origin[0])),
            ]
        )
        e.vel = np.array([m.vn, m.ve]) / 100.0


HIL = 32  # MAV_MODE_FLAG_HIL_ENABLED
CONTROL_PERIOD = 0.005


class Hitl(Px4):
    """The end of a serial port or a network link; `exchange` is called for each piece of time.

    It waits for a first byte, as PX4 does at a USB port; then a HEARTBEAT each second and other
    messages come with the controls.
    """

    def __init__(self, arm_after: float = 1.0, height: float = 3.0, system: int = 1) -> None:
        super().__init__(0, arm_after, height)
        self.clock = 0.0  # since it was switched on [s]
        self.hil = True
        self.others: list[object] = []  # what is not for the simulation
        self._started = False
        self._controls = np.zeros(16)
        self._sent_until = self._heartbeat = 0.0
        self._mav = common.MAVLink(None, srcSystem=system, srcComponent=1)
        self._mav.robust_parsing = True

    def exchange(self, data: bytes, seconds: float) -> bytes:
        """Take what has arrived; return what is sent in the next piece of time."""
        self._started |= bool(data)
        for message in self._mav.parse_buffer(data) or []:
            self._take(message)
        self.clock += seconds
        return self._told() if self._started else b""

    def _take(self, message: object) -> None:
        kind = message.get_type()
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if not kind.startswith("HIL_"):
            self.others.append(message)
        elif self.hil and kind == "HIL_SENSOR":
            self._controls = self._step(message)
        elif self.hil and kind == "HIL_GPS":
            self._locate(message)

    def _told(self) -> bytes:
        sent = []
        mode = ARMED if self.armed else DISARMED
        if self.clock >= self._heartbeat:
            self._heartbeat = self.clock + 1.0
            base = mode | (HIL if self.hil else 0)
            sent.append(common.MAVLink_heartbeat_message(2, 12, base, 0, 3, 3))
            sent.append(common.MAVLink_home_position_message(*[0] * 6, [1, 0, 0, 0], 0, 0, 0))
        while self.hil and self._sent_until + CONTROL_PERIOD <= self.clock:
            self._sent_until += CONTROL_PERIOD
            time = round(self._sent_until * 1e6)
            controls = self._controls.tolist()
            sent.append(common.MAVLink_hil_actuator_controls_message(time, controls, mode | HIL, 0))
        return b"".join(message.pack(self._mav) for message in sent)
