"""Messages to several ports of peers and to the group."""

from __future__ import annotations

import contextlib
import socket
import sys
import time

import numpy as np
import pytest

from pyrfly.transport import FanOut, group_listener

HERE = "127.0.0.1"
MESSAGES = np.arange(3, dtype="<u4")


@pytest.fixture
def boxes(first_port):
    """Return two sockets at neighbouring ports."""
    port = first_port()
    with contextlib.ExitStack() as stack:
        opened = [
            stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(2)
        ]
        for number, box in enumerate(opened):
            box.bind((HERE, port + number))
            box.settimeout(20)
        yield opened


def ports_of(boxes) -> list[int]:
    return [box.getsockname()[1] for box in boxes]


def received(box) -> list[int]:
    return [int.from_bytes(box.recv(10), "little") for _ in MESSAGES]


def test_every_port_gets_every_message(boxes):
    out = FanOut([HERE], ports_of(boxes), HERE)
    sent = out.send(MESSAGES)
    assert [received(box) for box in boxes] == [[0, 1, 2]] * 2
    assert sent.packets.tolist() == [2, 2, 2]
    assert sent.failures.tolist() == [0, 0, 0]
    out.close()
    out.close()


def test_the_group_gets_them_once(first_port):
    port = first_port()
    listener = group_listener(port, HERE)
    if listener is None:
        pytest.skip("no multicast on the loopback interface")
    out = FanOut([HERE], [port + 1], HERE, group_port=port)
    with listener:
        listener.setblocking(True)
        listener.settimeout(20)
        out.send(MESSAGES)
        assert received(listener) == [0, 1, 2]
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.recv(10)
    out.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells that nobody listens")
def test_ports_at_which_nobody_listens_are_left_out(boxes):
    used, free = ports_of(boxes)
    boxes[1].close()
    out = FanOut([HERE], [free, used, free + 1], HERE)
    counts = [int(out.send(MESSAGES).packets.sum()) for _ in range(50)]
    assert counts[0] == 5  # of three ports; the first message finds out
    assert counts.count(3) > 40
    boxes[1] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    boxes[1].bind((HERE, free))
    end = time.monotonic() + 20
    while out.send(MESSAGES).packets.sum() < 6:
        assert time.monotonic() < end
        time.sleep(0.01)
    boxes[1].close()
    out.close()


def test_no_messages_are_none():
    out = FanOut([HERE], [9, 10], HERE)
    assert out.send(MESSAGES[:0]).packets.tolist() == []
    out.close()
