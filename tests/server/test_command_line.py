"""The options of ``pyrfly sim``."""

import contextlib
import math
import socket
import struct

import numpy as np
import pytest
from PIL import Image

from pyrfly.autopilot import FlightMode
from pyrfly.cli import main
from pyrfly.frames import LocalFrame
from pyrfly.log import Log
from pyrfly.log.chunks import ChunkFolder
from pyrfly.mavlink.modes import NavState
from pyrfly.protocol.bits import Sensor
from pyrfly.server import Server
from pyrfly.server.recording import recording
from pyrfly.sim import Sim


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x450:",
        "x450:0",
        "x450:-1",
        "x450:two",
        ":3",
        "x450,,",
        "x450:1000000000",
        f"x450:{'9' * 5000}",
    ],
)
def test_vehicles_that_cannot_be_read_are_named(text, capsys):
    assert main(["sim", "--vehicles", text]) == 2
    error = capsys.readouterr().err
    assert "vehicles: expected NAME or NAME:COUNT, COUNT 1 to 5000, got" in error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vehicles", "x45"], ["unknown name 'x45'", "x450"]),
        (["--vehicles", "sdk,quad_x"], ["'sdk' twice"]),
        (["--rate", "fast"], ["rate: expected 'real', 'max'", "of at least 1e-06, got 'fast'"]),
        (["--rate", "1e-310"], ["rate: expected 'real', 'max' or a number of at least 1e-06"]),
        (["--vehicles", "x450:60000000"], ["vehicles: expected at most 5000 in all, got 60000000"]),
        (["--vehicles", "x450:999999999999"], ["COUNT 1 to 5000, got 'x450:999999999999'"]),
        (["--vehicles", "x450:99999"], ["vehicles: expected at most 5000 in all, got 99999"]),
        (["--vehicles", "x450:3000,sdk:2001"], ["vehicles: expected at most 5000 in all"]),
        (["--host", ""], ["host: expected an address or a host name, got ''"]),
        (["--host", "256.1.1.1"], ["host: no address for '256.1.1.1'"]),
        (["--host", "a" * 300], ["host: no address for 'aaa"]),
        (["--host", "\udcff.example"], ["host: no address for"]),
        (["--peer", ""], ["error: --peer: expected an address or a host name, got ''"]),
        (["--peer", "a" * 300], ["error: --peer: no address for 'aaa"]),
        (["--peer", "\udcff.example"], ["error: --peer: no address for"]),
        (["--first-port", "60000"], ["error: --first-port: expected 1 to"]),
        (["--peer", "192.0.2.1"], ["192.0.2.1 cannot be reached from host 127.0.0.1"]),
    ],
)
def test_what_cannot_be_is_one_line_and_status_2(arguments, words, capsys):
    assert main(["sim", "--seconds", "0", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("pyrfly sim: error: ")
    assert error.count("\n") == 1
    for word in words:
        assert word in error


@pytest.mark.parametrize(
    "arguments",
    [["--mode", "mavlink"], ["--seconds", "-1"], ["--seconds", "nan"], ["--seconds", "1e308"]],
)
def test_bad_options_are_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["sim", *arguments])
    assert stop.value.code == 2
    assert "usage: pyrfly sim" in capsys.readouterr().err


def test_vehicles_stand_where_the_options_say(first_port, capsys):
    """Received: the second vehicle's true state, and the heartbeats."""
    first = first_port(2)
    with contextlib.ExitStack() as stack:
        truth, beat = (
            stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(2)
        )
        for box, port in ((truth, first + 10003), (beat, first - 95)):
            box.bind(("127.0.0.1", port))
            box.settimeout(20)
        options = ["--vehicles", "sdk:2", "--rate", "max", "--seconds", "0.1"]
        options += ["--first-port", str(first), "--origin=-35.5,149.25,600"]
        options += ["--start=-7,8", "--yaw", "90", "--interval", "5"]
        assert main(["sim", *options]) == 0
        packet = truth.recv(2048)
        while len(packet) != 168:
            packet = truth.recv(2048)
        heartbeats = [struct.unpack("<2i3q", beat.recv(100))[:2] for _ in range(2)]
    assert heartbeats == [(123456789, 1), (123456789, 2)]
    copter_id = struct.unpack_from("<i", packet, 4)[0]
    yaw = struct.unpack_from("<f", packet, 36)[0]
    x, y, z, lat, lon, alt = struct.unpack_from("<6d", packet, 120)
    assert copter_id == 2
    assert yaw == pytest.approx(math.pi / 2, abs=1e-3)
    assert (x, y, z) == pytest.approx((-7, 13, 0), abs=0.01)
    frame = LocalFrame(-35.5, 149.25, 600)
    assert (lat, lon, alt) == pytest.approx(frame.to_lla((-7.0, 13.0, 0.0)).tolist(), abs=0.02)
    assert "serving 2 vehicles" in capsys.readouterr().out


def test_ports_that_are_the_same_are_told_at_the_start(first_port, capsys):
    first = first_port(451)
    options = ["--vehicles", "sdk:451", "--rate", "max", "--seconds", "0", "--sensors", "none"]
    assert main(["sim", *options, "--first-port", str(first)]) == 0
    notices = capsys.readouterr().err.splitlines()
    assert f"pyrfly sim: port {first + 10900} (sil, vehicle 451) is listened on here" in notices[0]
    assert f"packets are sent to port {first + 10900} (IMU, vehicle 1)" in notices[0]
    assert len(notices) == 2


@pytest.mark.parametrize("profile", ["rflysim", "ideal", "none"])
def test_sensors_are_those_of_rflysim_or_as_asked_for(profile, first_port, monkeypatch):
    """At rest: gravity of the place with the profile's noise, the field of the place."""
    made = []

    def kept(*arguments, **options):
        made.append(Sim(*arguments, **options))
        return made[-1]

    monkeypatch.setattr("pyrfly.server.command_line.Sim", kept)
    options = ["--rate", "max", "--seconds", "0.5", "--first-port", str(first_port(1))]
    options += [] if profile == "rflysim" else ["--sensors", profile]
    assert main(["sim", *options]) == 0
    sim = made[0]
    assert sim.sensors.enabled == (profile != "none")
    if profile == "none":
        assert not sim.environment.enabled
        return
    assert sim.normal_gravity[0] == pytest.approx(9.80168, abs=1e-4)  # 40.15 deg north, 50 m
    error = abs(sim.imu_accel[0, 2] + sim.normal_gravity[0])
    assert 1e-6 < error < 0.5 if profile == "rflysim" else error < 1e-3
    assert np.linalg.norm(sim.magnetometer[0]) == pytest.approx(5.5e-5, rel=0.02)
    assert sim.sensors_on[0] == 2 * Sensor.RANGE - 1  # but those in water


def test_vehicles_stand_on_a_terrain_map(first_port, tmp_path, capsys):
    """Also its origin is that of the map, before the option."""
    levels = np.tile(np.arange(3, dtype=np.uint16) * 1000 + 32768, (3, 1))
    Image.fromarray(levels).save(tmp_path / "slope.png")
    numbers = "10000,10000,2000,-10000,-10000,0,0,0,1000,30.5,120.5,7"  # 0.1 to the north
    (tmp_path / "slope.txt").write_text(numbers)
    first = first_port(1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as truth:
        truth.bind(("127.0.0.1", first + 10001))
        truth.settimeout(20)
        options = ["--rate", "max", "--seconds", "0.1", "--start=50,8", "--first-port", str(first)]
        terrain = str(tmp_path / "slope.png")
        assert main(["sim", *options, "--origin=1,2,3", "--terrain", terrain]) == 0
        packet = truth.recv(2048)
        while len(packet) != 168:
            packet = truth.recv(2048)
    x, y, z, lat, lon, alt = struct.unpack_from("<6d", packet, 120)
    assert (x, y, z) == pytest.approx((50, 8, -15), abs=0.01)
    expected = LocalFrame(30.5, 120.5, 7).to_lla((50.0, 8.0, -15.0)).tolist()
    assert (lat, lon, alt) == pytest.approx(expected, abs=0.02)
    assert "serving 1 vehicle" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--origin=91,0,0", "latitude, longitude"),
        ("--origin=1,2", "latitude, longitude"),
        ("--origin=nan,0,0", "latitude, longitude"),
        ("--start=1", "north and east"),
        ("--start=1,x", "north and east"),
        ("--start=1e9,0", "north and east"),
        ("--yaw=inf", "a heading"),
        ("--interval=-1", "expected 0 to 100000 m, got '-1'"),
        ("--interval=nan", "expected 0 to 100000 m"),
        ("--interval=two", "expected 0 to 100000 m, got 'two'"),
        ("--seconds=-1", "expected 0 to 1e+09 seconds, got '-1'"),
        ("--mode=udp_old", "expected udp_full, udp_simple"),
    ],
)
def test_places_that_are_none_are_status_2(option, message, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["sim", option])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_rflysim3d_and_further_ports_are_options(first_port, capsys):
    first = first_port(1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as window:
        window.bind(("127.0.0.1", first - 90))
        window.settimeout(20)
        options = ["--display", "1", "--display-rate", "50", "--custom-data", "--rfly-px4"]
        options += ["--first-port", str(first), "--rate", "max", "--seconds", "0.1"]
        assert main(["sim", *options]) == 0
        assert len(window.recv(2048)) == 168  # SOut2Simulator
    out = capsys.readouterr().out
    for line in (
        f"configuration settings: listens on port {first - 98}",
        f"configuration heartbeats: sends to port {first - 95}",
        f"configuration custom data: listens on port {first + 29900}",
        f"display window 0: sends to port {first - 90}",
        f"display reports: listens on port {first - 94}",
        f"topics topic: listens on port {first + 20000}",
    ):
        assert line in out


def test_a_scene_in_place_of_rflysim3d_is_an_option(first_port, capsys, tmp_path):
    first, scene = first_port(1), tmp_path / "house.toml"
    scene.write_text('[[box]]\nname = "house"\nsize = [2, 9, 9]\nposition = [5, 0, 0]\n')
    options = ["--first-port", str(first), "--rate", "max", "--seconds", "0.1"]
    assert main(["sim", "--ray-scene", str(scene), *options]) == 0
    out = capsys.readouterr().out
    assert f"view poses: listens on port {first - 90}" in out
    assert f"view reports: sends to port {first - 94}" in out
    scene.write_text("[[box]]\nsize = [0, 9, 9]\n")
    assert main(["sim", "--ray-scene", str(scene), *options]) != 0
    assert "size" in capsys.readouterr().err


def test_by_default_rflysim3d_is_not_told(first_port, capsys):
    assert main(["sim", "--first-port", str(first_port(1)), "--seconds", "0.05"]) == 0
    out = capsys.readouterr().out
    assert "configuration settings" in out
    assert "display" not in out
    assert "topics" not in out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "rate max; Ctrl-C stops"),
        (["--host", "0.0.0.0"], "; this machine alone may command;"),
        (["--host", "0.0.0.0", "--peer", "192.0.2.1"], "; this machine and 192.0.2.1 may command;"),
        (
            ["--host", "0.0.0.0", "--peer", "192.0.2.1", "--allow", "10.0.0.0/8"],
            "; this machine and 10.0.0.0/8 may command;",
        ),
        (
            ["--mode", "mavlink_full", "--mavlink-key", "ab" * 32],
            "without the key this machine alone may command, by rflysim, configuration\n",
        ),
    ],
)
def test_the_start_says_who_may_command(options, says, capsys, first_port):
    first = first_port(1, mavlink=True)
    arguments = ["sim", "--first-port", str(first), "--rate", "max", "--seconds", "0", *options]
    assert main(arguments) == 0
    assert says in capsys.readouterr().out


def test_a_recording_has_what_was_flown(tmp_path, first_port):
    options = ["--first-port", str(first_port(1)), "--rate", "max", "--seconds", "1"]
    assert main(["sim", *options, "--record", str(tmp_path / "flight")]) == 0
    log = Log.load(tmp_path / "flight")
    np.testing.assert_allclose(log.time, 0.02 * np.arange(50), atol=1e-9)
    assert {"pos", "att", "armed"} < log.columns.keys()


def test_a_recording_has_modes_texts_and_parameters_of_vehicles_that_answer_as_px4(
    tmp_path, first_port
):
    sim = Sim("x450", 2)
    server = Server(sim, first_port=first_port(2, mavlink=True), mode="mavlink_full", rate="max")
    with contextlib.closing(server), recording(server, tmp_path / "flight"):
        commander = server.mavlink.autopilots.commander
        server.run(0.1)
        commander.set_mode(1, FlightMode.TAKEOFF)
        commander.arm(1, True)
        server.run(0.1)
    about = Log.load(tmp_path / "flight").metadata
    hold, take_off = NavState.AUTO_LOITER, NavState.AUTO_TAKEOFF
    assert [row[1:] for row in about["modes"]] == [[1, hold], [2, hold], [2, take_off]]
    assert about["modes"][2][0] == pytest.approx(0.1, abs=0.021)
    assert about["texts"][0][1:] == [2, 6, "Armed by external command"]
    parameters = about["parameters"]["1"]
    assert (parameters["MAV_TYPE"], parameters["COM_DISARM_LAND"]) == (2, 2.0)


def test_a_recording_ends_where_the_disk_is_full_and_the_server_does_not(
    tmp_path, first_port, monkeypatch, capsys
):
    append = ChunkFolder.append

    def full(folder, chunk):
        if folder.count == 2:
            raise OSError(28, "No space left on device", "chunk")
        append(folder, chunk)

    monkeypatch.setattr(ChunkFolder, "append", full)
    monkeypatch.setattr("pyrfly.log.recorder._FOLDER_SAMPLES", 10)
    options = ["--first-port", str(first_port(1)), "--rate", "max", "--seconds", "1"]
    assert main(["sim", *options, "--record", str(tmp_path / "flight")]) == 0
    printed, error = capsys.readouterr()
    assert "stopped after 1.00 s" in printed
    ended = "pyrfly sim: the recording has ended: [Errno 28] No space left on device: 'chunk'\n"
    assert error.endswith(ended)
    assert len(Log.load(tmp_path / "flight")) == 20
