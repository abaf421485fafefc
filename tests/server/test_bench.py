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
from pyrfly.cli import main
from pyrfly.server import Link, LinkStats, PortError, Server, bench
from pyrfly.server.bench_clients import client, control_frame
from pyrfly.server.pacing import MAX_LATE

SECONDS = 0.3


@pytest.mark.slow
def test_all_packets_are_counted_where_somebody_listens():
    row = bench._load("udp_full", bench._rflysim_link, 3, 1, True, SECONDS)
    assert (row.measured, row.n, row.listened) == ("udp_full", 3, True)
    # 100 Hz of the state and of the true state, 10 Hz of the free outputs
    assert row.packets_per_s == pytest.approx(3 * 210, rel=0.3)
    assert 0 < row.cpu_links < row.cpu
    assert row.late >= 0


def test_few_packets_are_sent_where_nobody_listens():
    row = bench._load("mavlink", bench._mavlink_link, 3, 1, False, SECONDS)
    assert (row.measured, row.n, row.listened) == ("mavlink", 3, False)
    assert row.packets_per_s < 3 * 20
    assert 0 < row.cpu_links < row.cpu


@pytest.mark.slow
def test_a_command_is_shown_after_some_milliseconds():
    row = bench._round_trip(0.01, SECONDS)
    assert (row.measured, row.tick_s) == ("round trip", 0.01)
    assert row.samples >= 1
    assert 0 < row.median_s <= row.p999_s <= row.max_s < 1


def test_every_tick_of_a_fast_server_is_noted():
    row = bench._jitter(SECONDS)
    assert row.samples == 300
    assert row.median_s <= row.p999_s <= row.max_s


@pytest.mark.slow
def test_lockstep_goes_on_with_every_answer():
    row = bench._lockstep(2, SECONDS)
    assert (row.n, row.step_s) == (2, 0.004)
    assert row.steps_per_s > 5
    assert row.cpu_per_step_s > 0


LOAD = bench.LoadRow(
    *("server", "x450", "udp_full", "base", 2, 9, True, 0.01, 10.0, 1890.0, 0.5, 0.25, 0, -0.008)
)
DELAY = bench.DelayRow("server", "x450", "jitter", 0.001, 100, 1e-4, 2e-4, 3e-4)
STEPS = bench.LockstepRow("server", "x450", "lockstep", "base", 1, 0.004, 2000.0, 4e-4)


@pytest.fixture
def quick(monkeypatch) -> None:
    """Make rows without measuring."""
    for name, row in (("_load", LOAD), ("_round_trip", DELAY), ("_jitter", DELAY)):
        monkeypatch.setattr(bench, name, lambda *_, row=row: row)
    monkeypatch.setattr(bench, "_lockstep", lambda *_: STEPS)


@pytest.mark.usefixtures("quick")
def test_a_table_of_each_kind_has_a_line_per_row(capsys):
    assert main(["bench", "server", "--sizes", "9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        *("measured", *["udp_full"] * 4, "measured", *["jitter"] * 3, "measured"),
        *["lockstep"] * 2,
    ]
    assert lines[1].split()[5:] == [
        *("1890", "0.500", "0.250", "55556", "132.28", "0", "-8.00"),
    ]
    assert lines[-1].split()[-3:] == ["2000", "8.00", "400.0"]


@pytest.mark.usefixtures("quick")
def test_json_is_one_complete_object_per_line(capsys):
    assert main(["bench", "server", "--sizes", "9", "9", "--json"]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rows = [LOAD] * 8 + [DELAY] * 3 + [STEPS] * 2
    assert printed == [row._asdict() for row in rows]


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
    assert watch.ends[4] >= seconds - 0.01
    if seconds > MAX_LATE:
        assert watch.begins[5] < watch.ends[4] - 0.1  # a new beginning
    else:
        assert watch.begins[5] >= watch.ends[4]


def test_the_frame_of_the_autopilot_is_one_of_mavlink():
    (message,) = common.MAVLink(None).parse_buffer(control_frame((123456).to_bytes(8, "little")))
    assert message.get_type() == "HIL_ACTUATOR_CONTROLS"
    assert (message.time_usec, message.flags, message.mode) == (123456, 1, 129)
    assert message.controls == pytest.approx([0.1] * 4 + [0] * 12)


@pytest.mark.slow
def test_a_port_in_use_is_told(first_port):
    port = first_port()
    with (
        client("listen", port, 2, 1),
        pytest.raises(PortError, match=str(port)),
        client("listen", port, 2, 1),
    ):
        pass


@pytest.mark.slow
def test_a_program_ends_with_who_started_it(first_port):
    command = [
        sys.executable,
        "-m",
        "pyrfly.server.bench_clients",
        "listen",
        str(first_port()),
        "1",
        "1",
    ]
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
