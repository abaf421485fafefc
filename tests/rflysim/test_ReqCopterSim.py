"""ReqCopterSim: heartbeats in, settings out byte by byte."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pyrfly.rflysim import ReqCopterSim as module
from pyrfly.rflysim.ReqCopterSim import ReqCopterSim, RflyTimeStmp
from pyrfly.transport import Ports


def heartbeat(copter_id: int, count: int = 1, checksum: int = 123456789) -> bytes:
    return struct.pack("2i3q", checksum, copter_id, 1_700_000_000_000, 1_700_000_001_500, count)


@pytest.fixture
def found(ports: Ports, inbox: Any) -> Iterator[tuple[ReqCopterSim, Any]]:
    """Give a client that has heard of vehicles 1 and 2, and the port of settings."""
    settings = inbox(ports.configure)
    client = ReqCopterSim(listen_s=0, ports=ports)
    for copter_id in (1, 2):
        settings.send(heartbeat(copter_id), ports.heartbeat)
    client.listen_s = 0.1
    client.updateSimMsg()
    yield client, settings
    client.close()


def test_simulators_are_found_by_their_heartbeats(found: tuple[ReqCopterSim, Any]) -> None:
    client, _ = found
    assert client.getSimIpList() == [(1, "127.0.0.1"), (2, "127.0.0.1")]
    assert client.getSimIpID(2) == "127.0.0.1"
    stamp = client.RflyTimeVect[0]
    assert (stamp.checksum, stamp.copterID, stamp.HeartCount) == (123456789, 1, 1)
    assert (stamp.SysStartTime, stamp.SysCurrentTime) == (1_700_000_000, 1_700_000_001.5)
    assert stamp.isCopterSimOnPC


def test_bad_heartbeats_are_ignored(found: tuple[ReqCopterSim, Any]) -> None:
    client, box = found
    for data in (b"", b"x" * 32, heartbeat(3, checksum=1), heartbeat(3)[:-1], heartbeat(4)):
        box.send(data, client.ports.heartbeat)
    client.updateSimMsg()
    assert [copter_id for copter_id, _ in client.getSimIpList()] == [1, 2, 4]


def test_a_heartbeat_from_here_is_preferred(found: tuple[ReqCopterSim, Any]) -> None:
    client, _ = found
    client._take(heartbeat(1, 5), ("192.0.2.7", 9))  # an address of no computer [@rfc5737]
    assert client.RflyTimeVect[0].HeartCount == 1
    client._take(heartbeat(3, 5), ("192.0.2.7", 9))
    assert (client.RflyTimeVect[2].tarIP, client.RflyTimeVect[2].isCopterSimOnPC) == (
        "192.0.2.7",
        False,
    )
    client._take(heartbeat(3, 6), ("127.0.0.1", 9))
    assert (client.RflyTimeVect[2].tarIP, client.RflyTimeVect[2].HeartCount) == ("127.0.0.1", 6)


def test_a_vehicle_without_heartbeat_gets_one_request(
    ports: Ports, inbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulator = inbox(ports.model)
    client = ReqCopterSim(listen_s=0, ports=ports)
    client.listen_s = 0.3

    def answer() -> None:
        assert simulator.get() == struct.pack("2i", 123450, 90)
        simulator.send(heartbeat(1), ports.heartbeat)

    thread = threading.Thread(target=answer)
    thread.start()
    assert client.getSimIpID(1) == "127.0.0.1"
    thread.join()
    assert client.getSimIpList() == [(1, "127.0.0.1")]
    client.listen_s = 0.01
    assert client.getSimIpID(2) == "127.0.0.1"
    monkeypatch.setattr(module, "tarIpAddr", "192.0.2.9")
    assert client.getSimIpID(2) == "192.0.2.9"
    client.close()


def settings(
    copter_id: int, flags: tuple[int, ...], zrpy: tuple[float, ...], xy: tuple[float, ...]
) -> bytes:
    return struct.pack("2i4b4B4f2d", 1234567, copter_id, *flags, 0, 0, 0, 0, *zrpy, *xy)


NONE = (0.0, 0.0)


# flags are isReqIP, isXyYaw, isZRP, UDP_mode; then z, roll, pitch, yaw; then x, y
@pytest.mark.parametrize(
    ("send", "expected"),
    [
        (lambda c: c.sendReSimIP(1), settings(1, (0, 0, 0, -1), (0, 0, 0, 0), NONE)),
        (lambda c: c.sendReSimUdpMode(1, 2), settings(1, (-1, 0, 0, 2), (0, 0, 0, 0), NONE)),
        (
            lambda c: c.sendReSimXYyaw(1, [1.5, -2.5, 90]),
            settings(1, (-1, 1, 0, -1), (0, 0, 0, 90), (1.5, -2.5)),
        ),
        (
            lambda c: c.sendReGPSOrin(1, [40.5, 116.25, 33]),
            settings(1, (-1, 2, 0, -1), (0, 0, 0, 33), (40.5, 116.25)),
        ),
        (
            lambda c: c.sendReGPSPos(1, 40.5, 116.25, 45),
            settings(1, (-1, 3, 0, -1), (0, 0, 0, 45), (40.5, 116.25)),
        ),
        (lambda c: c.sendEnGpsMode(1), settings(1, (-1, 4, 0, -1), (0, 0, 0, 0), NONE)),
        (lambda c: c.sendEnXyMode(1), settings(1, (-1, 5, 0, -1), (0, 0, 0, 0), NONE)),
        (
            lambda c: c.sendReSimXyzRPYaw(1, [1, 2, -3], [4, 5, 6]),
            settings(1, (-1, 1, 1, -1), (-3, 4, 5, 6), (1, 2)),
        ),
        (
            lambda c: c.sendReCopterSim(1, 0, 1, 1, [1, 2, 3], 1, [4, 5, 6], [7, 8, 9, 255]),
            struct.pack("2i4b4B4f2d", 1234567, 1, -1, 1, 1, 1, 7, 8, 9, 255, 4, 5, 6, 3, 1, 2),
        ),
        (
            lambda c: c.sendReSimDllName(1, "quad"),
            struct.pack("4i48s", 1234567895, 1, 1, -1, b"quad"),
        ),
        (lambda c: c.sendReSimDllIdx(1, 7), struct.pack("4i48s", 1234567895, 1, 1, 7, b"")),
        (
            lambda c: c.sendReSimMapName(1, "Hill"),
            struct.pack("4i48s", 1234567895, 1, 2, -1, b"Hill"),
        ),
        (lambda c: c.sendReSimMapIdx(1, 7), struct.pack("4i48s", 1234567895, 1, 2, 7, b"")),
        (lambda c: c.sendReDllMap(-1, 2, 3), struct.pack("4i48s", 1234567895, -1, 2, 3, b"")),
    ],
)
def test_bytes(
    found: tuple[ReqCopterSim, Any], send: Callable[[ReqCopterSim], None], expected: bytes
) -> None:
    client, box = found
    send(client)
    assert box.get() == expected


def test_a_vehicles_own_port_gets_them_too(found: tuple[ReqCopterSim, Any], inbox: Any) -> None:
    client, _ = found
    box = inbox(client.ports.model)
    client.sendReSimUdpMode(1, 2)
    assert box.get() == settings(1, (-1, 0, 0, 2), (0, 0, 0, 0), NONE)


@pytest.mark.parametrize(
    ("send", "message"),
    [
        (lambda c: c.sendReSimUdpMode(1, 200), "reCopterSimMsg"),
        (lambda c: c.sendReCopterSim(1, otherParams=[0, 0, 0, 256]), "reCopterSimMsg"),
        (lambda c: c.sendReSimMapName(1, "x" * 49), "name: expected at most 48 bytes, got 49"),
    ],
)
def test_bad_arguments(
    found: tuple[ReqCopterSim, Any], send: Callable[[ReqCopterSim], None], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        send(found[0])


def test_addresses(found: tuple[ReqCopterSim, Any]) -> None:
    client, _ = found
    assert client.isValidIp(client.getHostIP())
    assert client.getLocalIp() == client.getHostIP()
    assert client.isIpLocal(client.getHostIP())
    assert client.isIpLocal("127.0.0.1")
    assert not client.isIpLocal("192.0.2.1")
    assert not client.isIpLocal("nonsense")
    for text in ("", "1.2.3", "1.2.3.256", "::1", "a.b.c.d"):
        assert not client.isValidIp(text)


def test_all_interfaces_use_the_group_where_there_is_one(ports: Ports) -> None:
    client = ReqCopterSim(listen_s=0, bind="0.0.0.0", ports=ports)
    assert isinstance(client.isFalseMulti, bool)
    client.close()
    alone = ReqCopterSim(listen_s=0, ports=ports)
    assert alone.isFalseMulti
    alone.close()


def test_a_stamp_is_updated() -> None:
    stamp = RflyTimeStmp([1, 2, 3000, 4500, 5])
    stamp.Update([1, 2, 3000, 5500, 6])
    assert (stamp.SysStartTime, stamp.SysCurrentTime, stamp.HeartCount) == (3, 5.5, 6)
