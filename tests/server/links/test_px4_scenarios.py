"""Scenarios of PX4's own tests of multicopters, flown against vehicles that answer as PX4.

What is flown and required is that of PX4 v1.16.1 [@px4 v1.16.1 test/mavsdk_tests], written anew for
pymavlink, in simulated time. The messages are those that MAVSDK sends for these tests. Those that
inject failures are left out, but for the two that expect a refusal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from pyrfly.frames import LocalFrame

from .test_mavlink import World

NAN = math.nan
ARM, TAKE_OFF, LAND, RETURN, SET_MODE, INTERVAL, FAILURE = 400, 22, 21, 20, 176, 511, 420
TRUTH, LOCAL = 115, 32
AUTO, OFFBOARD, MISSION, FOLLOW, HOLD = 4, 6, 4, 8, 3
ALTITUDE, POSITION = 2, 3
IN_AIR = common.MAV_LANDED_STATE_IN_AIR
TICK = 0.02  # s
LEG, HEIGHT = 20.0, 10.0  # of PX4's mission options [m]
DISARMED = 180.0  # s until then

pytestmark = pytest.mark.slow


class Flyer:
    """What PX4's tests do with a vehicle."""

    def __init__(self, vehicle: str = "x450") -> None:
        self.world = World(vehicle, kinds=("onboard",))
        self.client = self.world.client(14540)
        self.each_tick: list[Callable[[], object]] = []
        self._heard = 0.0
        self.client.wait("HEARTBEAT")
        self.client.quiet()
        self.command(INTERVAL, TRUTH, 50_000)
        self.command(INTERVAL, LOCAL, 50_000)
        self.run(0.5)
        self.home = self.truth()
        self.frame = LocalFrame(*self.home)

    def close(self) -> None:
        self.world.close()

    # --- time

    def run(self, seconds: float) -> None:
        end = self.world.sim.time + seconds - 1e-6
        while self.world.sim.time < end:
            self.tick()

    def tick(self) -> None:
        """Run as long as nothing is sent or looked at."""
        for call in self.each_tick:
            call()
        self.world.server.run(TICK if self.each_tick else 5 * TICK)
        self.client.poll()

    def until(self, condition: Callable[[], Any], seconds: float) -> None:
        end = self.world.sim.time + seconds
        while not condition():
            assert self.world.sim.time < end
            self.tick()

    # --- what is seen

    def truth(self) -> tuple[float, float, float]:
        m = self.client.last("HIL_STATE_QUATERNION")
        return m.lat * 1e-7, m.lon * 1e-7, m.alt * 1e-3

    def local(self) -> np.ndarray[Any, Any]:
        m = self.client.last("LOCAL_POSITION_NED")
        return np.array([m.x, m.y, m.z])

    @property
    def armed(self) -> bool:
        return bool(self.client.last("HEARTBEAT").base_mode & 128)

    def from_home(self) -> float:
        """Return the true horizontal distance from home [m]."""
        north, east, _ = self.frame.to_ned(self.truth())
        return math.hypot(north, east)

    def is_hovering(self) -> bool:
        return bool(self.client.last("EXTENDED_SYS_STATE").landed_state == IN_AIR)

    # --- what is requested

    def command(self, number: int, *params: float) -> None:
        assert self.client.command(number, *params) == 0

    def set(self, name: str, value: float, whole: bool = False) -> None:
        kind = common.MAV_PARAM_TYPE_INT32 if whole else common.MAV_PARAM_TYPE_REAL32
        raw = np.array(value, np.int32).view(np.float32).item() if whole else value
        self.client.mav.param_set_send(1, 1, name.encode(), raw, kind)
        got = self.client.wait("PARAM_VALUE", param_id=name)
        assert got.param_value == pytest.approx(raw)

    def arm(self) -> None:
        self.command(ARM, 1)

    def take_off(self, height: float | None = None) -> None:
        if height is not None:
            self.set("MIS_TAKEOFF_ALT", height)
        self.arm()
        self.command(TAKE_OFF, NAN, NAN, NAN, NAN, NAN, NAN, NAN)
        self.until(self.is_hovering, 45)

    def mode(self, main: int, sub: int = 0) -> None:
        self.command(SET_MODE, 1, main, sub)

    def return_home(self) -> None:
        self.mode(AUTO, 5)

    def land(self) -> None:
        self.command(LAND, 0, 0, 0, NAN)

    def until_disarmed(self, seconds: float = DISARMED) -> None:
        self.run(1.5)  # a heartbeat comes once a second
        self.until(lambda: not self.armed, seconds)

    # --- missions

    def upload(
        self, points: list[tuple[float, float]], rtl: bool = False, through: bool = False
    ) -> None:
        """Upload waypoints [m, north and east] with the items that MAVSDK makes of them."""
        hold, radius = (0.0, 3.0) if through else (0.5, 1.0)
        items: list[tuple[Any, ...]] = []
        for north, east in points:
            lat, lon, _ = self.frame.to_lla((north, east, 0.0))
            place = round(lat * 1e7), round(lon * 1e7), HEIGHT
            items.append((6, 16, hold, radius, 0, NAN, *place))
        if rtl:
            items.append((2, RETURN, NAN, NAN, NAN, NAN, 0, 0, 0))
        mav = self.client.mav
        mav.mission_count_send(1, 1, len(items), 0)
        for seq, (frame, command, *rest) in enumerate(items):
            name = "MISSION_REQUEST" if seq == 0 else "MISSION_REQUEST_INT"
            self.client.wait(name, seq=seq)
            mav.mission_item_int_send(1, 1, seq, frame, command, int(seq == 0), 1, *rest)
        assert self.client.wait("MISSION_ACK").type == 0
        self.run(1.0)

    def fly_mission(self, last: int) -> None:
        """Fly it until an item is reached."""
        self.mode(AUTO, MISSION)
        self.until(lambda: any(m.seq == last for m in self.client.all("MISSION_ITEM_REACHED")), 500)

    def check_track(self, points: list[tuple[float, float]]) -> list[float]:
        """Return the distances from the present leg, which are noted from now on [m]."""
        corners = [np.array([north, east, -HEIGHT]) for north, east in points]
        distances: list[float] = []

        def note() -> None:
            current = self.client.last("MISSION_CURRENT")
            if self.armed and current is not None and 0 < current.seq < len(corners):
                a, b = corners[current.seq - 1 : current.seq + 1]
                share = np.clip(np.dot(self.local() - a, b - a) / np.dot(b - a, b - a), 0, 1)
                distances.append(float(np.linalg.norm(self.local() - a - share * (b - a))))

        self.each_tick.append(note)
        return distances

    # --- sticks and set-points

    def sending(self, seconds: float, send: Callable[[], object]) -> None:
        """Send something at each tick for a while."""
        self.each_tick.append(send)
        self.run(seconds)
        self.each_tick.remove(send)

    def steer(self, seconds: float, x: float = 0, y: float = 0, z: float = 0.5) -> None:
        """Hold the sticks, -1 to 1, the throttle 0 to 1."""
        axes = round(1000 * x), round(1000 * y), round(1000 * z)
        self.sending(seconds, lambda: self.client.mav.manual_control_send(1, *axes, 0, 0))

    def go_to(self, point: tuple[float, float, float], yaw: float, seconds: float) -> None:
        """Fly to a position [m, NED] with a heading [deg] within 0.3 m in mode Offboard."""
        self.each_tick[:] = [lambda: self.send_position(point, math.radians(yaw))]
        self.run(0.1)
        self.mode(OFFBOARD)
        self.until(lambda: np.linalg.norm(self.local() - point) <= 0.3, seconds)

    def send_position(self, point: tuple[float, float, float], yaw: float) -> None:
        mask = 0b100111111000  # position and yaw
        rest = (*[0.0] * 6, yaw, 0.0)
        self.client.mav.set_position_target_local_ned_send(0, 1, 1, 1, mask, *point, *rest)

    def descend(self) -> None:
        """Send a velocity of 1 m/s downwards from now on, with which PX4's tests land."""
        mask, vel = 0b100111000111, (0.0, 0.0, 1.0)  # velocity and yaw
        fields = (0, 1, 1, 1, mask, 0, 0, 0, *vel, *[0.0] * 5)
        self.each_tick[:] = [lambda: self.client.mav.set_position_target_local_ned_send(*fields)]

    def hold_attitude(self, seconds: float, pitch: float, thrust: float) -> None:
        """Send an attitude [rad] with the rates ignored."""
        q = [math.cos(pitch / 2), 0.0, math.sin(pitch / 2), 0.0]
        fields = (0, 1, 1, 0b111, q, 0, 0, 0, thrust)
        self.sending(seconds, lambda: self.client.mav.set_attitude_target_send(*fields))

    # --- follow-me

    def send_target(self, place: Any, vel: tuple[float, ...] | None) -> None:
        """Send FOLLOW_TARGET as MAVSDK does: position [m, NED] or None, velocity or None."""
        lat, lon, alt = (-(2**31), -(2**31), NAN)
        if place is not None:
            latitude, longitude, alt = self.frame.to_lla(place)
            lat, lon = round(latitude * 1e7), round(longitude * 1e7)
        rest = ([NAN] * 3, [1.0, NAN, NAN, NAN], [NAN] * 3, [NAN] * 3, 0)
        self.client.mav.follow_target_send(0, 3, lat, lon, alt, vel or [NAN] * 3, *rest)


@pytest.fixture
def flyer() -> Iterator[Flyer]:
    made = Flyer()
    yield made
    made.close()


@pytest.fixture
def iris() -> Iterator[Flyer]:
    """Yield the vehicle of PX4's own tests, which hovers at a thrust of 0.53."""
    made = Flyer("iris")
    yield made
    made.close()


# --- take-off ----------------------------------------------------------------------------------


def test_takeoff_and_land(flyer: Flyer) -> None:
    flyer.take_off()
    flyer.land()
    flyer.until_disarmed()


def test_takeoff_and_hold_position(flyer: Flyer) -> None:
    flyer.take_off(10.0)
    flyer.until(lambda: abs(flyer.local()[2] + 10.0) <= 0.35, 30)
    begun = flyer.local()[2]
    seen = []
    flyer.each_tick.append(lambda: seen.append(flyer.local()[2]))
    flyer.run(60)
    assert np.abs(np.array(seen) - begun).max() <= 0.25


# --- missions ----------------------------------------------------------------------------------

SQUARE = [(LEG, 0.0), (LEG, LEG), (0.0, LEG)]


def test_square_mission_including_return(flyer: Flyer) -> None:
    flyer.upload(SQUARE, rtl=True)
    flyer.arm()
    flyer.fly_mission(last=2)
    flyer.until_disarmed()
    assert flyer.from_home() < 2.0


def test_square_mission_with_manual_return(flyer: Flyer) -> None:
    flyer.upload(SQUARE)
    distances = flyer.check_track(SQUARE)
    flyer.arm()
    flyer.fly_mission(last=2)
    flyer.until(flyer.is_hovering, 45)
    flyer.each_tick.clear()
    flyer.return_home()
    flyer.until_disarmed()
    assert distances
    assert max(distances) < 5.0


STRAIGHT = [(k * LEG, 0.0) for k in range(5)]


def test_straight_mission(flyer: Flyer) -> None:
    """Waypoints in a line that are flown through are not braked at."""
    flyer.upload(STRAIGHT, through=True)
    distances = flyer.check_track(STRAIGHT)
    speeds = []

    def note() -> None:
        current, m = flyer.client.last("MISSION_CURRENT"), flyer.client.last("LOCAL_POSITION_NED")
        if flyer.armed and current is not None and current.seq == 2:
            speeds.append(math.hypot(m.vx, m.vy))

    flyer.each_tick.append(note)
    flyer.arm()
    flyer.fly_mission(last=4)
    flyer.until(flyer.is_hovering, 45)
    flyer.each_tick.clear()
    flyer.return_home()
    flyer.until_disarmed()
    assert speeds
    assert min(speeds) > 4.0
    assert distances
    assert max(distances) < 5.0


# --- offboard ----------------------------------------------------------------------------------


def test_offboard_takeoff_and_land(flyer: Flyer) -> None:
    flyer.set("COM_RCL_EXCEPT", 4, whole=True)
    flyer.arm()
    flyer.go_to((0.0, 0.0, -2.0), 0.0, 90)
    flyer.descend()
    flyer.until_disarmed(120)
    assert flyer.from_home() < 2.0


def test_offboard_position_control(flyer: Flyer) -> None:
    flyer.set("COM_RCL_EXCEPT", 4, whole=True)
    flyer.arm()
    flyer.go_to((0.0, 0.0, -2.0), 0.0, 10)
    flyer.go_to((0.0, 5.0, -2.0), 180.0, 10)
    flyer.go_to((5.0, 5.0, -4.0), 180.0, 10)
    flyer.go_to((5.0, 0.0, -4.0), 90.0, 10)
    flyer.go_to((0.0, 0.0, -2.0), 0.0, 10)
    flyer.descend()
    flyer.until_disarmed(120)
    assert flyer.from_home() < 2.0


def test_offboard_attitude_control(iris: Flyer) -> None:
    iris.set("COM_RCL_EXCEPT", 4, whole=True)
    start = iris.client.last("GPS_RAW_INT").alt_ellipsoid
    iris.hold_attitude(0.5, 0.0, 0.0)
    iris.mode(OFFBOARD)
    iris.hold_attitude(0.1, 0.0, 0.0)
    iris.client.mav.command_long_send(1, 1, ARM, 0, 1, *[0.0] * 6)
    iris.hold_attitude(1.5, 0.0, 0.0)
    assert iris.armed
    end = iris.world.sim.time + 20
    while iris.client.last("GPS_RAW_INT").alt_ellipsoid - start < 10_000:
        assert iris.world.sim.time < end
        iris.hold_attitude(TICK, 0.0, 0.8)
    iris.hold_attitude(3.0, math.radians(-20), 0.8)
    m = iris.client.last("ATTITUDE")
    assert abs(math.degrees(m.roll)) < 5
    assert abs(math.degrees(m.pitch) + 20) < 5
    iris.hold_attitude(6.0, 0.0, 0.4)
    iris.hold_attitude(0.1, 0.0, 0.0)
    iris.until_disarmed(120)


# --- sticks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [POSITION, ALTITUDE], ids=["position", "altitude"])
def test_fly_forward_by_sticks(flyer: Flyer, mode: int) -> None:
    flyer.steer(1.0)
    flyer.mode(mode)
    flyer.steer(1.0)
    flyer.arm()
    flyer.steer(5.0, z=1.0)
    flyer.steer(10.0, x=0.5)
    for _ in range(60):
        flyer.steer(1.0, z=0.0)
        if not flyer.is_hovering():
            break
    flyer.each_tick.append(lambda: flyer.client.mav.manual_control_send(1, 0, 0, 0, 0, 0))
    flyer.until_disarmed()
    assert flyer.from_home() > 5.0


# --- follow-me ---------------------------------------------------------------------------------

FOLLOW_ERROR = 11.0
ANGLES = {5: 180.0, 20: 0.0, 35: 45.0, 55: -45.0}  # from this second on [deg]
CHECKED = {*range(15, 20), *range(30, 35), *range(45, 55), *range(65, 75)}


@pytest.mark.parametrize("tells_velocity", [False, True], ids=["position", "velocity_too"])
def test_follow_target(flyer: Flyer, tells_velocity: bool) -> None:
    flyer.take_off(10.0)
    for name, value in (("DST", 8.0), ("HT", 10.0), ("MAX_VEL", 15.0), ("FA", 0.0)):
        flyer.set(f"FLW_TGT_{name}", value)
    flyer.mode(AUTO, FOLLOW)
    flyer.run(1.0)
    noise = np.random.default_rng(0)
    place, angle = flyer.local(), 0.0
    for second in range(75):
        if second in ANGLES:
            angle = math.radians(ANGLES[second])
            flyer.set("FLW_TGT_FA", ANGLES[second])
        if second in CHECKED:
            here = flyer.local()
            assert abs(-here[2] - 10.0) <= 1.5
            assert abs(np.linalg.norm(here - place) - 8.0) <= FOLLOW_ERROR
            expected = np.add(place, (8.0 * math.cos(angle), 8.0 * math.sin(angle), 0.0))
            assert np.abs(here - expected)[:2].max() < FOLLOW_ERROR
        if second > 5:
            place = np.add(place, (2.0, 0.0, 0.0))
        moving = (2.0 if second > 5 else 0.0, 0.0, 0.0)
        told = tuple(moving + noise.normal(0, 0.1, 3)) if tells_velocity else None
        flyer.send_target(place + noise.normal(0, 1.0, 3), told)
        flyer.run(1.0)
    flyer.mode(AUTO, HOLD)
    flyer.land()
    flyer.until_disarmed(300)


def test_follow_target_needs_a_position(flyer: Flyer) -> None:
    flyer.take_off(10.0)
    flyer.set("FLW_TGT_FA", 180.0)
    flyer.mode(AUTO, FOLLOW)
    flyer.run(1.0)
    begun = flyer.local()
    for _ in range(15):
        flyer.send_target(None, (2.0, 1.0, 0.5))
        flyer.run(1.0)
    assert np.linalg.norm(flyer.local() - begun) < 4.0
    flyer.land()
    flyer.until_disarmed(300)
    assert flyer.from_home() < 1.0


def test_follow_target_adjusted_by_sticks(flyer: Flyer) -> None:
    """Full deflections for 3 s change height, distance and angle by half of their speeds."""
    flyer.take_off(10.0)
    for name, value in (("DST", 10.0), ("HT", 10.0), ("FA", 0.0)):
        flyer.set(f"FLW_TGT_{name}", value)
    speed = 8.0  # along the circle, MAVSDK's own
    flyer.set("FLW_TGT_MAX_VEL", speed)
    target = flyer.local() * (1.0, 1.0, 0.0)
    flyer.each_tick.append(lambda: flyer.send_target(target, None))
    flyer.mode(AUTO, FOLLOW)
    flyer.steer(5.0)
    begun = flyer.local()
    flyer.steer(3.0, z=1.0)
    flyer.steer(2.0)
    assert begun[2] - flyer.local()[2] > 0.5 * 1.5 * 3
    flyer.steer(3.0, x=1.0)
    flyer.steer(2.0)
    north, east, _ = flyer.local() - target
    assert math.hypot(north, east) > 10.0 + 0.5 * 2.0 * 3
    flyer.steer(3.0, y=1.0)
    flyer.steer(2.0)
    north, east, _ = flyer.local() - target
    # PX4's test asks for half of 1.5 rad/s, which at this distance is beyond the speed
    assert math.atan2(east, north) > 0.5 * 3 * min(1.5, speed / math.hypot(north, east))
    flyer.each_tick.clear()
    flyer.land()
    flyer.until_disarmed(300)


# --- failures ----------------------------------------------------------------------------------


def test_failures_are_refused_before_arming_and_in_the_air(flyer: Flyer) -> None:
    """MAVSDK asks SYS_FAILURE_EN first; the command is refused to whom does not."""
    for airborne in (False, True):
        if airborne:
            flyer.take_off()
        flyer.client.mav.param_request_read_send(1, 1, b"SYS_FAILURE_EN", -1)
        assert flyer.client.wait("PARAM_VALUE", param_id="SYS_FAILURE_EN").param_value == 0
        assert flyer.client.command(FAILURE, 101, 1, 1) == common.MAV_RESULT_DENIED
    flyer.return_home()
    flyer.until_disarmed()
