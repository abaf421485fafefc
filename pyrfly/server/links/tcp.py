"""RflySim's verbs as lines of JSON over TCP: `TcpLink`."""

from __future__ import annotations

import selectors
from collections.abc import Sequence

import numpy as np

from pyrfly import wire
from pyrfly.server.budget import Budget
from pyrfly.server.input_link import InputLink
from pyrfly.server.link import NEVER, steps_at
from pyrfly.server.link_stats import Count
from pyrfly.server.starts import Starts
from pyrfly.server.text_client import Lines, TextClient, Texts
from pyrfly.server.text_messages import Refused, Request, answer, read, state_text
from pyrfly.sim import Sim
from pyrfly.transport import THIS_MACHINE, Packet, Senders
from pyrfly.transport.byte_streams import TcpStream, listening

__all__ = ["MOST_CLIENTS", "MOST_MESSAGES", "PORT", "TcpLink"]

PORT = 20180
"""TCP port of the messages."""

MOST_CLIENTS = 16
"""Number of programs at a time."""

MOST_MESSAGES = 64
"""Number of messages of a program that are executed in a tick; the others wait."""


class TcpLink(InputLink):
    """A TCP port that takes RflySim's verbs as JSON, a line each, and sends states.

    ``{"SendPosNED": [0, 0, -5, 0], "id": 2}`` is what `PX4MavCtrler.SendPosNED` of CopterID 2 sends
    over UDP; without ``id`` it is for the first vehicle. ``{"state": 10}`` asks for the states of
    all vehicles 10 times per simulated second. A message with a whole number ``seq`` is answered
    with it; an error always. What is no object in JSON ends the connection, so that no other
    protocol, such as the HTTP of a page in a browser, gets a command through.

    Parameters
    ----------
    sim : Sim
        The vehicles; gets the synthesis columns if it has none yet.
    port : int
        The port; 0: any free one.
    host : str
        Address to listen on: by default only programs on this machine can connect.
    first_id : int
        CopterID of the first vehicle.
    peers : sequence of str
        Addresses of other computers.
    allow : sequence of str
        Who may command instead of the peers, see `pyrfly.transport.Senders`.
    starts : Starts, optional
        Where vehicles are put back to; by default where they are now.

    Attributes
    ----------
    inbox, act
        See `InputLink`.
    port : int
        The port that is listened on.

    Raises
    ------
    PortError
        When the port is in use or cannot be opened.
    OptionError
        When an argument is not valid.
    """

    name = "tcp"
    option = "--tcp"

    def __init__(
        self,
        sim: Sim,
        port: int = PORT,
        host: str = THIS_MACHINE,
        first_id: int = 1,
        peers: Sequence[str] = (THIS_MACHINE,),
        allow: Sequence[str] = (),
        starts: Starts | None = None,
    ) -> None:
        super().__init__(sim, first_id, starts)
        self._sim, self._first_id = sim, first_id
        self._senders = Senders(peers, allow, host)
        self._clients: list[TextClient] = []
        self._states: list[tuple[TextClient, str, int]] = []
        self._selector = selectors.DefaultSelector()
        self._listener = listening(host, port, f"port of {self.name} ({self.option})")
        self._selector.register(self._listener, selectors.EVENT_READ)
        self.port = self._listener.getsockname()[1]

    def new_texts(self) -> Texts:
        """Return how the messages of a new connection are written."""
        return Lines()

    def where(self) -> list[str]:
        """See `Link.where`."""
        return [f"{self.name} commands: listens on TCP port {self.port}"]

    def take(self, budget: Budget) -> None:
        """See `Link.take`: those that were not read for the longest time come first."""
        for key, _ in self._selector.select(0):
            if key.data is None:
                self._accept()
            elif not key.data.read():
                self._end(key.data)
        for client in list(self._clients):
            self._execute(client, budget)
            if client.is_over and client in self._clients:
                self._end(client)
            if budget.reading_is_over():
                break
        self._clients = self._clients[1:] + self._clients[:1]
        self.inbox.execute(self.act, budget.is_over)

    def due(self, step: int) -> int:
        """See `Link.due`."""
        periods = {period for client in self._clients for period in client.rates.values()}
        return min((step - step % period + period for period in periods), default=NEVER)

    def give(self, step: int) -> None:
        """See `Link.give`: states."""
        wanted = [
            (client, row)
            for client in self._clients
            for row, period in client.rates.items()
            if step % period == 0
        ]
        if not wanted:
            return
        rows = np.unique([row for _, row in wanted])
        estimates = wire.pack(self._sim, "outHILStateData", rows + 1, self._first_id)
        truths = wire.pack(self._sim, "SOut2Simulator", rows + 1, self._first_id)
        armed = (self._sim.armed[rows] != 0).tolist()
        texts = dict(zip(rows.tolist(), map(state_text, estimates, truths, armed), strict=True))
        self._states += [(client, texts[row], row) for client, row in wanted]

    def flush(self) -> None:
        """See `Link.flush`."""
        for client, text, row in self._states:
            if client in self._clients and not client.is_slow:
                self._send(client, text, row)
            else:
                self.stats.add(Count.SEND_ERRORS, row)
        self._states = []

    def close(self) -> None:
        """See `Link.close`."""
        while self._clients:
            self._end(self._clients[0])
        self._listener.close()
        self._selector.close()

    # --- connections

    def _accept(self) -> None:
        """Take a connection of one who may command, as long as there are not too many."""
        try:
            connection, (address, _) = self._listener.accept()
        except OSError:  # it has ended already
            return
        if not self._senders.may(address):
            self.stats.add_foreign(0)
            connection.close()
        elif len(self._clients) >= MOST_CLIENTS:
            connection.close()
        else:
            client = TextClient(TcpStream(connection), self.new_texts())
            self._clients.append(client)
            self._selector.register(client, selectors.EVENT_READ, client)

    def _end(self, client: TextClient) -> None:
        self._clients.remove(client)
        self._selector.unregister(client)
        client.close()

    def _send(self, client: TextClient, text: str, row: int) -> None:
        if client.write(text):
            self.stats.add(Count.SENT, row)
        else:
            self.stats.add(Count.SEND_ERRORS, row)
            self._end(client)

    # --- messages

    def _execute(self, client: TextClient, budget: Budget) -> None:
        """Execute messages of a program, as many as there is time for."""
        for _ in range(MOST_MESSAGES):
            if client not in self._clients or not client.waiting:
                return
            text = client.waiting.popleft()
            try:
                request = read(text, self._sim.n, self._first_id)
            except Refused as error:
                self._refuse(client, error)
            else:
                if self.inbox.is_full(request.row or 0):
                    client.waiting.appendleft(text)
                    return
                self._do(client, request)
            if budget.reading_is_over():
                return

    def _refuse(self, client: TextClient, error: Refused) -> None:
        self.stats.add([Count.RECEIVED, Count.UNKNOWN], 0)
        if self.inbox.notices is not None:
            self.inbox.notices.dropped(self.name, Count.UNKNOWN, str(error))
        self._send(client, answer(error.seq, str(error)) or "", 0)
        if error.fatal and client in self._clients:
            self._end(client)

    def _do(self, client: TextClient, request: Request) -> None:
        """Do what a message requests; the answer says that it is understood."""
        if request.rate is None:
            assert request.row is not None
            packets = [Packet(request.row, *message) for message in request.packets]
            self.inbox.put(packets)
        else:
            self._subscribe(client, request.row, request.rate)
        text = answer(request.seq)
        if text is not None:
            self._send(client, text, request.row or 0)

    def _subscribe(self, client: TextClient, row: int | None, rate: float) -> None:
        self.stats.add([Count.RECEIVED, Count.ACCEPTED], row or 0)
        rows = range(self._sim.n) if row is None else [row]
        if rate == 0:
            for one in rows:
                client.rates.pop(one, None)
        else:
            client.rates.update(dict.fromkeys(rows, steps_at(rate, self._sim.dt)))
