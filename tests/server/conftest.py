"""What the decoders of the server make of packets."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pyrfly import wire
from pyrfly.server.decode import decode
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import Action, Orders

from ..plugins.conftest import build

__all__ = ["build"]

STANDINS = Path(__file__).with_name("standins")
SIL_CHECKSUMS = (1234567897, *range(1234567801, 1234567806), *range(1234567891, 1234567894))


class Sender:
    """Sends packets to the first vehicle of a server."""

    def __init__(self, first_port: int) -> None:
        self.first_port = first_port
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(self, packet: bytes) -> None:
        """Send to the port of the commands, or to that of the inputs where it is for that."""
        series = 10000 if int.from_bytes(packet[:4], "little") in SIL_CHECKSUMS else 0
        self.socket.sendto(packet, ("127.0.0.1", self.first_port + series))


@pytest.fixture
def sender_to() -> Iterator[Callable[[int], Sender]]:
    """Return a function that makes a `Sender` from a first port."""
    made: list[Sender] = []

    def make(first_port: int) -> Sender:
        made.append(Sender(first_port))
        return made[-1]

    yield make
    for sender in made:
        sender.socket.close()


@pytest.fixture(scope="session")
def full_pipe() -> Callable[[], tuple[int, int]]:
    """Return a function that makes a pipe, reader and writer, which takes no more."""

    def make() -> tuple[int, int]:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writer, b"x" * 4096)
        os.set_blocking(writer, True)
        return reader, writer

    return make


@dataclass
class Received:
    """What packets of one kind came to."""

    orders: Orders

    @property
    def verdicts(self) -> list[str]:
        return [Count(verdict).name.lower() for verdict in self.orders.verdicts]

    @property
    def only(self) -> Action:
        """The one action."""
        (action,) = self.orders.actions
        return action

    def is_dropped(self, reason: str) -> bool:
        """Return whether all packets were dropped for a reason."""
        return self.orders.actions == [] and set(self.verdicts) == {reason}


@pytest.fixture(scope="session")
def received() -> Callable[..., Received]:
    """Return a function that decodes packets; by default the first is for vehicle 1, and so on."""

    def receive(name: str, *packets: bytes, ids=None) -> Received:
        records = np.frombuffer(b"".join(packets), dtype=wire.dtype(name))
        assert len(records) == len(packets)
        copter_ids = np.arange(1, len(packets) + 1) if ids is None else np.array(ids)
        return Received(decode(name, records, copter_ids))

    return receive


@pytest.fixture(scope="session")
def standin() -> Callable[[str], ModuleType]:
    """Return a function that imports a stand-in of another program by name."""

    def load(name: str) -> ModuleType:
        full = f"standins_{name}"
        if full not in sys.modules:
            spec = importlib.util.spec_from_file_location(full, STANDINS / f"{name}.py")
            assert spec is not None
            assert spec.loader is not None
            module = sys.modules[full] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        return sys.modules[full]

    return load
