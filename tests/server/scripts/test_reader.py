"""Start scripts as RflySim's are written, and any other bytes."""

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyrfly.protocol.link_modes import LinkMode, SimMode
from pyrfly.server.scripts.places import starts
from pyrfly.server.scripts.reader import read_start_script
from pyrfly.server.scripts.settings import StartSettings
from pyrfly.server.scripts.values import Place
from pyrfly.transport import OptionError

DATA = Path(__file__).parents[1] / "data"
BASH = shutil.which("bash")


def read(name, **given):
    return read_start_script(DATA / name, given)


def noted(settings):
    return [note.variable for note in settings.notes]


def test_a_sitl_script():
    """The late change of IS_BROADCAST, for PX4, does not count."""
    settings = read("sitl.bat", VehicleNum="7")
    expected = StartSettings(
        count=7, total=7, origin=(10.0, -4.0), yaw=90.0, interval=3.0, display_map="Grasslands",
        sim_mode=SimMode.PX4_SITL_RFLY, px4_frame="iris", notes=settings.notes,
    )  # fmt: skip
    assert settings == expected
    assert noted(settings) == ["SimMode"]


def test_what_a_script_asks_for_is_one_vehicle_and_a_note():
    settings = read("sitl.bat")
    assert (settings.count, settings.total) == (1, None)
    assert [str(note) for note in settings.notes][:1] == [
        "VehicleNum: is asked for in line 40: 1 vehicle here; VehicleNum=VALUE changes it"
    ]


def test_total_number_stands_in_for_the_number():
    assert read("sitl.bat", TOTOAL_COPTER="8").count == 8
    settings = read("sitl.bat", TOTAL_COPTER="8", START_INDEX="5")
    assert (settings.first_id, settings.count, settings.total) == (5, 4, 8)
    settings = read("sitl.bat", TOTOAL_COPTER="8", VehicleNum="2")
    assert (settings.count, settings.total) == (2, 8)


def test_a_hitl_script():
    settings = read("hitl.bat", ComNum="3,COM6,/dev/ttyACM0")
    assert (settings.count, settings.total, settings.vehicle) == (3, 3, "x450")
    assert settings.serial_ports == ("COM3", "COM6", "/dev/ttyACM0")
    assert (settings.baud_rate, settings.sim_mode) == (57600, SimMode.PX4_HITL)
    assert settings.peers == ("127.0.0.1", "192.168.1.4")
    assert settings.mode is LinkMode.UDP_SIMPLE
    assert noted(settings) == ["ComNum", "SimMode"]
    assert noted(read("hitl.bat")) == ["ComNum", "SimMode"]
    assert read("hitl.bat").count == 1  # what a loop counts does not count


def test_a_script_with_a_list_of_places():
    settings = read("places.bat")
    assert settings.places == (Place(1.5, 0, 0), Place(0, 4, 90), Place(-2, 4.25, -90))
    assert (settings.count, settings.notes) == (3, ())


def test_a_linux_script():
    settings = read("sitl.sh", MY_NUMBER="6")
    assert (settings.first_id, settings.count, settings.total) == (3, 6, 8)
    assert (settings.origin, settings.yaw, settings.interval) == ((5.0, -1.5), 45.0, 4.0)
    assert (settings.vehicle, settings.mode) == ("sdk", LinkMode.UDP_SIMPLE)
    assert (settings.display_map, settings.peers) == ("Grasslands", ())
    assert noted(settings) == ["SimMode"]
    assert noted(read("sitl.sh")) == ["VehicleNum", "SimMode"]


@pytest.mark.skipif(BASH is None, reason="compares with Bash")
def test_places_are_those_that_the_script_computes(tmp_path):
    """A program in place of CopterSim prints the arguments that Bash gives to it."""
    program = tmp_path / "CopterSim" / "CopterSim"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    tools = tmp_path / "tools"  # the script ends all programs of a name
    tools.mkdir()
    (tools / "pkill").write_text("#!/bin/sh\n")
    (tools / "pkill").chmod(0o755)
    text = (DATA / "sitl.sh").read_text().replace('="-1.5"', '="-1"')
    script = tmp_path / "sitl.sh"
    script.write_text(text + "wait\n")
    variables = {"PSP_PATH": str(tmp_path), "MY_NUMBER": "11", "MY_START": "4"}
    environment = {"PATH": f"{tools}:{os.environ['PATH']}", **variables}
    run = subprocess.run(
        [BASH, str(script)], capture_output=True, text=True, check=True, env=environment
    )
    rows = sorted(
        (int(words[1]), float(words[7]), float(words[8]), float(words[9]), words[11])
        for words in map(str.split, run.stdout.splitlines())
        if len(words) == 12
    )
    settings = read_start_script(script, variables)
    pos, _ = starts(settings, settings.count)
    expected = [
        (settings.first_id + row, *place, settings.yaw, "UDP_Simple")
        for row, place in enumerate(pos.tolist())
    ]
    assert rows == expected


def test_languages_encodings_and_ends_of_lines(tmp_path):
    expected = read("sitl.bat", VehicleNum="3")
    text = (DATA / "sitl.bat").read_text(encoding="utf-8")
    for number, encoding in enumerate(("utf-8", "gbk", "utf-8-sig", "utf-16")):
        path = tmp_path / f"{number}.BAT"
        path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
        assert read_start_script(path, {"vehiclenum": "3"}) == expected
    plain = tmp_path / "start"
    shutil.copy(DATA / "sitl.sh", plain)
    assert read_start_script(plain) == read("sitl.sh")


def test_places_of_its_own_are_a_note(tmp_path):
    path = tmp_path / "line.bat"
    path.write_text(
        "set START_INDEX=1\nREM PosXX=1\nset /a PosXX=%cntr%*3\nstart CopterSim.exe 1 1"
    )
    (note,) = read_start_script(path).notes
    assert str(note).startswith("PosXX: the script has places of its own (line 3); ")
    assert read_start_script(path, {"PosXStr": "1,2", "PosYStr": "0,0"}).notes == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SET START_INDEX=0", r":1: START_INDEX: expected a whole number from 1 to 5000, got '0'"),
        ("\n\nSET UDPSIMMODE=9x", r":3: UDPSIMMODE: expected udp_full, .* got '9x'"),
        ("SET /a ORIGIN_YAW=1 2", r":1: ORIGIN_YAW: expected -360 to 360 deg, got '1 2'"),
        ("SET IS_BROADCAST=host", r":1: IS_BROADCAST: expected 0, 1 or IP addresses, got 'host'"),
        ("SET PosXStr=1,2\nSET PosYStr=1", r":2: PosYStr: expected as many numbers as PosXStr, 2"),
        ("SET PosXStr=1,2", r":1: PosXStr: expected as many numbers as PosXStr, 2, got 0"),
        ("REM nothing", r"expected a start script of RflySim, found none of START_INDEX"),
        ("", r"expected a start script of RflySim"),
    ],
)
def test_errors_name_file_line_and_variable(tmp_path, text, message):
    path = tmp_path / "bad.bat"
    path.write_text(text)
    with pytest.raises(OptionError, match=r"bad\.bat.*" + message[1:]):
        read_start_script(path)


def test_files_that_are_no_scripts(tmp_path):
    with pytest.raises(OptionError, match=r"none\.bat: cannot be read"):
        read_start_script(tmp_path / "none.bat")
    with pytest.raises(OptionError, match="expected a regular file"):
        read_start_script(tmp_path)
    path = tmp_path / "script.txt"
    path.write_text("SET START_INDEX=1")
    with pytest.raises(OptionError, match=r"expected a start script, \.bat, \.cmd or \.sh"):
        read_start_script(path)
    path = tmp_path / "large.bat"
    path.write_bytes(b"\n" * 100_000)
    with pytest.raises(OptionError, match=r"expected at most 0\.06 MB"):
        read_start_script(path)


def test_given_variables_are_known_to_rflysim_or_to_the_script():
    with pytest.raises(OptionError, match="MY_NUMBR: expected"):
        read("sitl.sh", MY_NUMBR="3")
    with pytest.raises(OptionError, match=r"VEHICLE_INTERVL: .* VEHICLE_INTERVAL"):
        read("sitl.bat", VEHICLE_INTERVL="3")
    with pytest.raises(OptionError, match=r"^UDPSIMMODE: expected udp_full"):
        read("sitl.bat", UDPSIMMODE="full")


def test_notes_are_printable(tmp_path):
    path = tmp_path / "escape.bat"
    path.write_bytes(b"SET UE4_MAP=%N\x1b[2J%\nSET DLLModel=\x1b[2J\nSET PX4SitlFrame=\x07")
    notes = read_start_script(path).notes
    assert len(notes) == 3
    assert all(str(note).isprintable() for note in notes)


def test_an_empty_list_of_ports_is_none():
    assert read("hitl.bat", ComNum="").serial_ports == ()


SHAPES = st.sampled_from([".bat", ".sh"])


def settings_or_error(folder, data, ending):
    """Return how long it takes to read a script, which may be none."""
    path = folder / f"any{ending}"
    path.write_bytes(data)
    begin = time.perf_counter()
    with contextlib.suppress(OptionError):
        assert 1 <= read_start_script(path).count <= 5000
    return time.perf_counter() - begin


@pytest.mark.slow
@given(st.binary(max_size=2000), SHAPES)
@example(b"\xff\xfe\x00", ".bat")
@example(b"SET /a START_INDEX=" + b"(" * 5000, ".bat")
@example(b"if 1==1 " * 900, ".bat")
@example(b"(" * 8000 + b"\n" + b")" * 8000, ".bat")
@example(b"if [ " + b"! " * 20000 + b"]; then A=1; fi", ".sh")
@example(b"A=" + b'"$(' * 5000, ".sh")
@example(b"A=" + b"${B:-" * 5000, ".sh")
@example(b"A=$((" + b"(" * 5000, ".sh")
@example(b"START_INDEX=" + b"9" * 6000, ".sh")
def test_any_bytes_are_settings_or_a_named_error(tmp_path_factory, data, ending):
    settings_or_error(tmp_path_factory.getbasetemp(), data, ending)


@pytest.mark.parametrize(
    ("piece", "ending"),
    [
        (b"SET A=%A%%A%x\n", ".bat"),
        (b"set /a A=" + b"1+" * 200 + b"1\n", ".bat"),
        (b"goto L\n:M\n", ".bat"),
        (b"if a==b (\n", ".bat"),
        (b"set X=%", ".bat"),
        (b"if if if ", ".bat"),
        (b"^\n", ".bat"),
        (b"A=$A${A}x\n", ".sh"),
        (b"A=$((" + b"1+" * 200 + b"1))\n", ".sh"),
        (b"cat <<E\n", ".sh"),
        (b'"$(', ".sh"),
        (b"a\\", ".sh"),
        (b"if x; then ", ".sh"),
    ],
)
def test_time_is_bounded(tmp_path, piece, ending):
    data = b"START_INDEX=1\n" + piece * (59_000 // len(piece))
    assert settings_or_error(tmp_path, data, ending) < 5
