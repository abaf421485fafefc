"""Datagrams of many sockets: addresses as numbers, and what the core refuses."""

import ipaddress
import socket

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly import _core
from pyrfly.transport.datagrams import BUFFER, SocketSet, address_from, address_number


@given(st.ip_addresses(v=4), st.integers(0, 65535))
def test_an_address_is_a_number_and_back(ip: ipaddress.IPv4Address, port: int) -> None:
    number = address_number((str(ip), port))
    assert number == int(ip) * 65536 + port
    assert address_from(number) == (str(ip), port)


def test_a_long_datagram_is_cut() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", 0))
        ear.setblocking(False)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(bytes(BUFFER + 1), ear.getsockname())
            origin = ("127.0.0.1", sender.getsockname()[1])
        received = SocketSet([ear], 4).receive(np.array([0]), 4)
        assert received.datas == [bytes(BUFFER)]
        assert list(map(address_from, received.origins.tolist())) == [origin]


needs_core = pytest.mark.skipif(not hasattr(_core, "net_send"), reason="the core has no sockets")


def numbers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


@needs_core
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sockets", np.zeros(1)),
        ("sockets", np.zeros((1, 1), np.int32)),
        ("sockets", np.zeros(4, np.int32)[::2]),
        ("first", numbers(0)),
        ("first", numbers(1, 0)),
        ("first", numbers(-1, 1)),
        ("first", numbers(0, 2)),
        ("rows", numbers(1)),
        ("rows", numbers(-1)),
        ("lengths", numbers(0, 0)),
        ("starts", numbers(-1)),
        ("starts", numbers(4)),
        ("lengths", numbers(2**62)),
        ("lengths", numbers(-1)),
    ],
)
def test_datagrams_that_do_not_fit_are_refused(name: str, value: np.ndarray) -> None:
    arguments = {
        "sockets": np.array([-1], np.int32),
        "first": numbers(0, 1),
        "to": numbers(0),
        "rows": numbers(0),
        "starts": numbers(0),
        "lengths": numbers(4),
        "data": b"four",
    }
    assert _core.net_send(*arguments.values()).tolist() == [1]  # of no socket
    with pytest.raises(ValueError, match=f"{name}.*: expected"):
        _core.net_send(*{**arguments, name: value}.values())


@needs_core
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sockets", numbers(0)),
        ("each", 3),
        ("each", -1),
        ("data", np.zeros((2, 9), np.int8)),
        ("data", np.zeros(18, np.uint8)),
        ("indices", numbers(0)),
        ("lengths", numbers(0, 0, 0)),
        ("origins", np.zeros(2)),
    ],
)
def test_room_that_does_not_fit_is_refused(name: str, value: np.ndarray | int) -> None:
    arguments = {
        "sockets": np.array([-1], np.int32),
        "each": 2,
        "data": np.zeros((2, 9), np.uint8),
        "indices": numbers(0, 0),
        "lengths": numbers(0, 0),
        "origins": numbers(0, 0),
    }
    assert _core.net_receive(*arguments.values()) == 0
    with pytest.raises(ValueError, match=f"{name}: expected"):
        _core.net_receive(*{**arguments, name: value}.values())
