"""Scripts for real time, run in simulated time."""

from __future__ import annotations

import _thread
import datetime
import queue
import select
import socket
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from unittest.mock import patch

import pytest

import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl
from pyrfly.rflysim.stepped import EPOCH, LOOKS, main, simulated_time

SCRIPT = """
    import math
    import sys
    import time

    import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl

    mav = PX4MavCtrl.PX4MavCtrler(1)
    mav.InitMavLoop()
    time.sleep(0.5)
    mav.initOffboard()
    mav.sendMavTakeOff(0, 0, -4)
    time.sleep(6)
    start = last = time.time()
    while time.time() - start < 3:
        last += 1 / 30
        if last > time.time():
            time.sleep(last - time.time())
        mav.SendVelNED(math.cos(time.time() - start), 0.5, 0, 0)
    print(sys.argv[1:], mav.uavTimeStmp, mav.uavPosNED)
    mav.sendMavLand(0, 0, 0)
    while mav.isArmed:
        time.sleep(0.5)
    print([round(p, 1) + 0.0 for p in mav.uavPosNED])
"""


class TestClocks:
    """The functions of the module time."""

    def test_show_simulated_time(self) -> None:
        with simulated_time() as world:
            mav = PX4MavCtrl.PX4MavCtrler(1)
            assert mav.startTime == EPOCH
            before = [time.time(), time.monotonic(), time.perf_counter()]
            time.sleep(2.5)
            after = [time.time(), time.monotonic(), time.perf_counter()]
            assert before == [EPOCH, 0.0, 0.0]
            assert after == pytest.approx([EPOCH + 2.5, 2.5, 2.5])
            assert mav.uavTimeStmp == pytest.approx(2.5)
            assert world.now == pytest.approx(2.5)
            assert time.monotonic_ns() == 2_500_000_000

    def test_are_real_again_afterwards(self) -> None:
        real = time.sleep, time.time, time.monotonic, time.perf_counter
        with pytest.raises(KeyError), simulated_time():
            raise KeyError
        assert real == (time.sleep, time.time, time.monotonic, time.perf_counter)

    def test_a_loop_that_only_looks_at_the_clock_ends(self) -> None:
        with simulated_time():
            begin, looks = time.time(), 0
            while time.time() - begin < 0.5:
                looks += 1
            assert LOOKS < looks < LOOKS + 600

    def test_short_sleeps_add_up(self) -> None:
        with simulated_time() as world:
            begin, naps = time.time(), 0
            while time.time() - begin < 0.1:
                time.sleep(1e-4)
                naps += 1
            assert naps == pytest.approx(1000, abs=10)
            for _ in range(30):
                time.sleep(1 / 30)
            assert world.now == pytest.approx(1.1, abs=2e-3)

    def test_a_loop_that_only_looks_at_a_vehicle_ends(self) -> None:
        with simulated_time():
            mav = PX4MavCtrl.PX4MavCtrler(1)
            mav.InitMavLoop()
            mav.SendMavArm(1)
            mav.sendMavTakeOff(0, 0, -2)
            while mav.uavPosNED[2] > -1:
                pass
            assert mav.uavTimeStmp < 5

    def test_events_of_a_controller_can_be_waited_for(self) -> None:
        with simulated_time() as world:
            mav = PX4MavCtrl.PX4MavCtrler(1)
            mav.InitMavLoop()
            mav.trigMsgVect = ["LOCAL_POSITION_NED"]
            mav.hasMsgEvent.clear()
            assert mav.hasMsgEvent.wait()
            assert world.now < 0.015
            begin = world.now
            mav.trigMsgVect = []
            mav.hasMsgEvent.clear()
            assert not mav.hasMsgEvent.wait(0.5)
            assert world.now - begin == pytest.approx(0.5)

    def test_negative_sleeps_are_refused_as_ever(self) -> None:
        with simulated_time(), pytest.raises(ValueError, match="non-negative"):
            time.sleep(-1)

    @pytest.mark.parametrize("seconds", [float("nan"), float("inf")])
    def test_sleeps_that_are_none_are_refused_and_do_no_harm(self, seconds: float) -> None:
        with simulated_time() as world:
            with pytest.raises(ValueError, match="finite"):
                time.sleep(seconds)
            time.sleep(0.5)
            assert world.now == pytest.approx(0.5)

    def test_vehicles_of_later_begin_then(self) -> None:
        with simulated_time():
            first = PX4MavCtrl.PX4MavCtrler(1)
            time.sleep(1)
            second = PX4MavCtrl.PX4MavCtrler(2)
            time.sleep(1)
            assert first.truePosNED[1] + 2.0 == pytest.approx(second.truePosNED[1], abs=1e-3)


class TestThreads:
    """Waits of several threads."""

    def test_threads_take_turns_always_alike(self) -> None:
        def run() -> list[tuple[str, float]]:
            log: list[tuple[str, float]] = []

            def loop(name: str, period: float) -> None:
                for _ in range(20):
                    log.append((name, round(time.time() - EPOCH, 6)))
                    time.sleep(period)

            with simulated_time():
                threads = [
                    threading.Thread(target=loop, args=(f"{i}", 0.01 * (i + 1))) for i in range(4)
                ]
                for thread in threads:
                    thread.start()
                loop("main", 0.015)
                for thread in threads:
                    thread.join()
                assert time.time() - EPOCH == pytest.approx(0.8)
            return log

        first = run()
        assert [time for _, time in first] == sorted(time for _, time in first)
        assert len(first) == 100
        for _ in range(5):
            assert run() == first

    def test_a_thread_streams_while_the_first_waits(self) -> None:
        with simulated_time():
            mav = PX4MavCtrl.PX4MavCtrler(1)
            mav.InitMavLoop()
            mav.initOffboard()
            stop = threading.Event()

            def stream() -> None:
                while not stop.is_set():
                    mav.SendVelNED(0, 0, -1, 0)
                    time.sleep(0.02)
                mav.SendVelNED(0, 0, 0, 0)

            thread = threading.Thread(target=stream, daemon=True)
            thread.start()
            time.sleep(6)
            assert mav.uavVelNED[2] == pytest.approx(-1, abs=0.1)
            stop.set()
            thread.join(1)
            assert not thread.is_alive()
            time.sleep(2)
            assert mav.uavVelNED[2] == pytest.approx(0, abs=0.05)

    @pytest.mark.slow
    def test_a_timer_fires_in_simulated_time(self) -> None:
        fired: list[float] = []
        with simulated_time():
            timer = threading.Timer(30, lambda: fired.append(time.monotonic()))
            timer.start()
            threading.Timer(20, lambda: fired.append(time.monotonic())).start()
            time.sleep(10)
            assert fired == []
            timer.join()
            assert fired == pytest.approx([20, 30], abs=0.002)

    def test_an_event_of_the_scripts_own_is_waited_for(self) -> None:
        with simulated_time():
            event = threading.Event()
            assert not event.wait(5)
            assert time.monotonic() == pytest.approx(5, abs=0.002)
            threading.Timer(3, event.set).start()
            assert event.wait()
            assert time.monotonic() == pytest.approx(8, abs=0.004)

    def test_a_queue_is_waited_for(self) -> None:
        with simulated_time():
            items: queue.Queue[int] = queue.Queue(2)

            def produce() -> None:
                for i in range(5):
                    time.sleep(1)
                    items.put(i)

            threading.Thread(target=produce).start()
            assert [items.get() for _ in range(5)] == list(range(5))
            assert time.monotonic() == pytest.approx(5, abs=0.01)
            with pytest.raises(queue.Empty):
                items.get(timeout=4)
            assert time.monotonic() == pytest.approx(9, abs=0.01)
            items.put(1)
            items.put(2)
            with pytest.raises(queue.Full):
                items.put(3, timeout=1)

    def test_a_condition_is_waited_for(self) -> None:
        with simulated_time():
            condition, ready = threading.Condition(), []

            def make_ready() -> None:
                time.sleep(3)
                with condition:
                    ready.append(time.monotonic())
                    condition.notify()

            threading.Thread(target=make_ready).start()
            with condition:
                assert not condition.wait(2)
                assert time.monotonic() == pytest.approx(2)
                assert condition.wait_for(lambda: ready, 100) == pytest.approx([3])
                assert time.monotonic() == pytest.approx(3, abs=0.002)
                assert not condition.wait_for(lambda: False, 10)
            assert time.monotonic() == pytest.approx(13, abs=0.002)

    def test_a_condition_is_no_lock_of_others(self) -> None:
        with simulated_time():
            condition = threading.Condition(threading.Lock())
            assert isinstance(condition, threading.Condition)
            with pytest.raises(RuntimeError, match="un-acquired"):
                condition.wait(1)

    @pytest.mark.parametrize("kind", ["Lock", "RLock", "Semaphore", "BoundedSemaphore"])
    def test_a_lock_is_waited_for(self, kind: str) -> None:
        with simulated_time():
            lock = getattr(threading, kind)()

            def hold() -> None:
                with lock:
                    time.sleep(5)

            threading.Thread(target=hold).start()
            time.sleep(1)
            assert not lock.acquire(timeout=2)
            assert time.monotonic() == pytest.approx(3, abs=0.002)
            assert not lock.acquire(False)
            with lock:
                assert time.monotonic() == pytest.approx(5, abs=0.002)

    def test_a_lock_of_several_levels_has_one_owner(self) -> None:
        with simulated_time():
            lock, others = threading.RLock(), []
            with lock, lock:
                thread = threading.Thread(target=lambda: others.append(lock.acquire(timeout=1)))
                thread.start()
                thread.join()
                assert others == [False]
            with pytest.raises(RuntimeError, match="un-acquired"):
                lock.release()

    def test_a_barrier_and_the_tasks_of_a_queue_are_waited_for(self) -> None:
        with simulated_time():
            barrier, tasks = threading.Barrier(2), queue.Queue()

            def work() -> None:
                time.sleep(4)
                barrier.wait()
                tasks.get()
                time.sleep(4)
                tasks.task_done()

            tasks.put(1)
            threading.Thread(target=work).start()
            barrier.wait(10)
            assert time.monotonic() == pytest.approx(4, abs=0.01)
            tasks.join()
            assert time.monotonic() == pytest.approx(8, abs=0.02)
            with pytest.raises(threading.BrokenBarrierError):
                barrier.wait(3)
            assert time.monotonic() == pytest.approx(11, abs=0.03)

    def test_locks_are_real_for_other_threads_and_afterwards(self) -> None:
        with simulated_time():
            condition, ended = threading.Condition(), _thread.allocate_lock()
            notified: list[bool] = []

            def wait() -> None:
                with condition:
                    notified.append(condition.wait(0.01))
                ended.release()

            ended.acquire()
            _thread.start_new_thread(wait, ())
            ended.acquire()
            assert notified == [False]
            assert time.monotonic() == 0
        with condition:
            assert not condition.wait(0.01)

    def test_select_of_nothing_is_a_sleep(self) -> None:
        with simulated_time():
            assert select.select([], [], [], 7) == ([], [], [])
            assert time.monotonic() == 7

    def test_one_who_waits_for_a_packet_is_left_out(self) -> None:
        with (
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
            simulated_time(),
        ):
            receiver.bind(("127.0.0.1", 0))
            got: list[bytes] = []
            thread = threading.Thread(target=lambda: got.append(receiver.recv(9)), daemon=True)
            thread.start()
            time.sleep(100)
            assert time.monotonic() == pytest.approx(100)
            sender.sendto(b"x", receiver.getsockname())
            thread.join()
            assert got == [b"x"]

    @pytest.mark.slow
    def test_one_who_computes_is_waited_for(self) -> None:
        clock = time.thread_time  # of the processor
        with simulated_time():

            def compute() -> None:
                begin, count = clock(), 0
                while clock() < begin + 0.5:
                    count += 1
                done.append(time.monotonic())

            done: list[float] = []
            threading.Thread(target=compute).start()
            time.sleep(100)
            assert done == [0.0]

    def test_an_error_in_a_thread_stops_nothing(self) -> None:
        with simulated_time(), patch.object(threading, "excepthook", lambda _: None):
            thread = threading.Thread(target=lambda: 1 / 0)
            thread.start()
            thread.join()
            time.sleep(1)
            assert time.monotonic() >= 1

    def test_a_thread_that_is_left_over_goes_on_in_real_time(self) -> None:
        naps: list[float] = []
        stop = threading.Event()
        with simulated_time():
            sleep = time.sleep

            def loop() -> None:
                while not stop.is_set():
                    sleep(0.05)
                    naps.append(time.perf_counter())

            thread = threading.Thread(target=loop, daemon=True)
            thread.start()
            sleep(1)
            assert len(naps) == pytest.approx(20, abs=1)
        begin, count = time.perf_counter(), len(naps)
        time.sleep(0.3)
        stop.set()
        thread.join()
        assert len(naps) - count <= 2 + (time.perf_counter() - begin) / 0.05

    def test_threads_of_later_are_as_ever(self) -> None:
        methods = (threading.Thread.start, threading.Thread.join, threading.Event.wait)
        with simulated_time():
            assert threading.Thread.start is not methods[0]
        assert (threading.Thread.start, threading.Thread.join, threading.Event.wait) == methods


def test_dates_show_simulated_time() -> None:
    real = datetime.datetime
    with simulated_time():
        start = datetime.datetime.now()
        time.sleep(90)
        assert (datetime.datetime.now() - start).total_seconds() == pytest.approx(90)
        utc = datetime.datetime.now(datetime.timezone.utc)
        assert utc.timestamp() == pytest.approx(EPOCH + 90)
        assert datetime.datetime.utcnow().year == 2025
        assert isinstance(real(2020, 1, 1), datetime.datetime)
        assert isinstance(start, real)
        assert datetime.datetime.today() > start
    assert datetime.datetime is real


def test_what_shows_the_present_time_shows_simulated_time() -> None:
    with simulated_time():
        time.sleep(86_400 + 3600)
        assert time.gmtime()[:5] == time.gmtime(None)[:5] == (2025, 1, 2, 1, 0)
        now = EPOCH + 90_000
        assert time.localtime() == time.localtime(now)
        assert time.ctime() == time.asctime() == time.ctime(now)
        assert time.strftime("%j %H:%M") == time.strftime("%j %H:%M", time.localtime(now))
        assert time.gmtime(0).tm_year == 1970
        assert datetime.date.today() == datetime.date.fromtimestamp(now)

        class Holder:
            convert = time.gmtime  # as logging.Formatter has it

        assert Holder().convert(0).tm_year == 1970


def test_types_that_extensions_bind_stay_as_they_are() -> None:
    """Only their functions are replaced, also where a script has imported the type before."""
    kinds = (datetime.datetime, datetime.date, threading.Thread, threading.Event, queue.Queue)
    now = datetime.datetime.now
    with simulated_time():
        assert kinds[0] is datetime.datetime
        assert kinds[1:] == (datetime.date, threading.Thread, threading.Event, queue.Queue)
        assert datetime.datetime.now() == datetime.datetime.fromtimestamp(EPOCH)

        class Own(datetime.datetime):
            pass

        assert type(Own.now()) is type(Own.today()) is Own
    assert datetime.datetime.now == now
    assert datetime.datetime.now().timestamp() == pytest.approx(time.time(), abs=5)


def test_kinds_of_locks_can_be_named_in_annotations_and_inherited_from() -> None:
    with simulated_time():
        assert threading.Condition | None == type(threading.Condition()).__mro__[1] | None

        class Own(threading.Condition):
            def __init__(self) -> None:
                super().__init__()

        with Own() as own:
            assert own


EXTENSIONS = """
    import datetime
    import io
    import sys
    import time
    import pandas as pd
    import pyarrow as pa
    from PX4MavCtrlV4 import PX4MavCtrler
    mav = PX4MavCtrler(1, port=1)
    rows = []
    for _ in range(20):
        time.sleep(0.1)
        rows.append((datetime.datetime.now(), mav.uavTimeStmp))
    table = pd.DataFrame(rows, columns=["now", "seconds"])
    assert str(table.now.dtype).startswith("datetime64")
    assert table.now[19].to_pydatetime() == rows[19][0] == pa.scalar(rows[19][0]).as_py()
    print((table.now[19] - table.now[0]).total_seconds(), pa.table(table).num_rows)
"""


@pytest.mark.slow
def test_extensions_that_bind_dates_can_be_imported(tmp_path: Path) -> None:
    """They have ended with a segmentation fault."""
    for module in ("pandas", "pyarrow"):
        pytest.importorskip(module)
    script = tmp_path / "table.py"
    script.write_text(textwrap.dedent(EXTENSIONS))
    done = run(str(script))
    assert (done.stdout, done.returncode) == ("1.9 20\n", 0), done.stderr


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pyrfly.rflysim.stepped", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.slow
def test_script_flies_alike_every_time(tmp_path: Path) -> None:
    script = tmp_path / "square.py"
    script.write_text(textwrap.dedent(SCRIPT))
    begin = time.perf_counter()
    done = [run(str(script), "a", "b") for _ in range(2)]
    assert done[0].stderr == ""
    assert done[0].stdout == done[1].stdout
    first, last = done[0].stdout.splitlines()
    assert first.startswith("['a', 'b'] 9.")
    assert last == "[0.0, 0.0, 0.0]"
    assert time.perf_counter() - begin < 2 * 17  # simulated seconds


@pytest.mark.slow
def test_vehicles_of_a_script_are_chosen(tmp_path: Path) -> None:
    script = tmp_path / "drive.py"
    script.write_text(
        textwrap.dedent(
            """
            import sys
            import pyrfly.rflysim.PX4MavCtrlV4 as PX4MavCtrl
            kinds = [PX4MavCtrl.PX4MavCtrler(i).out3Ddata.vehicleType for i in (1, 2, 3, 4)]
            print(kinds, sys.argv[1:])
            """
        )
    )
    done = run("--vehicles", "hex_plus,hex_x:2", str(script), "--vehicles", "x")
    assert done.stderr == ""
    assert done.stdout.strip() == "[6, 5, 5, 3] ['--vehicles', 'x']"


@pytest.mark.parametrize(
    ("vehicles", "message"),
    [("x45", "unknown name 'x45'"), ("x450:0", "COUNT 1 to 5000, got 'x450:0'")],
)
def test_vehicles_that_are_none_are_named(
    vehicles: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--vehicles", vehicles, __file__])
    assert message in capsys.readouterr().err


def test_script_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nowhere.py"])
    assert "usage:" in capsys.readouterr().err


def test_module_has_rflysims_names() -> None:
    for name in ("PX4MavCtrler", "PosTypeMask", "AttTypeMask", "PX4ExtMsg", "fifo"):
        assert hasattr(PX4MavCtrl, name)
    assert PX4MavCtrl.PX4_CUSTOM_MAIN_MODE.PX4_CUSTOM_MAIN_MODE_OFFBOARD == 6
    assert PX4MavCtrl.PX4_CUSTOM_SUB_MODE_AUTO.PX4_CUSTOM_SUB_MODE_AUTO_LAND == 6
    queue = PX4MavCtrl.fifo()
    assert queue.write(b"ab") == 2
    assert [queue.read(), queue.read()] == [97, 98]
