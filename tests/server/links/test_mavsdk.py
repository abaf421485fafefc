"""A flight by MAVSDK, in real sockets and real time.

MAVSDK is in an environment of its own: ``pip install mavsdk-grpc``, or ``mavsdk<4``, the same under
its older name. Both bring a server of their own, which they start.
"""

from __future__ import annotations

import asyncio
import importlib
import math
import random
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from importlib import metadata
from typing import Any

import pytest

from pyrfly import Sim
from pyrfly.server import Server
from pyrfly.server.links.mavlink import MavlinkLink

RATE = 4.0
FIRST = 20100
TIMEOUT = 120.0  # s, of the whole flight

pytestmark = [pytest.mark.slow, pytest.mark.realtime]


@pytest.fixture
def sdk() -> str:
    """Return the name of the package of MAVSDK's interface over gRPC; skip without one."""
    try:
        if int(metadata.version("mavsdk-grpc").split(".")[0]) >= 1:
            return "mavsdk_grpc"
    except metadata.PackageNotFoundError:
        pass
    try:
        if int(metadata.version("mavsdk").split(".")[0]) < 4:
            return "mavsdk"
    except metadata.PackageNotFoundError:
        pass
    pytest.skip("MAVSDK is not installed: mavsdk-grpc, or mavsdk<4")


def free_port(kind: int) -> int:
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@pytest.fixture
def served() -> Iterator[tuple[Server, Sim, int]]:
    """Yield a server, its vehicle, faster than real time, and the port of its SDK."""
    sim = Sim("x450", dt=0.002)
    sim.environment.enable("atmosphere", "magnetic", "gravity")
    for _ in range(100):
        offset = 2 * random.randrange(-5000, 4500)
        try:
            link = MavlinkLink(sim, ("onboard",), first_port=FIRST + offset, patience=RATE)
        except OSError:
            continue
        break
    with Server(sim, mode=None, rate=RATE, links=[link]) as server:
        yield server, sim, 14540 + offset


async def first(of: AsyncIterator[Any], condition: Callable[[Any], bool] = bool) -> Any:
    """Return the first of a stream that fulfils a condition."""
    async for value in of:
        if condition(value):
            return value
    raise AssertionError("the stream ended")


async def connected(name: str, port: int) -> Any:
    """Return MAVSDK's interface to a vehicle that it knows, and that is ready."""
    package = importlib.import_module(name)
    drone = package.System(port=free_port(socket.SOCK_STREAM))
    await drone.connect(system_address=f"udpin://127.0.0.1:{port}")
    await first(drone.core.connection_state(), lambda s: s.is_connected)
    await first(drone.telemetry.health_all_ok())
    return drone


async def fly_mission(drone: Any, mission: Any, start: Any) -> int:
    """Upload, download and fly a mission; return its number of items."""
    nan = math.nan
    none, stay = mission.MissionItem.CameraAction.NONE, mission.MissionItem.VehicleAction.NONE

    def item(north: float, east: float) -> Any:
        lat = start.latitude_deg + north / 111_000
        lon = start.longitude_deg + east / 85_000
        return mission.MissionItem(
            *(lat, lon, 6.0, 5.0, True, nan, nan, none, nan, nan, 1.0, nan, nan, stay)
        )

    await drone.mission.set_return_to_launch_after_mission(False)
    await drone.mission.upload_mission(mission.MissionPlan([item(8, 0), item(8, 8)]))
    count = len((await drone.mission.download_mission()).mission_items)
    await drone.mission.start_mission()
    await first(drone.mission.mission_progress(), lambda p: p.current == p.total == 2)
    return count


async def fly(name: str, port: int) -> dict[str, Any]:
    """Fly everything; return what was seen."""
    offboard = importlib.import_module(f"{name}.offboard")
    drone = await connected(name, port)
    seen: dict[str, Any] = {}
    health = await first(drone.telemetry.health(), lambda h: h.is_armable)
    seen["home"] = health.is_home_position_ok
    await drone.param.set_param_float("MPC_XY_CRUISE", 4.0)
    seen["parameter"] = await drone.param.get_param_float("MPC_XY_CRUISE")
    seen["integer"] = await drone.param.get_param_int("SYS_AUTOSTART")
    await drone.action.set_takeoff_altitude(4.0)
    start = await first(drone.telemetry.position(), lambda p: True)

    await drone.action.arm()
    await drone.action.takeoff()
    await first(drone.telemetry.flight_mode(), lambda m: str(m) == "HOLD")
    await first(drone.telemetry.position(), lambda p: p.relative_altitude_m > 3.8)

    goal = start.latitude_deg + 5e-5, start.longitude_deg
    await drone.action.goto_location(*goal, start.absolute_altitude_m + 6.0, 0.0)
    seen["goto"] = await first(
        drone.telemetry.position(),
        lambda p: abs(p.latitude_deg - goal[0]) < 2e-6 and p.relative_altitude_m > 5.8,
    )

    await drone.offboard.set_position_ned(offboard.PositionNedYaw(0.0, 0.0, -5.0, 90.0))
    await drone.offboard.start()
    await first(
        drone.telemetry.position_velocity_ned(),
        lambda p: abs(p.position.north_m) < 0.2 and abs(p.position.down_m + 5) < 0.2,
    )
    await drone.offboard.set_velocity_ned(offboard.VelocityNedYaw(0.0, 2.0, 0.0, 90.0))
    await first(drone.telemetry.position_velocity_ned(), lambda p: p.velocity.east_m_s > 1.8)
    await drone.offboard.set_velocity_body(offboard.VelocityBodyYawspeed(-1.0, 0, 0, 0))
    await first(drone.telemetry.position_velocity_ned(), lambda p: p.velocity.east_m_s < -0.8)
    await drone.offboard.stop()
    await first(drone.telemetry.flight_mode(), lambda m: str(m) == "HOLD")

    seen["items"] = await fly_mission(drone, importlib.import_module(f"{name}.mission"), start)

    await drone.action.return_to_launch()
    await first(drone.telemetry.armed(), lambda armed: not armed)
    seen["end"] = await first(drone.telemetry.position_velocity_ned(), lambda p: True)
    await drone.action.arm()
    await drone.action.takeoff()
    await first(drone.telemetry.in_air())
    await drone.action.land()
    await first(drone.telemetry.armed(), lambda armed: not armed)
    return seen


def test_mavsdk_flies(sdk: str, served: tuple[Server, Sim, int]) -> None:
    _, sim, port = served
    seen = asyncio.run(asyncio.wait_for(fly(sdk, port), TIMEOUT))
    assert seen["home"]
    assert seen["parameter"] == 4.0
    assert seen["integer"] == 10016
    assert seen["items"] == 2
    assert seen["goto"].relative_altitude_m == pytest.approx(6, abs=0.3)
    end = seen["end"].position
    assert (end.north_m, end.east_m) == pytest.approx((0, 0), abs=0.5)
    assert sim.armed.tolist() == [0]


async def let_fail(name: str, port: int) -> list[str]:
    """Inject failures, the last one when it is forbidden; return what MAVSDK says of each.

    Its plug-in reads the parameter once, with the first failure.
    """
    module = importlib.import_module(f"{name}.failure")
    unit, kind = module.FailureUnit, module.FailureType
    drone = await connected(name, port)
    said: list[str] = []

    async def inject(*failure: Any) -> None:
        try:
            await drone.failure.inject(*failure)
            said.append("SUCCESS")
        except module.FailureError as error:
            said.append(str(error).partition(":")[0])

    await drone.param.set_param_int("SYS_FAILURE_EN", 1)
    await inject(unit.SYSTEM_MOTOR, kind.OFF, 2)
    await inject(unit.SENSOR_GPS, kind.STUCK, 0)
    await inject(unit.SENSOR_VIO, kind.OFF, 0)
    await inject(unit.SENSOR_GPS, kind.OK, 0)
    await drone.param.set_param_int("SYS_FAILURE_EN", 0)
    await inject(unit.SYSTEM_MOTOR, kind.OK, 0)
    return said


def test_mavsdk_injects_failures(sdk: str, served: tuple[Server, Sim, int]) -> None:
    server, sim, port = served
    with server.lock:
        sim.sensors.enable("gps")
    said = asyncio.run(asyncio.wait_for(let_fail(sdk, port), TIMEOUT))
    assert said == ["SUCCESS", "SUCCESS", "UNSUPPORTED", "SUCCESS", "DENIED"]
    (fault,) = sim.faults.list()
    assert (fault.kind, fault.items) == ("motor", (2,))
