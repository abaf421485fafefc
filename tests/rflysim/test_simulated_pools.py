"""Pools of threads and event loops in simulated time."""

from __future__ import annotations

import asyncio
import queue
import time
from concurrent.futures import Future, ThreadPoolExecutor, _base, as_completed
from multiprocessing.pool import ThreadPool
from pathlib import Path

import pytest

from pyrfly.rflysim.PX4MavCtrlV4 import PX4MavCtrler
from pyrfly.rflysim.stepped import EPOCH, main, simulated_time


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return round(time.time() - EPOCH, 3)


@pytest.mark.slow
def test_vehicles_fly_in_executors_always_alike() -> None:
    """A vehicle stays on the ground if its thread's sleeps pass no simulated time."""

    def mission(copter_id: int) -> tuple[float, float]:
        mav = PX4MavCtrler(copter_id)
        mav.InitMavLoop()
        mav.initOffboard()
        mav.SendPosNED(0, 0, -copter_id, 0)
        time.sleep(4)
        return mav.uavPosNED[2], time.time() - EPOCH

    def fly() -> list[tuple[float, float]]:
        with simulated_time(), ThreadPoolExecutor() as pool:
            return list(pool.map(mission, (1, 2, 3)))

    flights = fly()
    assert [height for height, _ in flights] == pytest.approx([-1, -2, -3], abs=0.1)
    assert [now for _, now in flights] == pytest.approx([4, 4, 4], abs=0.01)
    assert fly() == flights


def test_futures_are_waited_for_in_the_order_of_simulated_time() -> None:
    with simulated_time(), ThreadPoolExecutor(3) as pool:
        given = [pool.submit(nap, seconds) for seconds in (0.3, 0.1, 0.2)]
        found = [future.result() for future in as_completed(given)]
        assert found == pytest.approx([0.1, 0.2, 0.3], abs=0.01)
        begin = time.time()
        late = pool.submit(nap, 0.5)
        with pytest.raises(_base.TimeoutError):
            late.result(timeout=0.2)
        assert time.time() - begin == pytest.approx(0.2, abs=0.01)
        while not late.done():
            pass
        assert time.time() - begin == pytest.approx(0.5, abs=0.01)


def test_pools_of_multiprocessing_are_simulated_too() -> None:
    with simulated_time(), ThreadPool(2) as pool:
        assert pool.map(nap, [3, 4], chunksize=1) == pytest.approx([3, 4], abs=0.01)


def test_a_simple_queue_is_waited_for() -> None:
    with simulated_time():
        items: queue.SimpleQueue[int] = queue.SimpleQueue()
        with pytest.raises(queue.Empty):
            items.get(timeout=3)
        assert time.time() - EPOCH == pytest.approx(3)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_event_loops_sleep_in_simulated_time() -> None:
    async def wait(seconds: float) -> float:
        await asyncio.sleep(seconds)
        return time.time() - EPOCH

    async def run() -> list[float]:
        naps = await asyncio.gather(wait(3), wait(1.5))
        naps.append(await asyncio.to_thread(nap, 2))
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.sleep(100), 0.5)
        return [*naps, time.time() - EPOCH]

    begin = time.perf_counter()
    with simulated_time():
        assert asyncio.run(run()) == pytest.approx([3, 1.5, 5, 5.5], abs=0.01)
    assert time.perf_counter() - begin < 60


def test_event_loops_are_woken_by_real_threads() -> None:
    import _thread

    async def run() -> str:
        answer: Future[str] = Future()
        _thread.start_new_thread(answer.set_result, ("outside",))
        return await asyncio.wrap_future(answer)

    with simulated_time():
        assert asyncio.run(run()) == "outside"


def test_work_of_a_pool_is_done_after_the_last_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As Python does at its end, also where the script never ends the pool."""
    script = tmp_path / "fly.py"
    script.write_text(
        "import time\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "pool = ThreadPoolExecutor(1)\n"
        "pool.submit(lambda: (time.sleep(0.7), print(round(time.monotonic(), 1))))\n"
    )
    main([str(script)])
    assert capsys.readouterr().out == "0.7\n"
