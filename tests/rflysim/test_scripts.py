"""Scripts as users write them for RflySim, run unchanged in all modes."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrfly import Sim
from pyrfly.rflysim.script import options, run_script
from pyrfly.server import Server

FOLDER = Path(__file__).parent / "scripts"
SCRIPTS = sorted(FOLDER.glob("*.py"))
MODULE = [sys.executable, "-m"]
# Other ports than RflySim's, so that scripts which run at the same time do not meet.
ELSEWHERE = """
import sys
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.rflysim.DllSimCtrlAPI import DllSimCtrlAPI
from pyrfly.rflysim.UE4CtrlAPI import UE4CtrlAPI
from pyrfly.rflysim.api import Ctrl
from pyrfly.rflysim.run import main
from pyrfly.transport import Ports
for owner in (DllSimCtrlAPI, UE4CtrlAPI):
    owner.__init__.__kwdefaults__["ports"] = Ports.beginning_at(int(sys.argv[1]))
for owner in (PX4MavCtrler, Ctrl):
    owner.__init__.__kwdefaults__["first_port"] = int(sys.argv[1])
main(sys.argv[2:])
"""
END = "--- end of the first flight"
TWICE = f"""
import sys
from pyrfly.rflysim.stepped import main
main(sys.argv[1:])
print({END!r}, end="")
print({END!r}, end="", file=sys.stderr)
main(sys.argv[1:])
"""


def numbers(line: str) -> list[float]:
    return [float(text) for text in re.findall(r"-?\d+(?:\.\d+)?", line)]


def check_attitude(lines: list[str]) -> None:
    assert lines[0].startswith("roll ")
    roll, height = numbers(lines[0])
    assert roll == pytest.approx(5, abs=2)
    assert "east True" in lines[0]
    assert height == pytest.approx(8, abs=1)
    assert numbers(lines[1]) == pytest.approx([1.0, 90], abs=2)


def check_circle(lines: list[str]) -> None:
    loops, seconds = numbers(lines[0])
    assert (loops, seconds) == (189, pytest.approx(6.3, abs=0.3))
    north, east, down = numbers(lines[1])
    # A closed circle, but for the delay of the velocity loop; the climb lasted four seconds, less
    # what the server loses on a busy machine.
    assert abs(north) < 1.3
    assert abs(east) < 1.3
    assert -4.5 < down < -3


def check_follower(lines: list[str]) -> None:
    north, *gap = numbers(lines[0])
    assert 3 < north < 6.5  # 6 s at 1 m/s, less what the server loses on a busy machine
    assert gap == pytest.approx([0, 0, 0], abs=0.4)


def check_inputs(lines: list[str]) -> None:
    assert numbers(lines[0]) == pytest.approx([3.0], abs=0.2)
    assert lines[1] == "flies True"


def check_model(lines: list[str]) -> None:
    assert numbers(lines[0]) == pytest.approx([3.0], abs=0.2)


def check_square(lines: list[str]) -> None:
    assert len(lines) == 4
    for line in lines[:3]:
        x, y, *positions = numbers(line)
        for i in (0, 3, 6):
            assert positions[i : i + 3] == pytest.approx([x, y, -3], abs=0.5)
    assert numbers(lines[3]) == pytest.approx([0], abs=0.05)


def check_stream(lines: list[str]) -> None:
    assert lines == ["high after a second True", "north after four True"]


def check_end(lines: list[str]) -> None:
    assert lines == ["end of the script"]


def check_fault(lines: list[str]) -> None:
    height, *_ = numbers(lines[0])
    assert height == pytest.approx(12, abs=0.5)
    assert lines[0].endswith("fallen True")
    assert lines[1].startswith("rolling True")


def check_landing(lines: list[str]) -> None:
    assert numbers(lines[0]) == pytest.approx([6.0], abs=0.3)
    pitch, height = numbers(lines[1])
    assert 0.02 < pitch < 0.2  # against the wind
    assert height == pytest.approx(6, abs=0.5)
    assert lines[2] == "landed True"


CHECKS: dict[str, Callable[[list[str]], None]] = {
    "attitude_height": check_attitude,
    "circle_30hz": check_circle,
    "fault_and_mark": check_fault,
    "inject_wait_look_land": check_landing,
    "leader_and_follower": check_follower,
    "model_in_thread": check_model,
    "model_inputs": check_inputs,
    "square_and_back": check_square,
    "streaming_thread": check_stream,
    "take_off_and_end": check_end,
}


def output(folder: Path, *command: str | Path) -> tuple[str, str]:
    """Return what a program printed, and its messages."""
    done = subprocess.run(
        [*command], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def run(folder: Path, *command: str | Path) -> tuple[list[str], str]:
    """Return the lines that a program printed, and its messages."""
    printed, errors = output(folder, *command)
    return printed.splitlines(), errors


def test_every_script_is_checked() -> None:
    assert [script.stem for script in SCRIPTS] == list(CHECKS)
    for script in SCRIPTS:
        assert "pyrfly" not in script.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_in_simulated_time_always_alike(script: Path, tmp_path: Path) -> None:
    """Twice in one process; tests/ctrl/test_stepped.py compares two processes."""
    flights = [text.split(END) for text in output(tmp_path, sys.executable, "-c", TWICE, script)]
    for first, second in flights:
        assert first == second
    CHECKS[script.stem](flights[0][0].splitlines())


@pytest.mark.realtime
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_in_real_time(script: Path, tmp_path: Path, first_port: Callable[[int], int]) -> None:
    port = str(first_port(2))
    lines, errors = run(tmp_path, sys.executable, "-c", ELSEWHERE, port, script)
    assert ("simulated in this process" in errors) == (script.stem != "model_in_thread")
    CHECKS[script.stem](lines)


@pytest.mark.realtime
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_by_udp(script: Path, tmp_path: Path, first_port: Callable[[int], int]) -> None:
    port = first_port(2)
    mode = "udp_simple" if script.stem == "circle_30hz" else "udp_full"
    sim = Sim("sdk", 2)
    sim.reset(pos=[[0, 0, 0], [0, 2, 0]])
    with Server(sim, mode=mode, first_port=port) as server:
        lines, errors = run(tmp_path, sys.executable, "-c", ELSEWHERE, str(port), script)
        with server.lock:
            height = -sim.pos[0, 2]
    if script.stem == "take_off_and_end":
        assert height == pytest.approx(1.5, abs=0.2)
    assert "simulated in this process" not in errors
    CHECKS[script.stem](lines)


@pytest.mark.realtime
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_by_mavlink(script: Path, tmp_path: Path, first_port: Callable[[int], int]) -> None:
    """As most scripts call it: with InitMavLoop's own default, MAVLink_Full."""
    text = re.sub(r"(InitMavLoop|init_loop)\(\w*\)", r"\1()", script.read_text())
    (tmp_path / script.name).write_text(text)
    port = first_port(2, mavlink=True)
    sim = Sim("sdk", 2)
    sim.reset(pos=[[0, 0, 0], [0, 2, 0]])
    with Server(sim, mode="mavlink_full", first_port=port) as server:
        command = [sys.executable, "-c", ELSEWHERE, str(port), tmp_path / script.name]
        lines, errors = run(tmp_path, *command)
        with server.lock:
            height = -sim.pos[0, 2]
    if script.stem == "take_off_and_end":
        assert height == pytest.approx(1.5, abs=0.2)
    assert "simulated in this process" not in errors
    CHECKS[script.stem](lines)


MAV = """
    import PX4MavCtrlV4 as PX4MavCtrl
    mav = PX4MavCtrl.PX4MavCtrler(1, port=1)
    mav.InitMavLoop(0)
    mav.initOffboard()
"""


def write(folder: Path, *parts: str) -> Path:
    script = folder / "script.py"
    script.write_text("".join(textwrap.dedent(part) for part in parts))
    return script


class TestEnd:
    """What happens after the last line of a script in real time."""

    @pytest.mark.realtime
    def test_a_flight_to_a_position_is_finished(self, tmp_path: Path) -> None:
        script = write(
            tmp_path, MAV,
            """
            import atexit
            end = lambda: print(-mav.uavPosNED[2])
            atexit.register(end)
            mav.SendPosNED(0, 0, -1.5, 0)
            # Called before what was registered before it: so after the flight.
            from pyrfly.ctrl import ending
            atexit.unregister(ending.wait_for_flights)
            atexit.register(ending.wait_for_flights)
            """,
        )  # fmt: skip
        lines, errors = run(tmp_path, *MODULE, "pyrfly.rflysim.run", script)
        assert numbers(lines[0]) == pytest.approx([1.5], abs=0.1)
        assert errors.count("the script has ended") == 1

    @pytest.mark.slow
    def test_in_simulated_time_too(self, tmp_path: Path) -> None:
        script = write(
            tmp_path, MAV,
            """
            import threading, time
            def show():
                while mav.uavTimeStmp < 5:
                    time.sleep(0.1)
                print(-mav.uavPosNED[2])
            threading.Thread(target=show, daemon=True).start()
            mav.SendPosNED(0, 0, -5, 0)
            """,
        )  # fmt: skip
        lines, errors = run(tmp_path, *MODULE, "pyrfly.rflysim.stepped", script)
        assert numbers(lines[0]) == pytest.approx([5], abs=0.1)
        assert errors.count("the script has ended") == 1

    @pytest.mark.slow
    def test_a_velocity_in_simulated_time_has_an_end(self, tmp_path: Path) -> None:
        script = write(tmp_path, MAV, "mav.SendVelNED(0, 0, -1, 0)\n")
        assert "still flying" in run(tmp_path, *MODULE, "pyrfly.rflysim.stepped", script)[1]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "end", ["mav.stopRun()", "mav.SendMavArm(0)", "raise SystemExit(mav.stopRun())"]
    )
    def test_without_a_flight_it_ends_at_once(self, tmp_path: Path, end: str) -> None:
        script = write(tmp_path, MAV, "mav.SendVelNED(0, 0, -1, 0)\n", end)
        lines, errors = run(tmp_path, *MODULE, "pyrfly.rflysim.run", script)
        assert "the script has ended" not in errors
        assert lines == []

    @pytest.mark.slow
    def test_after_an_error_it_ends_at_once(self, tmp_path: Path) -> None:
        script = write(tmp_path, MAV, "mav.SendVelNED(0, 0, -1, 0)\n1 / 0\n")
        with pytest.raises(AssertionError, match="ZeroDivisionError"):
            run(tmp_path, *MODULE, "pyrfly.rflysim.run", script)

    @pytest.mark.realtime
    @pytest.mark.parametrize("how", ["run", "plain"])
    def test_a_velocity_is_flown_until_ctrl_c(self, tmp_path: Path, how: str) -> None:
        parts = [MAV, "mav.SendVelNED(0, 0, -1, 0)\nprint('end', flush=True)\n"]
        if how == "plain":
            parts[0] = MAV.replace("import PX4", "import pyrfly.rflysim.PX4")
        script = write(tmp_path, *parts)
        command = [sys.executable, str(script)]
        if how == "run":
            command[1:1] = ["-m", "pyrfly.rflysim.run"]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=tmp_path, stdout=pipe, stderr=pipe, text=True)
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "end\n"
            assert process.stderr is not None
            while "the script has ended" not in process.stderr.readline():
                assert process.poll() is None
            time.sleep(4)  # more than a vehicle stands still at the end
            assert process.poll() is None
            os.kill(process.pid, signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
        assert errors == "pyrfly: ended by Ctrl-C\n"
        assert process.returncode == 0


class TestNames:
    """RflySim's modules by their own names."""

    @pytest.mark.slow
    def test_all_have_their_names_with_and_without_package(self, tmp_path: Path) -> None:
        script = write(
            tmp_path,
            """
            import sys
            import DllSimCtrlAPI, EarthModel, PX4MavCtrlV4, PX4MavCtrlV4ROS, ReqCopterSim, api
            import VehicleApi, UE4CtrlAPI, UEMapServe, VisionCaptureApi
            import ctrl.PX4MavCtrlV4 as with_package
            from ctrl import EarthModel as earth
            from ue import UE4CtrlAPI as ue
            import swarm.VehicleApi, vision.VisionCaptureApi, ctrl.RflyRosStart
            import RflySimSDK.ctrl.PX4MavCtrlV4 as newer
            import RflySimSDK.ue.UE4CtrlAPI
            from RflySimSDK.vision import VisionCaptureApi as images
            import RflySim.PX4MavCtrlV4 as flat
            from RflySim import PX4MavCtrlV4 as of_root
            assert newer is flat is of_root is PX4MavCtrlV4 and images is VisionCaptureApi
            assert RflySimSDK.ue.UE4CtrlAPI is UE4CtrlAPI
            assert PX4MavCtrlV4.EarthModel is EarthModel.EarthModel
            assert with_package is PX4MavCtrlV4
            assert earth is EarthModel and ue is UE4CtrlAPI
            assert swarm.VehicleApi is VehicleApi
            print(PX4MavCtrlV4.__name__, sys.argv[1:])
            """,
        )
        lines, errors = run(tmp_path, *MODULE, "pyrfly.rflysim.run", script, "a", "--b")
        assert (lines, errors) == (["pyrfly.rflysim.PX4MavCtrlV4 ['a', '--b']"], "")

    @pytest.mark.slow
    def test_copies_beside_the_script_give_way_but_not_its_own(self, tmp_path: Path) -> None:
        (tmp_path / "PX4MavCtrlV4.py").write_text("raise ImportError('the copy')")
        (tmp_path / "api.py").write_text("mine = True")
        (tmp_path / "ctrl").mkdir()
        (tmp_path / "ctrl" / "__init__.py").write_text("mine = True")
        (tmp_path / "ctrl" / "PX4MavCtrlV4.py").write_text("raise ImportError('the copy')")
        (tmp_path / "ctrl" / "own.py").write_text("mine = True")
        script = write(
            tmp_path,
            """
            import PX4MavCtrlV4, api, ctrl, ctrl.own
            from ctrl.api import Ctrl
            from ctrl.PX4MavCtrlV4 import PX4MavCtrler
            assert api.mine and ctrl.mine and ctrl.own.mine
            print(PX4MavCtrler.__module__, Ctrl.__name__)
            """,
        )
        for mode in ("run", "stepped"):
            lines, _ = run(tmp_path, *MODULE, f"pyrfly.rflysim.{mode}", script)
            assert lines == ["pyrfly.rflysim.PX4MavCtrlV4 Ctrl"]

    @pytest.mark.slow
    def test_names_are_gone_afterwards(self, tmp_path: Path) -> None:
        script = write(tmp_path, "import PX4MavCtrlV4")
        source = (
            "import sys; from pyrfly.rflysim.stepped import main; main(sys.argv[1:]);"
            "print([n for n in ('PX4MavCtrlV4', 'ctrl', 'api') if n in sys.modules])"
        )
        assert run(tmp_path, sys.executable, "-c", source, script)[0] == ["[]"]


@pytest.mark.slow
def test_vehicles_of_a_run_are_chosen(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        """
        from PX4MavCtrlV4 import PX4MavCtrler
        print([PX4MavCtrler(i, port=1).out3Ddata.vehicleType for i in (1, 2, 3)])
        """,
    )
    command = [*MODULE, "pyrfly.rflysim.run", "--vehicles", "hex_plus,hex_x", script]
    assert run(tmp_path, *command)[0] == ["[6, 5, 3]"]


class TestPlaces:
    """Where the vehicles of a run stand."""

    SHOW = """
        from PX4MavCtrlV4 import PX4MavCtrler
        for i in (5, 6, 7):
            mav = PX4MavCtrler(i, port=1)
            north, east, _ = mav.truePosNED
            print(north, east, mav.trueAngEular[2], mav.out3Ddata.vehicleType)
    """
    BATCH = """
        SET /a START_INDEX=5
        SET /P VehicleNum=How many?
        SET /a ORIGIN_POS_X=10
        SET /a ORIGIN_YAW=90
        SET /a VEHICLE_INTERVAL=3
        SET DLLModel=NoSuchModel
    """

    @pytest.mark.slow
    @pytest.mark.parametrize("mode", ["run", "stepped"])
    def test_a_start_script_gives_them_where_it_is_named(self, tmp_path: Path, mode: str) -> None:
        """CopterIDs 5 and 6 of a grid of side 3, 3 m apart; 7 is none of the fleet."""
        script = write(tmp_path, self.SHOW)
        (tmp_path / "SITLRun.bat").write_text(textwrap.dedent(self.BATCH))
        (tmp_path / "other.bat").write_text("echo off")
        command = [*MODULE, f"pyrfly.rflysim.{mode}"]
        lines, errors = run(tmp_path, *command, script)
        assert [numbers(line)[:2] for line in lines] == [[0, 4], [2, 4], [4, 0]]
        assert errors.count("SITLRun.bat is not used; --start-script") == 1
        assert "other.bat" not in errors
        given = ["--start-script", "SITLRun.bat", "--set", "VehicleNum=2"]
        lines, errors = run(tmp_path, *command, *given, script)
        five, six, seven = map(numbers, lines)
        assert five == pytest.approx([13, 3, 1.5708, 3], abs=1e-3)
        assert six == pytest.approx([13, 6, 1.5708, 3], abs=1e-3)
        assert seven[2] == 0
        assert errors.startswith("pyrfly: from SITLRun.bat: CopterID 5 to 6, sdk, udp_full\n")
        assert "DLLModel: 'NoSuchModel'" in errors
        given += ["--vehicles", "hex_x,hex_plus"]
        lines, errors = run(tmp_path, *command, *given, script)
        assert [numbers(line)[3] for line in lines] == [5, 6, 3]
        assert "DLLModel" not in errors

    @pytest.mark.slow
    def test_named_vehicles_stand_on_rflysims_grid(self, tmp_path: Path) -> None:
        script = write(tmp_path, self.SHOW)
        command = [*MODULE, "pyrfly.rflysim.stepped", "--vehicles", "sdk:7", script]
        lines, _ = run(tmp_path, *command)
        assert [numbers(line)[:2] for line in lines] == [[2, 2], [2, 4], [4, 0]]


def test_a_library_of_a_start_script_is_told_to_be_the_servers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.so").write_bytes(b"not looked into")
    start = tmp_path / "SITLRun.sh"
    start.write_text("#!/bin/sh\nDLLModel=mine.so\nVehicleNum=2\n")
    script = write(tmp_path, "")
    given = options("run", ["--start-script", str(start), str(script)])
    assert [one.vehicle.name for one in given.fleet.values()] == ["sdk", "sdk"]
    assert "mine.so: pyrfly sim alone flies libraries" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--start-script", "nowhere.bat"], "nowhere.bat: cannot be read"),
        (["--set", "VehicleNum=2"], "--set: expected none without --start-script"),
        (["--start-script", __file__, "--set", "x"], "--set: expected NAME=VALUE, got 'x'"),
    ],
)
def test_start_scripts_that_are_none_are_told(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        options("run", [*arguments, __file__])
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vehicles", "x45", __file__], "--vehicles: unknown name 'x45'; try x450"),
        (["--vehicels", "x450", __file__], "unknown option --vehicels; try --vehicles"),
        ([__file__.replace("_scripts", "_script")], "expected a file, got "),
        ([__file__.replace("_scripts", "_script")], "; try test_scripts.py"),
    ],
)
def test_what_is_misspelt_is_told_with_what_was_meant(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        options("run", arguments)
    assert message in capsys.readouterr().err


def test_modules_that_there_are_not_are_told_with_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "fly.py"
    for module in ("PX4MavCtrlV5", "RflySimSDK.ctrl.PX4MavCtrlV5", "nothing_at_all"):
        script.write_text(f"import {module}")
        with pytest.raises(ModuleNotFoundError):
            run_script(options("run", [str(script)]))
    told = capsys.readouterr().err.splitlines()
    message = "pyrfly: there is no module PX4MavCtrlV5; try PX4MavCtrlV4, PX4MavCtrlV4ROS"
    assert told == [message] * 2


def test_warnings_of_a_script_look_as_those_of_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "fly.py"
    script.write_text(
        "import pyrfly, warnings\n"
        "from PX4MavCtrlV4 import PX4MavCtrler\n"
        "mav = PX4MavCtrler(1, sim=pyrfly.Sim('sdk'))\n"
        "mav.InitMavLoop()\n"
        "mav.SendAttPX4([0, 0, 0, 0], 1.5, 0, 0)\n"
    )
    run_script(options("run", [str(script)]))
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "pyrfly: warning: thrust: expected 0 to 1, got 1.5; it is limited (fly.py:5)"


EXTENSIONS = ("pandas", "pyarrow", "h5py", "matplotlib", "torch", "cv2")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["run", "stepped"])
@pytest.mark.parametrize("module", EXTENSIONS)
def test_extensions_that_bind_types_of_time_are_imported(
    tmp_path: Path, module: str, mode: str
) -> None:
    """A datetime of another size was a segmentation fault in pandas."""
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    script = write(
        tmp_path,
        f"""
        import time
        from PX4MavCtrlV4 import PX4MavCtrler
        import {module}
        mav = PX4MavCtrler(1)
        mav.InitMavLoop()
        time.sleep(0.1)
        print({module}.__name__)
        mav.endMavLoop()
        """,
    )
    command = [*MODULE, f"pyrfly.rflysim.{mode}", script]
    assert run(tmp_path, *command)[0] == [module]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["run", "stepped"])
def test_scripts_with_cameras_fly(tmp_path: Path, mode: str) -> None:
    (tmp_path / "Config.json").write_text('{"VisionSensors": [{"SeqID": 0, "TypeID": 1}]}')
    script = write(
        tmp_path,
        """
        import sys
        import VisionCaptureApi
        vis = VisionCaptureApi.VisionCaptureApi()
        vis.jsonLoad()
        if not vis.sendReqToUE4():
            sys.exit(0)
        vis.startImgCap()
        print("flies", vis.hasData[0])
        """,
    )
    lines, errors = run(tmp_path, *MODULE, f"pyrfly.rflysim.{mode}", script)
    assert (lines, errors.count("no images")) == (["flies False"], 1)
    with pytest.raises(AssertionError, match="UnsupportedError: jsonLoad"):
        run(tmp_path, *MODULE, f"pyrfly.rflysim.{mode}", "--cameras", "error", script)


@pytest.mark.slow
def test_threads_of_a_stepped_script_end_in_simulated_time(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        """
        import threading, time
        from PX4MavCtrlV4 import PX4MavCtrler
        def fly():
            mav = PX4MavCtrler(1)
            mav.InitMavLoop()
            mav.initOffboard()
            mav.SendPosNED(0, 0, -2, 0)
            time.sleep(100)
            print(round(-mav.uavPosNED[2], 2), round(mav.uavTimeStmp))
        threading.Thread(target=fly).start()
        """,
    )
    assert run(tmp_path, *MODULE, "pyrfly.rflysim.stepped", script)[0] == ["2.0 100"]


@pytest.mark.slow
def test_functions_at_exit_see_simulated_time(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        """
        import atexit, time
        from PX4MavCtrlV4 import PX4MavCtrler
        mav = PX4MavCtrler(1)
        mav.InitMavLoop()
        def end():
            time.sleep(100)
            print(round(time.monotonic()), round(mav.uavTimeStmp))
        atexit.register(end)
        time.sleep(5)
        """,
    )
    assert run(tmp_path, *MODULE, "pyrfly.rflysim.stepped", script)[0] == ["105 105"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["run", "stepped"])
def test_errors_begin_with_the_script(tmp_path: Path, mode: str) -> None:
    script = write(tmp_path, "def fly():\n    1 / 0\nfly()\n")
    command = [*MODULE, f"pyrfly.rflysim.{mode}", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    begin, first, *_ = done.stderr.splitlines()
    assert begin == "Traceback (most recent call last):"
    assert first == f'  File "{script}", line 3, in <module>'


@pytest.mark.slow
def test_simulators_are_found_in_simulated_time(tmp_path: Path) -> None:
    script = write(
        tmp_path,
        """
        import time
        from ReqCopterSim import ReqCopterSim
        req = ReqCopterSim()
        print(time.monotonic() > 2.9, req.getSimIpList(), req.getSimIpID(2))
        """,
    )
    command = [*MODULE, "pyrfly.rflysim.stepped", "--vehicles", "sdk:2", script]
    begin = time.monotonic()
    found = [(1, "127.0.0.1"), (2, "127.0.0.1")]
    assert run(tmp_path, *command)[0] == [f"True {found} 127.0.0.1"]
    assert time.monotonic() - begin < 60
    lines, errors = run(tmp_path, *MODULE, "pyrfly.rflysim.stepped", script)
    assert lines == [f"True {found[:1]} 127.0.0.1"]
    assert errors.count("ReqCopterSim finds CopterID 1 alone") == 1
