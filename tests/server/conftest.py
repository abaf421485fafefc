"""What the decoders of the server make of packets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from pyrfly import wire
from pyrfly.server.decode import decode
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import Action, Orders


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

    def receive(name: str, *packets: bytes, ids=None, armed: bool = True) -> Received:
        records = np.frombuffer(b"".join(packets), dtype=wire.dtype(name))
        assert len(records) == len(packets)
        copter_ids = np.arange(1, len(packets) + 1) if ids is None else np.array(ids)
        return Received(decode(name, records, copter_ids, np.full(len(packets), armed)))

    return receive
