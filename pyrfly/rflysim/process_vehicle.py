"""A vehicle of this process where a packet for its model's port would go: `ProcessVehicle`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from pyrfly import wire
from pyrfly.ctrl.background import World
from pyrfly.errors import CommandWarning, warn
from pyrfly.protocol.terrain import ObjectYaws
from pyrfly.server.decode import decode
from pyrfly.server.extensions import Extensions
from pyrfly.server.link_stats import Count
from pyrfly.server.orders import (
    APPLIED,
    Action,
    Extension,
    Injection,
    ModelParameters,
    TerrainInput,
    apply,
    done_in_part,
    moving_ground,
)
from pyrfly.server.outputs import OUTPUTS

__all__ = ["ProcessVehicle"]

_FIRST = np.ones(1, np.intp)
_TRUTHS = [output for output in OUTPUTS["udp_full"] if output.kind == "truth"]


class ProcessVehicle:
    """The model's input port and the true state of a vehicle, without sockets.

    Parameters
    ----------
    world : World
        The simulations of this process.
    copter_id : int
        CopterID of the vehicle there.
    """

    def __init__(self, world: World, copter_id: int) -> None:
        self._world = world
        self._copter_id = copter_id
        self._sim, self._number = world.find(copter_id)
        self._updates: list[Callable[[], None]] = []
        self._object_yaws = ObjectYaws(1)
        self._extensions = Extensions(1)
        with world.lock:
            self._sim.enable_synthesis()

    def take(self, packet: bytes) -> None:
        """Execute a packet of the 30100 series, as a server does.

        Raises
        ------
        ValueError
            A number that counts is not finite, or does not fit.

        Warns
        -----
        CommandWarning
            The packet has no effect here.
        """
        name = wire.identify("sil", packet)
        records = np.frombuffer(packet, wire.dtype(name))
        orders = decode(name, records, np.array([self._copter_id]))
        verdict = orders.verdicts[0]
        if verdict == Count.NOT_FINITE:
            raise ValueError(f"{name}: expected finite numbers that fit where they count")
        actions = [*self._applied(orders.actions)]
        stored = any(isinstance(a, Extension) and not a.applied.all() for a in orders.actions)
        if verdict != Count.ACCEPTED or not (actions or stored):
            warn(
                f"{name}: CopterID {self._copter_id} is simulated in this process, and has no part "
                "that uses it",
                CommandWarning,
            )
            return
        with self._world.lock:
            for action in actions:
                own = action._replace(ids=np.array([self._number]))
                if isinstance(own, Injection | ModelParameters):
                    for _, text in done_in_part(self._sim, own):
                        warn(text, CommandWarning)
                    continue
                if isinstance(own, TerrainInput):
                    first, time = np.zeros(1, np.intp), self._sim.time
                    own = moving_ground(own, self._object_yaws, first, time)
                apply(self._sim, own)

    def _applied(self, actions: Sequence[Action]) -> Iterator[Action]:
        """Yield what acts here; of additional inputs the faults."""
        for action in actions:
            if isinstance(action, Extension):
                yield from self._extensions.take(action._replace(ids=_FIRST))
            elif isinstance(action, APPLIED):
                yield action

    def look(self) -> None:
        """Note that a script reads the true state."""
        self._world.look()

    def send_truth(self, take: Callable[[bytes], object]) -> None:
        """Call ``take`` with the packets of the true state, at the rates of a server."""
        with self._world.lock:
            self.stop_truth()
            for output in _TRUTHS:
                update = partial(self._send, output.name, take)
                self._sim.add_listener(update, 1.0 / output.rate)
                self._updates.append(update)
                update()

    def stop_truth(self) -> None:
        """End what `send_truth` began."""
        with self._world.lock:
            for update in self._updates:
                self._sim.remove_listener(update)
            self._updates = []

    def send_measured(self, rate: float, take: Callable[[bytes], object]) -> Callable[[], None]:
        """Call ``take`` with packets of what the IMU measures; return a function that ends it.

        Parameters
        ----------
        rate : float
            How often [Hz], at most at the ``sensor_rate`` of the vehicle; the period is rounded to
            whole steps.
        take : callable
            Called with each packet.
        """
        update = partial(self._send, "imuDataCopter", take)
        with self._world.lock:
            self._sim.add_listener(update, 1.0 / min(rate, self._sim.sensors.rate))

        def stop() -> None:
            with self._world.lock:
                self._sim.remove_listener(update)

        return stop

    def _send(self, name: str, take: Callable[[bytes], object]) -> None:
        packet = wire.pack(self._sim, name, self._number)
        for field in {"copterID", "CopterID"} & set(packet.dtype.names or ()):
            packet[field] = self._copter_id
        take(packet[0].tobytes())
