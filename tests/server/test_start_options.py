"""``pyrfly sim`` with start scripts and their variables: the effect of each."""

import argparse
import contextlib
import math
import socket
import struct
from pathlib import Path

import numpy as np
import pytest

from pyrfly import wire
from pyrfly.cli import main
from pyrfly.server import command_line
from pyrfly.server.arguments import add_arguments
from pyrfly.server.link_options import open_links_of_script
from pyrfly.server.scripts.settings import NAMES, start_settings
from pyrfly.server.scripts.variables import Variable
from pyrfly.transport import OptionError

DATA = Path(__file__).with_name("data")
SITL = str(DATA / "sitl.bat")


class _Made(Exception):
    """Ends the program where the server begins."""


@pytest.fixture
def made(monkeypatch):
    """Return a function from arguments to the arguments of the server that they make."""
    found = {}

    def keep(sim, **options):
        found.update(options, sim=sim)
        raise _Made

    monkeypatch.setattr(command_line, "Server", keep)

    def make(*arguments):
        with pytest.raises(_Made):
            main(["sim", "--sensors", "none", *arguments])
        return found

    return make


def places(found):
    sim = found["sim"]
    return np.c_[sim.pos[:, :2], np.degrees(sim.euler[:, 2])].round(6).tolist()


def test_a_script(made, capsys):
    found = made(SITL, "VehicleNum=3")
    sim = found["sim"]
    assert [(group.name, group.n) for group in sim.groups] == [("sdk", 3)]
    assert places(found) == [[10, -4, 90], [10, -1, 90], [13, -4, 90]]
    assert (found["mode"], found["peers"]) == ("udp_full", ("127.0.0.1",))
    assert (found["first_port"], found["first_id"]) == (20100, 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"from {SITL}: CopterID 1-3, sdk, 3 m apart from (10, -4) at 90 deg, udp_full",
        "  SimMode: PX4_SITL_RFLY: the vehicles' own controllers fly them; with --script-links an "
        "autopilot does",
    ]


def opened(*arguments):
    """Return the options of links that a start script stands for."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = parser.parse_args(list(arguments))
    texts = dict(argument.split("=") for argument in options.start_script)
    settings = start_settings({name: Variable(text, 0) for name, text in texts.items()})
    open_links_of_script(options, settings)
    return options.px4, options.px4_serial, options.ardupilot


@pytest.mark.parametrize(
    ("arguments", "links"),
    [
        (["SimMode=PX4_SITL"], (4561, None, None)),
        (["SimMode=2"], (4561, None, None)),
        (["SimMode=2", "--px4", "4560"], (4560, None, None)),
        (
            ["SimMode=0", "ComNum=3,/dev/ttyACM1"],
            (None, [("COM3", 921600), ("/dev/ttyACM1", 921600)], None),
        ),
        (["SimMode=PX4_HITL", "ComNum=3", "BaudRate=57600"], (None, [("COM3", 57600)], None)),
        (["SimMode=APM_SITL_NET"], (None, None, 9002)),
        (["SimMode=3"], (None, None, None)),
        (["ORIGIN_YAW=3"], (None, None, None)),
    ],
)
def test_links_that_a_script_stands_for_are_opened(arguments, links):
    assert opened(*arguments) == links


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ("SimMode=PX4_HITL", "ComNum: expected serial ports"),
        ("SimMode=4", "no link is known for SimMode PX4_HITL_NET"),
        ("SimMode=8", "no link is known for SimMode PX4_SIH_COM"),
    ],
)
def test_links_that_are_not_here_are_told(variable, message):
    with pytest.raises(OptionError, match=message):
        opened(variable)


def test_with_its_links_a_script_has_no_notes_of_them(made, capsys):
    made("SimMode=3", "ComNum=3", "--script-links")
    assert "ComNum" not in capsys.readouterr().out


def test_events_name_vehicles_by_their_copter_ids(made, tmp_path):
    file = tmp_path / "events.toml"
    file.write_text("[[events]]\ntime = 0.2\nids = [6]\nmass = 2.5\n")
    found = made("START_INDEX=5", "VehicleNum=3", "--events", str(file))
    (event,) = found["sim"].events
    assert (event.ids.tolist(), event.next, event.columns) == ([2], 0.2, {"mass": 2.5})


PLACES = [
    ("START_INDEX=2", [[10, -1, 90], [13, -4, 90]]),
    ("START_INDEX=5", [[13, -1, 90], [13, 2, 90]]),
    ("TOTOAL_COPTER=9", [[10, -4, 90], [10, -1, 90]]),
    ("ORIGIN_POS_X=-1", [[-1, -4, 90], [-1, -1, 90]]),
    ("ORIGIN_POS_Y=0.5", [[10, 0.5, 90], [10, 3.5, 90]]),
    ("ORIGIN_YAW=-45", [[10, -4, -45], [10, -1, -45]]),
    ("VEHICLE_INTERVAL=5", [[10, -4, 90], [10, 1, 90]]),
]


@pytest.mark.parametrize(("variable", "expected"), PLACES)
def test_variables_that_place_vehicles(made, variable, expected):
    found = made(SITL, "VehicleNum=2", variable)
    assert places(found) == expected
    assert found["first_id"] == (int(variable[-1]) if "START" in variable else 1)


OF_THE_LINK = [
    ("UDPSIMMODE=1", "mode", "udp_simple"),
    ("UDPSIMMODE=UDP_Simple", "mode", "udp_simple"),
    ("UDP_START_PORT=21000", "first_port", 21000),
    ("IS_BROADCAST=127.0.0.1,127.0.0.2", "peers", ("127.0.0.1", "127.0.0.2")),
]


@pytest.mark.parametrize(("variable", "option", "value"), OF_THE_LINK)
def test_variables_of_the_link(made, variable, option, value):
    assert made(SITL, variable)[option] == value
    assert made(variable)[option] == value


FLEETS = [
    (("VehicleNum=3",), [("sdk", 3)]),
    (("ComNum=3,6",), [("sdk", 2)]),
    (("DLLModel=FX450_model",), [("x450", 1)]),
    (("PX4SitlFrame=hexa_x",), [("hex_x", 1)]),
    (("PosXStr=1,2", "PosYStr=3,4", "YawStr=5,6"), [("sdk", 2)]),
]


@pytest.mark.parametrize(("variables", "groups"), FLEETS)
def test_variables_of_the_fleet(made, variables, groups):
    assert [(group.name, group.n) for group in made(*variables)["sim"].groups] == groups


WITHOUT_EFFECT = {
    "MAX_VEHICLE": "3",
    "BaudRate": "57600",
    "ToolChainType": "1",
    "PSP_PATH": "C:\\PX4PSP",
    "PSP_PATH_LINUX": "/mnt/c/PX4PSP",
    # a note, see scripts/test_settings.py
    "UE4_MAP": "Changsha",
    "SimMode": "PX4_HITL",
    "IsSysID": "1",
}


@pytest.mark.parametrize("name", WITHOUT_EFFECT)
def test_variables_without_effect(made, name):
    def seen(*arguments):
        found = made(*arguments)
        sim, _, _ = found.pop("sim"), found.pop("starts"), found.pop("links")
        return dict(found), sim.hash()

    assert seen(f"{name}={WITHOUT_EFFECT[name]}") == seen()


def test_every_variable_has_a_case():
    cases = [*(row[0] for row in (*PLACES, *OF_THE_LINK)), *sum((row[0] for row in FLEETS), ())]
    tested = {case.split("=")[0] for case in cases}
    assert tested & WITHOUT_EFFECT.keys() == set()
    # test_variables_of_the_vehicle has the class in RflySim3D
    assert tested | {"CLASS_3D_ID"} | WITHOUT_EFFECT.keys() == set(NAMES)


def test_variables_of_the_vehicle(made):
    sim = made("TOTOAL_COPTER=2", "DLLModel=FX450_model", "CLASS_3D_ID=310")["sim"]
    assert sim.groups[0].name == "x450"
    assert wire.pack(sim, "SOut2Simulator")["vehicleType"].tolist() == [310, 310]
    sim = made("DLLModel=FX450_model", "CLASS_3D_ID=-1")["sim"]
    assert wire.pack(sim, "SOut2Simulator")["vehicleType"].tolist() == [3]


def test_listed_places(made, capsys):
    found = made(str(DATA / "places.bat"))
    assert places(found) == [[1.5, 0, 0], [0, 4, 90], [-2, 4.25, -90]]
    assert "CopterID 1-3, sdk, 3 places, udp_full" in capsys.readouterr().out
    assert places(made(str(DATA / "places.bat"), "--yaw", "10"))[1] == [0, 4, 10]


def test_without_a_script_all_is_as_before(made, capsys):
    found = made()
    assert places(found) == [[0, 0, 0]]
    assert (found["mode"], found["first_port"], found["first_id"]) == ("udp_full", 20100, 1)
    assert capsys.readouterr().out == ""


def test_options_go_before_variables(made, capsys):
    options = ["--vehicles", "x150:2,sdk", "--start=-5,3", "--yaw", "45", "--interval", "1"]
    options += ["--mode", "1", "--first-port", "22000", "--peer", "127.0.0.3"]
    found = made(SITL, "DLLModel=Unknown", "UE4_MAP=Changsha", *options)
    assert [(group.name, group.n) for group in found["sim"].groups] == [("x150", 2), ("sdk", 1)]
    assert places(found) == [[-5, 3, 45], [-5, 4, 45], [-4, 3, 45]]
    assert (found["mode"], found["first_port"]) == ("udp_simple", 22000)
    assert found["peers"] == ("127.0.0.3",)
    printed = capsys.readouterr().out
    assert "UE4_MAP: 'Changsha': maps of RflySim are not here" in printed
    assert "DLLModel" not in printed
    assert "VehicleNum" not in printed


@pytest.mark.parametrize(
    ("host", "peers", "noted"),
    [
        ("127.0.0.1", ("127.0.0.1",), True),
        ("0.0.0.0", ("255.255.255.255",), False),
    ],
)
def test_a_script_does_not_open_the_server_to_others(made, capsys, host, peers, noted):
    assert made("IS_BROADCAST=1", "--host", host)["peers"] == peers
    note = "IS_BROADCAST: 255.255.255.255: nothing is sent to other computers without --host"
    assert (note in capsys.readouterr().out) == noted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mode", "0", "--mode", "1"], "mode: expected one mode for the ports"),
        ([SITL, str(DATA / "hitl.bat")], "expected one start script, got"),
        (["none.bat"], "none.bat: cannot be read"),
        ([SITL, "VEHICLE_INTERVAL=x"], "VEHICLE_INTERVAL: expected 0 to 100000 m, got 'x'"),
        (["HOW_MANY=3"], "HOW_MANY: expected a variable of start scripts"),
    ],
)
def test_what_cannot_be_is_one_line_and_status_2(arguments, message, capsys):
    assert main(["sim", "--seconds", "0", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"pyrfly sim: error: {message}") or message in error
    assert error.count("\n") == 1


def test_a_mode_may_be_a_number_and_a_script_another(made):
    assert made(SITL, "UDPSIMMODE=2", "--mode", "UDP_Full")["mode"] == "udp_full"


def test_scripts_and_variables_may_stand_behind_options(made):
    found = made("--mode", "1", "--yaw", "-90", SITL, "VehicleNum=2")
    assert (found["mode"], places(found)) == ("udp_simple", [[10, -4, -90], [10, -1, -90]])


def test_scripts_and_variables_may_stand_between_options(made):
    found = made("VehicleNum=2", "--mode", "1", "START_INDEX=3", "--yaw", "-90", "ORIGIN_POS_X=7")
    assert (found["mode"], found["first_id"]) == ("udp_simple", 3)
    assert places(found) == [[9, 0, -90], [9, 2, -90]]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["A=1", "--rates", "max"], "unknown option --rates; try --rate"),
        (["--rate", "max", "B=2", "-x"], "unrecognized arguments: -x"),
    ],
)
def test_unknown_options_are_no_variables(arguments, told, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["sim", *arguments])
    assert stop.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["START_INDEX=31", "--vehicles", "x450:3", "--mode", "mavlink_full"],
            "CopterID 31-33, x450, 2 m apart from (0, 0) at 0 deg, mavlink_full",
        ),
        (
            ["START_INDEX=41", "ORIGIN_POS_X=1.5", "--vehicles", "x450", "--yaw", "45"],
            "CopterID 41, x450, 2 m apart from (1.5, 0) at 45 deg, udp_full",
        ),
        (
            ["VehicleNum=2", "--start", "3,4", "--interval", "1", "--vehicles", "x450,sdk"],
            "CopterID 1-2, x450, sdk, 1 m apart from (3, 4) at 0 deg, udp_full",
        ),
        (
            ["PosXStr=1,2", "PosYStr=0,0", "YawStr=0,0", "VehicleNum=2", "--vehicles", "x450:3"],
            "CopterID 1-3, x450, 2 m apart from (0, 0) at 0 deg, udp_full",
        ),
    ],
)
def test_what_is_told_is_what_is_used(made, capsys, arguments, told):
    made(*arguments)
    assert capsys.readouterr().out.splitlines()[0] == f"from variables: {told}"


def test_received_from_a_script(first_port, tmp_path, capsys):
    """The true state of CopterID 3 of 2 and 3, on its port, from where the script puts it."""
    first = first_port(3)
    script = tmp_path / "SITLRun.bat"
    script.write_bytes((DATA / "sitl.bat").read_bytes().replace(b"\n", b"\r\n"))
    with contextlib.ExitStack() as stack:
        truth, beat = (
            stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(2)
        )
        for box, port in ((truth, first + 10005), (beat, first - 95)):
            box.bind(("127.0.0.1", port))
            box.settimeout(20)
        variables = ["START_INDEX=2", "VehicleNum=2", f"UDP_START_PORT={first}"]
        assert main(["sim", str(script), *variables, "--rate", "max", "--seconds", "0.1"]) == 0
        packet = truth.recv(2048)
        while len(packet) != 168:
            packet = truth.recv(2048)
        heartbeats = [struct.unpack_from("<2i", beat.recv(100))[1] for _ in range(2)]
    assert heartbeats == [2, 3]
    assert struct.unpack_from("<i", packet, 4) == (3,)
    assert struct.unpack_from("<f", packet, 36)[0] == pytest.approx(math.pi / 2, abs=1e-3)
    x, y, z = struct.unpack_from("<3d", packet, 120)
    assert (x, y, z) == pytest.approx((13, -4, 0), abs=0.01)
    printed = capsys.readouterr().out
    assert "CopterID 2-3, sdk" in printed
    assert f"2-3           sdk           {first + 2}-{first + 4}" in printed
