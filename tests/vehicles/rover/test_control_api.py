"""RflySim's control API on rovers: in process, over UDP to a server, and the server's packets."""

from __future__ import annotations

import math
import re
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim, wire
from pyrfly.cli import main
from pyrfly.ctrl import PX4MavCtrler, Swarm, UnsupportedError
from pyrfly.log import Recorder
from pyrfly.protocol import synthesis
from pyrfly.rflysim.dll_model import DllModel
from pyrfly.rflysim.stepped import simulated_time
from pyrfly.server import Server

MODES = {"none": 0, "standby": 1, "takeoff": 2, "position": 3, "return": 4}


@pytest.fixture
def offboard() -> Callable[..., tuple[Sim, PX4MavCtrler]]:
    """Make a rover that is armed and in offboard."""

    def make(name: str = "rover") -> tuple[Sim, PX4MavCtrler]:
        sim = Sim(name)
        mav = PX4MavCtrler(1, sim=sim)
        mav.InitMavLoop()
        mav.SendMavArm(1)
        mav.initOffboard()
        return sim, mav

    return make


# --- in process -----------------------------------------------------------------------------------


def test_positions_are_driven_to(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendPosNED(5, 3, -8, 1.0)
    sim.sleep(9)
    np.testing.assert_allclose(mav.uavPosNED, [5, 3, 0], atol=0.03)
    assert mav.uavAngEular[2] == pytest.approx(1.0, abs=0.01)
    mav.SendPosFRD(2, 0, 0, 0)  # 2 m ahead
    sim.sleep(6)
    np.testing.assert_allclose(
        mav.uavPosNED[:2], [5 + 2 * math.cos(1), 3 + 2 * math.sin(1)], atol=0.05
    )
    lat, lon, alt = sim.local_frame.to_lla((0.0, 0.0, 0.0))
    mav.SendPosGlobal(lat, lon, alt)
    sim.sleep(10)
    np.testing.assert_allclose(mav.uavPosNED, [0, 0, 0], atol=0.05)


def test_velocities_over_the_map_are_turned_to(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendVelNED(0, 1, 0, 0)
    sim.sleep(4)
    np.testing.assert_allclose(mav.uavVelNED, [0, 1, 0], atol=0.01)
    assert mav.uavAngEular[2] == pytest.approx(math.pi / 2, abs=0.01)
    mav.SendVelNEDNoYaw(-0.6, -0.8, 0)
    sim.sleep(4)
    np.testing.assert_allclose(mav.uavVelNED, [-0.6, -0.8, 0], atol=0.01)
    assert sim.sil_refused[0] == 0


def test_velocities_of_the_body_are_forward_speed_and_yaw_rate(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendVelFRD(0.8, 0, 0, 0.4)
    sim.sleep(3)
    assert sim.vel_body[0, 0] == pytest.approx(0.8, abs=0.01)
    assert sim.rate[0, 2] == pytest.approx(0.4, abs=0.01)
    mav.SendVelFRD(-0.5, 0, 0, 0)
    sim.sleep(3)
    assert sim.vel_body[0, 0] == pytest.approx(-0.5, abs=0.01)


def test_ground_speed_is_that_of_going_somewhere(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendGroundSpeed(0.7)
    mav.SendPosNED(30, 0, 0)
    sim.sleep(5)
    assert mav.uavVelNED[0] == pytest.approx(0.7, abs=0.005)
    assert mav.MaxSpeed == mav.maxVelXy == 0.7
    mav.SendCruiseSpeed(1.1)
    sim.sleep(3)
    assert mav.uavVelNED[0] == pytest.approx(1.1, abs=0.01)
    with pytest.raises(ValueError, match=r"Speed: .*got 0"):
        mav.SendGroundSpeed()


@pytest.mark.parametrize(
    ("name", "column", "component", "value", "si"),
    [
        ("GND_SPEED_TRIM", "speed_limit", None, 1.2, 1.2),
        ("RO_SPEED_LIM", "speed_limit", None, 1.3, 1.3),
        ("RO_ACCEL_LIM", "accel_limit", None, 2.0, 2.0),
        ("RO_DECEL_LIM", "decel_limit", None, 3.0, 3.0),
        ("RO_YAW_RATE_LIM", "yaw_rate_limit", None, 180.0, math.pi),
        ("RO_YAW_ACCEL_LIM", "yaw_accel_limit", None, 90.0, math.pi / 2),
        ("RO_YAW_P", "heading_p", None, 3.0, 3.0),
        ("PP_LOOKAHD_GAIN", "look_ahead_time", None, 0.8, 0.8),
        ("PP_LOOKAHD_MIN", "look_ahead_limit", 0, 0.5, 0.5),
        ("PP_LOOKAHD_MAX", "look_ahead_limit", 1, 7.0, 7.0),
    ],
)
def test_parameters_of_px4_are_columns(
    offboard: Any, name: str, column: str, component: int | None, value: float, si: float
) -> None:
    sim, mav = offboard()
    mav.sendMavSetParam(name.encode(), value, 9)
    row = getattr(sim, column)[0]
    assert (row if component is None else row[component]) == pytest.approx(si)


def test_what_rovers_do_not_have_is_refused_by_name(offboard: Any) -> None:
    _, mav = offboard()
    with pytest.raises(
        UnsupportedError,
        match=r"param_id: .* 'rover_differential' .*RO_SPEED_LIM.*, got 'MPC_TILTMAX_AIR'",
    ):
        mav.sendMavSetParam(b"MPC_TILTMAX_AIR", 30, 9)


@pytest.mark.parametrize("name", ["maxVelZ", "maxAccZ"])
def test_limits_of_flight_are_refused_by_name(name: str) -> None:
    mav = PX4MavCtrler(2, sim=Sim({"x450": 1, "rover": 1}))
    refused = rf"^{name}: expected .* got 'rover_differential' \(CopterID 2\), a rover"
    with pytest.raises(UnsupportedError, match=refused):
        getattr(mav, name)
    if name == "maxVelZ":
        with pytest.raises(UnsupportedError, match=refused):
            mav.maxVelZ = 1


UNSUPPORTED = {
    "SendAccPX4": (lambda c: c.SendAccPX4(1, 0, 0), "acceleration"),
    "SendAttPX4": (lambda c: c.SendAttPX4([0, 10, 0], 0.5), "attitude, thrust"),
    "SendAttPX4 ": (
        lambda c: c.SendAttPX4([0, 0, 1], 0.5, 3),
        "roll_rate, pitch_rate, thrust",
    ),
    "initOffboardAtt": (lambda c: c.initOffboardAtt(), "attitude, thrust"),
    "SendAttAll": (lambda c: c.SendAttAll(), "attitude, thrust"),
    "SendOffAll": (lambda c: c.SendOffAll(0), "acceleration"),
    "sendMavOffboardCmd": (lambda c: c.sendMavOffboardCmd(0xE3F, 1, *[0] * 11), "acceleration"),
    "sendMavOffboardAPI": (lambda c: c.sendMavOffboardAPI(0, 1), "acceleration"),
    "SendSynAcc": (lambda c: c.SendSynAcc(1, 0, 0), "acceleration"),
    "SendSynAtt": (lambda c: c.SendSynAtt(0, 0, 0), "attitude"),
    "SendSynAttThrust": (lambda c: c.SendSynAttThrust(0, 0, 0, 0.5), "attitude, thrust"),
    "SendSynFull": (lambda c: c.SendSynFull(*[0] * 10), "acceleration"),
}
OTHERS = {"sendUDPSimpData", "SendCopterSpeed", "sendMavSetParam", "maxVelZ", "maxAccZ"}


def test_the_page_lists_what_is_refused() -> None:
    page = (Path(__file__).parents[3] / "docs/rflysim-compat.md").read_text(encoding="utf-8")
    title = "### PX4MavCtrler: what a rover, a car or a boat refuses"
    section = page.partition(title)[2].partition("###")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    listed = re.findall(r"`(\w+)`", " ".join(rows))
    assert sorted(listed) == sorted({name.strip() for name in UNSUPPORTED} | OTHERS)


@pytest.mark.parametrize(("command", "names"), UNSUPPORTED.values(), ids=UNSUPPORTED)
@pytest.mark.parametrize("many", [False, True], ids=["one", "mixed swarm"])
def test_set_points_that_rovers_do_not_have_are_refused_before_anything_is_sent(
    command: Callable[[Any], None], names: str, many: bool
) -> None:
    sim = Sim({"x450": 1, "rover": 1})
    controller: Any = Swarm(sim) if many else PX4MavCtrler(2, sim=sim)
    controller.InitMavLoop()
    controller.initOffboard2()
    controller.SendVelNED(0.5, 0, 0)
    sim.sleep(1)
    before = sim.snapshot()
    expected = "position, velocity, yaw, yaw_rate"
    with pytest.raises(
        UnsupportedError,
        match=f"^{names}: expected set-points that CopterID 2, a rover, supports: {expected}$",
    ):
        command(controller)
    assert sim.snapshot() == before
    sim.sleep(1)
    assert sim.vel[1, 0] == pytest.approx(0.5, abs=0.02)  # the set-point from before
    assert sim.sil_refused[1] == 0


@pytest.mark.parametrize("mode", range(14))
def test_short_messages_that_rovers_do_not_have_are_refused(offboard: Any, mode: int) -> None:
    _, mav = offboard()
    if mode in (4, 6, 7, 8):
        with pytest.raises(UnsupportedError, match="expected set-points that CopterID 1"):
            mav.sendUDPSimpData(mode, [0, 0, 0, 0.5])
    elif mode != 5:  # which is none
        near = [40.15, 116.26, 50] if mode == 12 else [1, 1, 1]  # a place on the earth
        mav.sendUDPSimpData(mode, [*near, 0.5])


def test_inputs_and_values_that_it_does_not_support_are_counted(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendVelFRD(1, 0, 0, 0)
    sim.sleep(2)
    mav.sendSILIntFloat(*(column[0].tolist() for column in synthesis.attitude_target([0, 0.1, 0])))
    sim.sleep(2)
    assert sim.sil_refused[0] == 1
    assert np.linalg.norm(sim.vel[0]) < 0.01
    mav.SendVelNED(1, 0, 0, 0)
    sim.sleep(0.1)
    mav.SendVelNED(1, 0, -1, 0)  # the horizontal part is tracked
    sim.sleep(3)
    assert sim.sil_refused[0] == 2
    assert mav.uavVelNED[0] == pytest.approx(1.0, abs=0.01)


def test_a_take_off_is_readiness_and_a_landing_a_stop(offboard: Any) -> None:
    sim = Sim("rover")
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.sendMavTakeOff(0, 0, -5)
    sim.sleep(1)
    assert not mav.isArmed
    assert sim.navigator_mode[0] == MODES["takeoff"]
    mav.SendMavArm(1)
    sim.sleep(1)
    assert sim.navigator_mode[0] == MODES["position"]
    assert sim.sil_refused[0] == 1  # the height
    np.testing.assert_allclose(sim.pos[0], 0, atol=1e-9)
    mav.initOffboard()
    mav.SendPosNED(4, 0, 0)
    sim.sleep(6)
    mav.sendMavLand(2, 3, 0)
    sim.sleep(10)
    assert not mav.isArmed
    np.testing.assert_allclose(sim.pos[0], [2, 3, 0], atol=0.06)
    assert sim.navigator_mode[0] == MODES["standby"]


def test_it_returns_home(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendPosNED(5, -4, 0)
    sim.sleep(8)
    sim.command_sil(*synthesis.return_home([0.0]))
    sim.sleep(10)
    np.testing.assert_allclose(sim.pos[0], 0, atol=0.05)
    assert sim.navigator_mode[0] == MODES["return"]
    assert sim.armed[0]


def test_state_is_shown_as_of_any_vehicle(offboard: Any) -> None:
    sim, mav = offboard()
    mav.SendVelFRD(1.0, 0, 0, 0)
    sim.sleep(3)
    rpm = 60 / math.tau * 1.0 / 0.1
    np.testing.assert_allclose(mav.uavMotorRPMS, [rpm, rpm, *[0.0] * 6], rtol=0.01)
    assert mav.uavThrust == pytest.approx(0.5, abs=0.01)  # of the 2 m/s of full drive
    assert mav.system_status == 4


# --- packets --------------------------------------------------------------------------------------


def test_packets_for_the_3d_view_have_type_and_wheels() -> None:
    sim = Sim({"x450": 1, "rover": 2})
    sim.groups[1].wheel_speed[:] = [[10, 12], [-3, 4]]
    packets = wire.pack(sim, "SOut2Simulator")
    assert packets["vehicleType"].tolist() == [3, 50, 50]
    rpm = np.array([[10, 12], [-3, 4]]) * 60 / math.tau
    np.testing.assert_allclose(packets["MotorRPMS"][1:, :2], rpm, rtol=1e-6)
    assert not packets["MotorRPMS"][1:, 2:].any()


def test_free_outputs_have_the_drive_commands() -> None:
    sim = Sim("rover", 2)
    sim.drive[:] = [[0.1, 0.2], [-0.3, 0.4]]
    data = wire.pack(sim, "outCopterStruct")["outCopterData"]
    np.testing.assert_allclose(data[:, :2], sim.drive, rtol=1e-6)
    assert not data[:, 2:16].any()


def terrain15d(z: float, slope: tuple[float, float], friction: float) -> list[float]:
    return [z, 1.0, *slope, 1.0, friction, *[0.0] * 9]


class Sender:
    """A program that knows RflySim's packets and sockets alone."""

    def __init__(self, first_port: int) -> None:
        self._first = first_port
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def terrain(self, numbers: list[float], copter_id: int) -> None:
        packet = struct.pack("<2i20f", 1234567881, copter_id, *numbers, *[0.0] * 5)
        port = self._first + 10000 + 2 * (copter_id - 1)
        self._socket.sendto(packet, ("127.0.0.1", port))

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def served(first_port: Callable[[int], int]) -> Iterator[Callable[[Sim], tuple[Server, Sender]]]:
    """Return a function that serves a Sim; it returns the server and a sender."""
    opened: list[Any] = []

    def make(sim: Sim) -> tuple[Server, Sender]:
        first = first_port(sim.n)
        server, sender = Server(sim, "udp_simple", first_port=first), Sender(first)
        opened.extend([server, sender])
        return server, sender

    yield make
    for thing in opened:
        thing.close()


@pytest.mark.slow
def test_terrain_packets_reach_height_slope_and_friction(served: Any) -> None:
    sim = Sim({"x450": 1, "rover": 1})
    server, sender = served(sim)
    slope = (math.radians(10), math.radians(90))  # rises to the east
    for copter_id in (1, 2):
        sender.terrain(terrain15d(-1.5, slope, 0.4), copter_id)
    server.run(0.01)
    np.testing.assert_allclose(sim.terrain, -1.5)
    rover = sim.groups[1]
    np.testing.assert_allclose(rover.terrain_gradient[0], [0, -math.tan(slope[0])], atol=1e-6)
    assert rover.friction_reduction[0] == pytest.approx(0.6)
    server.run(2)
    assert sim.euler[1, 0] == pytest.approx(-slope[0], abs=1e-4)  # the right side is uphill
    sender.terrain([0.0] * 15, 2)
    server.run(0.01)
    assert not rover.terrain_gradient.any()
    assert rover.friction_reduction[0] == 0


def test_terrain_that_is_not_finite_is_dropped(served: Any) -> None:
    sim = Sim("rover")
    server, sender = served(sim)
    sender.terrain(terrain15d(-1.0, (math.nan, 0.0), 1.0), 1)
    sender.terrain(terrain15d(-1.0, (0.0, 0.0), math.inf), 1)
    server.run(0.01)
    assert dict(server.stats)["not_finite"] == 2
    assert sim.terrain[0] == 0


def test_a_model_dll_is_a_rover_too() -> None:
    model = DllModel("rover_differential")
    model.DllTerrainIn15d(terrain15d(-2.0, (0.1, 0.0), 0.5))
    model.DllInitPosAngState([0, 0, -2.0], [0, 0, 0.0])
    model.DllReInitModel()
    for _ in range(500):
        model.Dllstep()
    assert model.sim.pos[0, 2] == pytest.approx(-2.0, abs=0.01)
    assert model.sim.euler[0, 1] == pytest.approx(0.1, abs=1e-3)
    assert model.sim.friction_reduction[0] == pytest.approx(0.5)
    assert model.DlloutVehileInfo60d()[1] == 50


def until(reached: Callable[[], bool]) -> None:
    """Wait for something that another thread brings about."""
    end = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.realtime
@pytest.mark.parametrize("mode", [0, 1])
def test_the_control_api_drives_it_over_udp(mode: int, first_port: Callable[[int], int]) -> None:
    first = first_port(1)
    sim = Sim("rover")
    with Server(sim, ("udp_full", "udp_simple")[mode], 8.0, first_port=first):
        mav = PX4MavCtrler(1, first_port=first)
        mav.InitMavLoop(mode)
        mav.InitTrueDataLoop()
        until(lambda: bool(mav.isPX4Ekf3DFixed))
        mav.SendMavArm(1)
        mav.initOffboard()
        mav.SendPosNED(3, -2, 0, 0.5)
        until(lambda: math.dist(mav.uavPosNED, (3, -2, 0)) < 0.1)
        mav.SendVelFRD(0.8, 0, 0, 0.3)
        until(lambda: abs(math.hypot(*mav.uavVelNED) - 0.8) < 0.05)
        mav.SendGroundSpeed(0.5)
        mav.SendVelNED(0, -1, 0, 0)
        until(lambda: abs(mav.uavVelNED[1] + 0.5) < 0.03)
        until(lambda: abs(mav.trueMotorRPMS[0] - 60 / math.tau * 5) < 3)
        mav.endOffboard()
        mav.sendMavLand(0, 0, 0)
        until(lambda: not mav.isArmed)
        mav.endMavLoop()
    assert sim.armed[0] == 0


# --- with other vehicles --------------------------------------------------------------------------


FLEET = {"x450": 2, "turtlebot3_burger": 4, "husky_a200": 1}


@pytest.mark.parametrize(
    ("command", "who"),
    [
        ("SendGroundSpeed", "'x450' (CopterID 1, 2)"),
        (
            "SendCopterSpeed",
            "'turtlebot3_burger' (CopterID 3, 4, 5, ...), 'husky_a200' (CopterID 7)",
        ),
    ],
)
def test_a_command_for_other_vehicles_names_those_without_its_parameter(
    command: str, who: str
) -> None:
    sim = Sim(FLEET)
    swarm = Swarm(sim)
    swarm.InitMavLoop()
    before = sim.hash()
    with pytest.raises(UnsupportedError) as caught:
        getattr(swarm, command)(1)
    message = str(caught.value)
    assert message.startswith(f"{command}: expected a PX4 parameter of {who}, such as ")
    near, _, refused = message.rpartition(", got ")
    assert refused.strip("'") not in near
    assert sim.hash() == before


@pytest.mark.parametrize("kind", [0, 1])
def test_change_of_speed(kind: int) -> None:
    mav = PX4MavCtrler(1, sim=Sim("husky_a200"))
    mav.InitMavLoop()
    mav.SendMavCmdLong(178, kind, 0.4, -1)
    assert mav.MaxSpeed == 0.4
    with pytest.raises(UnsupportedError, match=r"178: expected speed type 0 .* got 2"):
        mav.SendMavCmdLong(178, 2, 1)


def test_the_true_state_has_its_type() -> None:
    assert PX4MavCtrler(2, sim=Sim({"x450": 1, "rover": 1})).out3Ddata.vehicleType == 50


def test_a_script_drives_in_simulated_time() -> None:
    with simulated_time({"turtlebot3_burger": 1}):
        mav = PX4MavCtrler(1)
        mav.InitMavLoop()
        mav.initOffboard()
        mav.SendVelFRD(0.1, 0, 0, 0)
        time.sleep(3)
        assert mav.uavVelNED[0] == pytest.approx(0.1, abs=0.01)


def test_the_table_of_ports_has_columns(capsys: Any, first_port: Callable[[int], int]) -> None:
    first = first_port(4)
    fleet = "x450:1,rover_differential:3"
    assert main(["sim", "--vehicles", fleet, "--first-port", str(first), "--seconds", "0"]) == 0
    table = [line.split("  ") for line in capsys.readouterr().out.splitlines()[:3]]
    cells = [[cell.strip() for cell in row if cell] for row in table]
    assert [row[:2] for row in cells] == [
        ["vehicles", "set"],
        ["1", "x450"],
        ["2-4", "rover_differential"],
    ]
    assert cells[2][2] == f"{first + 2}-{first + 6}"
    starts = [line.find(cells[i][2]) for i, line in enumerate(map("  ".join, table))]
    assert len(set(starts)) == 1


def test_a_column_of_other_vehicles_is_recorded_with_their_ids() -> None:
    sim = Sim({"x450": 2, "husky_a200": 3})
    message = r"x450 has no column 'wheel_speed'; try .* husky_a200 alone, with ids=range\(3, 6\)$"
    with pytest.raises(ValueError, match=message):
        Recorder(sim, ("pos", "wheel_speed"))
    Recorder(sim, ("pos", "wheel_speed"), ids=range(3, 6)).sample()
