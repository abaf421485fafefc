"""Heartbeats: byte by byte, and found by ReqCopterSim."""

import socket
import struct
import time

import pytest

from pyrfly.rflysim.ReqCopterSim import ReqCopterSim
from pyrfly.server.heartbeat import Heartbeat
from pyrfly.transport import OptionError, Ports


def test_bytes_are_rflysims(first_port):
    first = first_port(2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as box:
        box.bind(("127.0.0.1", first - 95))  # 20005 for 20100
        box.settimeout(20)
        before = 1000 * time.time()
        heartbeat = Heartbeat(2, first_port=first, period=0.05)
        packets = [box.recv(100) for _ in range(4)]
        heartbeat.close()
        heartbeat.close()
    assert [len(packet) for packet in packets] == [32] * 4
    numbers = [struct.unpack("<2i3q", packet) for packet in packets]
    assert [(checksum, copter_id) for checksum, copter_id, *_ in numbers] == [
        (123456789, 1), (123456789, 2), (123456789, 1), (123456789, 2),
    ]  # fmt: skip
    start, later = numbers[0][2:], numbers[2][2:]
    assert start[0] == pytest.approx(before, abs=20_000)
    assert later[0] == start[0]
    assert later[1] >= start[1] >= start[0]
    assert (start[2], later[2]) == (1, 2)


def test_reqcoptersim_finds_the_vehicles(first_port):
    first = first_port(3)
    heartbeat = Heartbeat(3, first_port=first, period=0.05)
    client = ReqCopterSim(listen_s=1, ports=Ports(control=first, heartbeat=first - 95))
    heartbeat.close()
    found = sorted(client.getSimIpList())
    client.close()
    assert found == [(i, "127.0.0.1") for i in (1, 2, 3)]


def test_addresses_are_those_of_the_server():
    with pytest.raises(OptionError, match="peers"):
        Heartbeat(1, ["192.0.2.1"])


def test_without_a_port_there_are_none():
    heartbeat = Heartbeat(1, first_port=50)
    assert heartbeat.port < 1
    heartbeat.close()
