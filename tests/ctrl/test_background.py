"""Vehicles without a server and without a Sim: simulated in real time, in the same process."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator

import pytest

from pyrfly.ctrl import PX4MavCtrler, background
from pyrfly.ctrl.background import RealTimeWorld, Start, World
from pyrfly.vehicles import load


def run(script: str, timeout: float = 60.0) -> subprocess.CompletedProcess[str]:
    """Run a script in a Python of its own."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


@pytest.fixture
def world() -> Iterator[RealTimeWorld]:
    """Make a world in real time that of this process."""
    ours = RealTimeWorld()
    before = background.use(ours)
    yield ours
    background.use(before)
    ours.stop()


class TestWorld:
    """One-vehicle Sims whose time passes together."""

    def test_vehicles_stand_two_metres_apart(self) -> None:
        world = World()
        assert [world.vehicle(i).pos[0].tolist() for i in (1, 4)] == [[0, 0, 0], [2, 2, 0]]
        assert world.vehicle(4) is world.vehicle(4)

    def test_a_fleet_stands_where_it_is_put_and_others_beside(self) -> None:
        world = World({2: Start(load("x450"), 5.0, 6.0, 0.5)})
        placed, other = world.vehicle(2), world.vehicle(3)
        assert placed.groups[0].name == "x450"
        assert placed.pos[0].tolist() == [5, 6, 0]
        assert float(placed.euler[0, 2]) == pytest.approx(0.5)
        assert other.groups[0].name == "sdk"
        assert other.pos[0, 1] > 6
        assert world.copter_ids == [2, 3]

    def test_time_passes_for_all(self) -> None:
        world = World()
        sims = [world.vehicle(1), world.vehicle(2)]
        world.advance(0.25)
        assert [sim.time for sim in sims] == pytest.approx([0.25, 0.25])


class TestRealTime:
    """A world in a thread."""

    def test_says_so_once_and_time_passes(
        self, world: RealTimeWorld, capfd: pytest.CaptureFixture[str]
    ) -> None:
        first = PX4MavCtrler(1, port=1)
        PX4MavCtrler(2, port=1)
        said = capfd.readouterr().err
        assert said.count("\n") == 1
        assert "no server for CopterID 1" in said
        assert world.running
        begin = time.perf_counter()
        while first.uavTimeStmp < 0.2:
            assert time.perf_counter() < begin + 30
            time.sleep(0.01)
        assert time.perf_counter() - begin > 0.1

    @pytest.mark.realtime
    def test_time_is_not_faster_than_ours(self, world: RealTimeWorld) -> None:
        mav = PX4MavCtrler(1, port=1)
        begin, simulated = time.perf_counter(), mav.uavTimeStmp
        time.sleep(0.5)
        simulated = mav.uavTimeStmp - simulated
        assert simulated <= time.perf_counter() - begin + 0.01

    @pytest.mark.realtime
    def test_commands_act_while_time_passes(self, world: RealTimeWorld) -> None:
        mav = PX4MavCtrler(3, port=1)
        mav.InitMavLoop()
        mav.initOffboard()
        mav.SendPosNED(0, 0, -1, 0)
        begin = time.perf_counter()
        while mav.uavPosNED[2] > -0.5:
            assert time.perf_counter() < begin + 30
            time.sleep(0.02)
        assert mav.truePosNED[:2] == pytest.approx([2.0, 0.0], abs=0.1)  # of the grid of four
        mav.sendRebootPix(3)
        assert mav.uavPosNED[2] > -0.01
        mav.endMavLoop()

    def test_steps_by_others_are_refused_and_time_goes_on(self, world: RealTimeWorld) -> None:
        mav = PX4MavCtrler(1)
        assert mav.sim is not None
        with pytest.raises(RuntimeError, match=r"time\.sleep"):
            mav.sim.step(50)
        saved = mav.sim.snapshot()
        for _ in range(50):
            with contextlib.suppress(RuntimeError):
                mav.sim.restore(saved)
        before = mav.uavTimeStmp
        time.sleep(0.2)
        assert world.running
        assert mav.uavTimeStmp > before
        world.stop()
        mav.sim.step(10)

    def test_stops_when_told(self, world: RealTimeWorld) -> None:
        mav = PX4MavCtrler(1, port=1)
        world.stop()
        assert not world.running
        before = mav.uavTimeStmp
        time.sleep(0.05)
        assert mav.uavTimeStmp == before


class TestProcess:
    """Whole scripts."""

    @pytest.mark.slow
    def test_ends_cleanly_at_exit(self) -> None:
        done = run("""
            import time
            from pyrfly.ctrl import PX4MavCtrler
            mav = PX4MavCtrler(1, port=1)
            mav.InitMavLoop()
            mav.initOffboard()
            mav.SendVelNED(0, 0, -1, 0)
            time.sleep(0.3)
            print(mav.uavTimeStmp > 0)
        """)
        assert (done.returncode, done.stdout) == (0, "True\n")
        assert done.stderr.count("\n") == 1

    @pytest.mark.slow
    def test_ends_on_ctrl_c(self) -> None:
        done = run("""
            import signal, threading, os, time
            from pyrfly.ctrl import PX4MavCtrler
            mav = PX4MavCtrler(1, port=1)
            mav.InitMavLoop()
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            begin = time.monotonic()
            try:
                time.sleep(50)
            except KeyboardInterrupt:
                print("stopped", time.monotonic() - begin < 40)
                raise
        """)
        assert done.stdout == "stopped True\n"
        assert done.returncode != 0
        assert "KeyboardInterrupt" in done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_importing_starts_nothing() -> None:
    done = run("import threading, pyrfly.ctrl, pyrfly.rflysim.PX4MavCtrlV4;"
               "print(threading.active_count())")  # fmt: skip
    assert (done.stdout, done.stderr) == ("1\n", "")
