"""RflySim's verbs as JSON over WebSocket, and a page that sends them: `WebSocketLink`."""

from __future__ import annotations

from collections.abc import Sequence

from pyrfly.errors import import_extra
from pyrfly.server.links.tcp import TcpLink
from pyrfly.server.starts import Starts
from pyrfly.server.text_client import Texts
from pyrfly.sim import Sim
from pyrfly.transport import THIS_MACHINE

__all__ = ["PORT", "WebSocketLink"]

PORT = 20181
"""TCP port of the messages and of the page."""


class WebSocketLink(TcpLink):
    """A port that takes RflySim's verbs as messages of WebSocket, in JSON as those of `TcpLink`.

    A browser that opens the port gets a page that shows the vehicles and commands them. A browser
    says which page connects: those of other servers are refused.

    Parameters
    ----------
    sim, port, host, first_id, peers, allow, starts
        As of `TcpLink`.

    Raises
    ------
    MissingExtraError
        Without ``pip install 'pyrfly[websocket]'``.
    PortError, OptionError
        As by `TcpLink`.
    """

    name = "websocket"
    option = "--websocket"

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
        import_extra("websockets", "websocket", "WebSocketLink (--websocket)")
        super().__init__(sim, port, host, first_id, peers, allow, starts)

    def new_texts(self) -> Texts:
        """See `TcpLink.new_texts`."""
        from pyrfly.server.web_texts import WebTexts  # which imports the extra

        return WebTexts()
