"""Options of ``pyrfly sim`` that depend on others, or on the fleet."""

import re
import socket

import pytest

from pyrfly.cli import main
from pyrfly.log import Log

KEY = "00" * 32


def error_of(capsys, *arguments: str) -> str:
    assert main(["sim", "--seconds", "0", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error.removeprefix("pyrfly sim: error: ").rstrip()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ardupilot-frame", "nonsense"], "--ardupilot-frame: expected none without --ardupilot"),
        (
            ["--flightgear-vehicle", "99"],
            "--flightgear-vehicle: expected none without --flightgear",
        ),
        (["--display-rate", "5"], "--display-rate: expected none without --display"),
        (["--lockstep"], "--lockstep: expected none without --px4"),
        (["--px4-faults"], "--px4-faults: expected none without --px4"),
        (["--lockstep", "--ardupilot"], "--lockstep: expected none without --px4"),
        (
            ["--px4-version", "1.12"],
            "--px4-version: expected none without --px4 or --px4-serial or --px4-net",
        ),
        (["--mavlink-key", KEY], "--mavlink-key: expected none without --mavlink or a MAVLink"),
        (
            ["--mavlink-key", KEY, "--mode", "2", "--px4"],
            "--mavlink-key: expected none without --mavlink or a MAVLink",
        ),
        (["--mavlink", "onboard", "--px4"], "--mavlink: expected none with --px4, whose autopilot"),
        (
            ["--mavlink", "onboard", "--px4-net", "127.0.0.1"],
            "--mavlink: expected none with --px4-net, whose autopilot",
        ),
        (
            ["--mavlink", "onboard", "--ardupilot"],
            "--mavlink: expected none with --ardupilot, whose autopilot speaks MAVLink itself",
        ),
        (
            ["--mode", "mavlink_full", "--ardupilot"],
            "--mode: expected udp_full or udp_simple with --ardupilot, whose autopilot speaks",
        ),
        (["--timeout", "serial=1"], "--timeout: serial: expected none without --serial-hil"),
        (["--timeout", "target=1"], "--timeout: target: expected none without --mavlink or a"),
        (
            ["--timeout", "sticks=1", "--mode", "mavlink_full", "--px4"],
            "--timeout: sticks: expected none without --mavlink or a",
        ),
        (["UDPSIMMODE=2", "--ardupilot"], "--mode: expected udp_full or udp_simple with"),
    ],
)
def test_options_that_go_with_others_or_not(arguments, message, capsys):
    assert error_of(capsys, *arguments).splitlines()[-1].startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--status-of", "2"], "--status-of: expected CopterID 1, got 2"),
        (["--status-of", "1", "START_INDEX=5"], "--status-of: expected CopterID 5, got 1"),
        (
            ["--flightgear", "127.0.0.1", "--flightgear-vehicle", "4", "--vehicles", "x450:3"],
            "--flightgear-vehicle: expected CopterID 1 to 3, got 4",
        ),
        (["--flightgear", "nohost.invalid"], "--flightgear: no address for 'nohost.invalid'"),
        (["--px4-net", "nohost.invalid"], "--px4-net: no address for 'nohost.invalid'"),
        (
            ["--px4-net", "127.0.0.1,127.0.0.2"],
            "--px4-net: expected 1 to 1 for the vehicles, got 2",
        ),
        (["--peer", "nohost.invalid"], "--peer: no address for 'nohost.invalid'"),
        (["--ardupilot", "--ardupilot-frame", "foo"], "--ardupilot-frame: unknown name 'foo'"),
        (["--vehicles", "foo"], "--vehicles: unknown name 'foo'"),
    ],
)
def test_errors_name_the_option(arguments, message, capsys, first_port):
    error = error_of(capsys, "--first-port", str(first_port(5)), *arguments)
    assert message in error


@pytest.mark.parametrize(
    ("option", "text"),
    [
        *(("--px4-net", f"127.0.0.1:{port}") for port in ("70000", "0", "", "x", "9" * 5000)),
        ("--px4-net", "127.0.0.1:1,:2"),
        ("--flightgear", "127.0.0.1:0"),
        ("--flightgear", "127.0.0.1:65536"),
    ],
)
def test_ports_of_addresses_are_ports(option, text, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["sim", option, text])
    assert stop.value.code == 2
    expected = f"argument {option}: expected HOST or HOST:PORT, PORT 1 to 65535, got"
    assert expected in capsys.readouterr().err


def test_mavlink_modes_include_the_ports_of_mavlink(first_port, capsys):
    first = str(first_port(1, mavlink=True))
    options = ["--mode", "mavlink_full", "--mavlink", "onboard,ground_station"]
    assert main(["sim", "--seconds", "0", "--first-port", first, *options]) == 0
    assert capsys.readouterr().out.count("mavlink onboard") == 1


def test_a_port_of_two_links_is_named_as_that(first_port, capsys):
    """In both orders in which they are opened."""
    first = first_port(2)
    options = ["--vehicles", "x450:2", "--first-port", str(first), "--ardupilot"]
    error = error_of(capsys, *options, str(first + 2))
    assert f"port {first + 2} of 127.0.0.1 is in use by this server itself, as port" in error
    assert "(ArduPilot, vehicle 1); first_port (--first-port) changes it" in error
    error = error_of(capsys, *options, str(first + 20000), "--rfly-px4")
    assert "is in use by this server itself, as port" in error
    assert "first_port of ArduPilot (--ardupilot) changes it" in error


def test_a_port_of_another_program_is_named_as_that(first_port, capsys):
    first = first_port(1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", first))
        assert "in use by another program" in error_of(capsys, "--first-port", str(first))


def test_flightgear_shows_a_copterid(first_port, capsys):
    first = first_port(6)
    options = ["--first-port", str(first), "START_INDEX=5", "VehicleNum=2", "--seconds", "0.1"]
    for chosen in ([], ["--flightgear-vehicle", "6"]):
        assert main(["sim", *options, "--flightgear", "127.0.0.1", *chosen]) == 0
        assert "flightgear: " in capsys.readouterr().out


def test_the_server_ends_where_all_vehicles_are_told_to(first_port, capsys, tmp_path):
    file, record = tmp_path / "arms.toml", tmp_path / "flight"
    file.write_text("[[events]]\ntime = 0.05\narmed = 1\n[[events]]\ntime = 0.15\narmed = 0")
    options = ["--vehicles", "x450:2", "--first-port", str(first_port(2)), "--seconds", "5"]
    options += ["--rate", "max", "--events", str(file), "--record", str(record)]
    assert main(["sim", *options, "--until", "landed,disarmed"]) == 0
    assert re.search(r"stopped after 0\.1\d s .*: 2 disarmed", capsys.readouterr().out)
    assert Log.load(record).metadata["end"] == "2 disarmed"
    with pytest.raises(SystemExit):
        main(["sim", "--until", "land"])
    assert "--until: expected ends of runs, such as landed, got" in capsys.readouterr().err


def test_a_boundary_ends_the_server_with_the_reason(first_port, capsys, tmp_path):
    file = tmp_path / "limits.toml"
    lines = ("boundary = 'altitude'", "minimum = 1", "action = 'terminate'", "ids = [2]")
    file.write_text("\n".join(["[[boundaries]]", *lines]))
    options = ["--vehicles", "x450:2", "--first-port", str(first_port(2)), "--seconds", "5"]
    assert main(["sim", *options, "--boundaries", str(file)]) == 3
    assert "below 1, of CopterID 2 at 0 s" in capsys.readouterr().out
    file.write_text("[[boundaries]]\nboundary = 'sped'")
    assert "--boundaries: " in error_of(capsys, "--boundaries", str(file))
