"""`pyrfly bench server`: its output, not its figures."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time

import pytest
from pymavlink.dialects.v20 import common

from pyrfly import Sim
from pyrfly import bench as benchmarks
from pyrfly.server import Link, LinkStats, PortError, Server, bench
from pyrfly.server.bench_clients import client, control_frame

QUICK = ["server", "--sizes", "3", "--threads", "1", "--seconds", "0.3"]


@pytest.fixture(scope="module")
def rows() -> list[bench.Row]:
    return list(bench.measure(sizes=[3], seconds=0.3))


def of(rows: list[bench.Row], kind: type) -> list:
    return [row for row in rows if type(row) is kind]


def test_loads_are_measured_with_and_without_a_listener(rows):
    loads = of(rows, bench.LoadRow)
    assert [(row.measured, row.listened) for row in loads] == [
        (name, listened) for name in ("udp_full", "mavlink") for listened in (False, True)
    ]
    for row in loads:
        assert row.n == 3
        assert 0 < row.cpu_links < row.cpu
        assert row.late >= 0
    for quiet, heard in (loads[:2], loads[2:]):
        assert heard.packets_per_s > 2 * quiet.packets_per_s
    # 100 Hz of the state and of the true state, 10 Hz of the free outputs
    assert loads[1].packets_per_s == pytest.approx(3 * 210, rel=0.2)


def test_a_command_is_shown_after_some_milliseconds(rows):
    trips = [row for row in of(rows, bench.DelayRow) if row.measured == "round trip"]
    assert [row.tick_s for row in trips] == [0.01, 0.001]
    for row in trips:
        assert row.samples >= 1
        assert 0 < row.median_s <= row.p999_s <= row.max_s


def test_every_tick_of_a_fast_server_is_noted(rows):
    (row,) = (row for row in of(rows, bench.DelayRow) if row.measured == "jitter")
    assert row.samples == 300
    assert row.median_s <= row.p999_s <= row.max_s


def test_lockstep_goes_on_with_every_answer(rows):
    locked = of(rows, bench.LockstepRow)
    assert [row.n for row in locked] == [1, 10]
    for row in locked:
        assert row.step_s == 0.004
        assert row.steps_per_s > 10
        assert row.cpu_per_step_s > 0


def test_rows_are_a_table_and_json(rows, capsys, monkeypatch):
    bench.show(iter(rows))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(rows) + 3  # a head of each kind
    monkeypatch.setitem(
        benchmarks.BENCHMARKS,
        "server",
        benchmarks.BENCHMARKS["server"]._replace(measure=lambda **_: iter(rows)),
    )
    assert benchmarks.main([*QUICK, "--json"]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert printed == [row._asdict() for row in rows]
    assert {row["benchmark"] for row in printed} == {"server"}


class Slow(Link):
    """Takes some time in one tick."""

    name = "slow"

    def __init__(self, tick: int, seconds: float) -> None:
        self.stats = LinkStats(1)
        self.tick, self.seconds = tick, seconds

    def flush(self) -> None:
        self.tick -= 1
        if self.tick == 0:
            time.sleep(self.seconds)


@pytest.mark.parametrize("seconds", [0.03, 0.15])  # made up for, or not
def test_late_ticks_are_noted(seconds):
    watch = bench._Watch(1, 0.01)
    with Server(Sim("sdk"), mode=None, links=(watch, Slow(5, seconds))) as server:
        server.stop()
        server.report = watch.end
        watch.restart()
        server.links[1].tick = 5
        server.run(0.5)
    assert len(watch.begins) == len(watch.ends) == 50
    assert watch.ends[4] == pytest.approx(seconds - 0.01, abs=0.01)
    assert watch.begins[5] == pytest.approx(seconds - 0.01 if seconds < 0.1 else 0.0, abs=0.01)
    assert min(watch.ends[20:]) < 0  # on time again


def test_the_frame_of_the_autopilot_is_one_of_mavlink():
    (message,) = common.MAVLink(None).parse_buffer(control_frame((123456).to_bytes(8, "little")))
    assert message.get_type() == "HIL_ACTUATOR_CONTROLS"
    assert (message.time_usec, message.flags, message.mode) == (123456, 1, 129)
    assert message.controls == pytest.approx([0.1] * 4 + [0] * 12)


def test_a_port_in_use_is_told():
    with (
        client("listen", 28123, 2, 1),
        pytest.raises(PortError, match="28123"),
        client("listen", 28123, 2, 1),
    ):
        pass


def test_a_program_ends_with_who_started_it():
    command = [sys.executable, "-m", "pyrfly.server.bench_clients", "listen", "28125", "1", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.stdin.close()
        assert process.wait(20) == 0


def test_without_answers_there_is_no_row():
    with pytest.raises(RuntimeError, match="expected answers"):
        bench._delays("round trip", 0.01, [])
    assert math.isclose(bench._delays("jitter", 0.01, [1.0, 3.0]).median_s, 2.0)
