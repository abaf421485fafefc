"""Packets and logs in Octave are those of Python; what the functions are told wrongly they name."""

from __future__ import annotations

import re
import socket

import numpy as np
import pytest

import pyrfly
from pyrfly import wire
from pyrfly.log import Recorder, export_log
from pyrfly.wire import LAYOUTS

from .conftest import FOLDER

PORTS = ("command", "state", "sil", "truth")
PACKETS = {
    name: layout
    for name, layout in LAYOUTS.items()
    if {layout.port_kind, *layout.more_ports} & {*PORTS}
}


def numbered(name: str) -> np.void:
    """Return a packet whose fields differ, where they are not constant."""
    packet, rng = wire.blank(name)[0], np.random.default_rng(5)
    for field in packet.dtype.names:
        if field not in ("checksum", "tg", "len"):
            kind = packet.dtype[field]
            values = rng.integers(1, 100, packet[field].shape or 1)
            if kind.base.kind == "S":
                packet[field] = b"abc"
            else:
                packet[field] = values if kind.shape else values[0]
    return packet


@pytest.mark.slow
def test_packets_have_the_bytes_of_pythons(octave) -> None:
    """Unpacked and packed again in Octave."""
    lines = ["packets = pyrfly_packets();"]
    for name in PACKETS:
        data = " ".join(map(str, numbered(name).tobytes()))
        lines += [
            f"[name, values] = pyrfly_unpack(packets.{name}.ports{{1}}, uint8([{data}]));",
            f"printf('{name} %s', name); printf(' %d', pyrfly_pack('{name}', values));",
            "printf(' |'); printf(' %.9g', struct2cell(values){:}); printf('\\n');",
        ]
    printed = octave("\n".join(lines)).splitlines()
    assert len(printed) == len(PACKETS)
    for line in printed:
        head, values = line.split(" | ")
        expected, name, *data = head.split()
        packet = numbered(expected)
        assert name == expected
        assert bytes(map(int, data)) == packet.tobytes()
        texts = [field for field in packet.dtype.names if packet.dtype[field].base.kind == "S"]
        if not texts:
            fields = [np.ravel(packet[field]) for field in packet.dtype.names]
            assert np.fromstring(values, sep=" ") == pytest.approx(np.concatenate(fields))


@pytest.mark.slow
def test_other_bytes_are_none_of_the_packets(octave) -> None:
    program = """
    for n = [0 1 24 52 112 120 168 264 528 1500]
        [name, values] = pyrfly_unpack('truth', zeros(1, n, 'uint8'));
        assert(isempty(name));
        assert(isempty(fieldnames(values)));
    end
    assert(isempty(pyrfly_unpack('nowhere', zeros(1, 24, 'uint8'))));
    """
    octave(program)


@pytest.mark.slow
def test_errors_name_what_was_wrong(octave) -> None:
    calls = {
        "pyrfly_pack('nothing', struct())": "name: expected a field of pyrfly_packets",
        "pyrfly_pack('inOffboardShortData', struct('mode', 2))": "no field 'mode'",
        "pyrfly_pack('inOffboardShortData', struct('ctrls', [1 2 3]))": "ctrls: expected 4",
        "pyrfly_pack('inOffboardShortData', struct('ctrlMode', 1.5))": "ctrlMode: expected",
        "pyrfly_pack('inOffboardShortData', struct('ctrlMode', NaN))": "ctrlMode: expected",
        "pyrfly_pack('inOffboardShortData', struct('ctrls', [1e99 0 0 0]))": "ctrls: expected",
        "pyrfly_client(1).SendPosNED(0, 0, -5, 0, 0)": "expected at most 4 arguments",
        "pyrfly_client(1).SendMavArm(1)": "call InitMavLoop first",
        "pyrfly_client(1).InitMavLoop(2)": "UDPMode: expected 0",
        "pyrfly_client(1).sendSILIntFloat(zeros(1, 9), 0)": "expected at most 8 numbers",
        "pyrfly_client(1).SendAttPX4([0 0 0], 0.5, 7)": "CtrlFlag: expected",
    }
    for_each = "try, {}; disp('none'), catch e, disp(e.message), end"
    printed = octave("\n".join(map(for_each.format, calls))).splitlines()
    for line, expected in zip(printed, calls.values(), strict=True):
        assert expected in line


@pytest.mark.slow
def test_a_port_in_use_is_named(octave, octave_sockets) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("", 0))
        port = taken.getsockname()[1]
        printed = octave(f"try, pyrfly_udp({port}); catch e, disp(e.message), end")
    assert f"port {port}: bind failed" in printed


@pytest.mark.slow
@pytest.mark.parametrize("exported", [False, True])
def test_logs_are_read(exported: bool, octave, tmp_path) -> None:
    sim = pyrfly.Sim("x450", 3)
    recorder = Recorder(sim, every=100)
    sim.arm()
    sim.command_velocity([[1, 0, -1], [0, 1, -1], [0, 0, -2]])
    sim.run(1, record=recorder)
    log, path = recorder.log(), tmp_path / "flight.csv"
    if exported:
        export_log(log, path)
    else:
        log.save(path)
    program = f"""
    log = pyrfly_log('{path}');
    printf('%.9g ', log.copter_ids, log.time, log.pos_down, log.vel_east);
    """
    numbers = np.fromstring(octave(program), sep=" ")
    assert len(log) == 11
    down, east = log["pos"][:, :, 2].T, log["vel"][:, :, 1].T  # columns of Octave
    expected = [[1, 2, 3], log.time, down.ravel(), east.ravel()]
    np.testing.assert_allclose(numbers, np.concatenate(expected), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.m")), ids=lambda path: path.name)
def test_syntax_is_that_of_matlab_too(path) -> None:
    """No operators, ends of blocks, quotes and comments that MATLAB does not have."""
    code = re.sub(r"'(?:[^'\n]|'')*'", "''", path.read_text("utf-8"))
    lines = [line.split("%")[0] for line in code.splitlines()]
    foreign = re.compile(
        r'!=|\+\+|--|[-+*/]=|\*\*|["#]|\bend_?(?:if|while|for|function|switch|try_catch|classdef|methods|properties)\b|\b(?:printf|do|until|unwind_protect)\b|'
        r"(?<![\w.')\]])!|\)\{|\)\("
    )
    assert [line for line in lines if foreign.search(line)] == []
