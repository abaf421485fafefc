"""A MAVLink message to send: `Reply`; the decoded message that is received: `Message`."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

__all__ = ["CRITICAL", "Message", "Reply", "status_text", "status_texts"]

CRITICAL = 2
"""MAV_SEVERITY_CRITICAL."""


_TEXT_SIZE = 50  # bytes of a STATUSTEXT


class Message(Protocol):
    """A decoded message: its fields are attributes, as of the message classes of pymavlink."""

    # Fields have the types of their message, which `get_type` tells.
    def __getattr__(self, name: str) -> Any: ...

    def get_type(self) -> str:
        """Return the name of the message, such as ``"PARAM_SET"``."""
        ...

    def get_srcSystem(self) -> int:
        """Return the MAVLink ID of the sender."""
        ...

    def get_srcComponent(self) -> int:
        """Return the component ID of the sender."""
        ...


class Reply(NamedTuple):
    """A message to send.

    Attributes
    ----------
    name : str
        Name of the message, such as ``"PARAM_VALUE"``.
    fields : dict
        All its fields by the names of the message definition, those of MAVLink 2 included; text as
        str.
    """

    name: str
    fields: dict[str, object]


def status_text(text: str, severity: int = CRITICAL) -> Reply:
    """Return a STATUSTEXT of at most 50 bytes."""
    return Reply("STATUSTEXT", {"severity": severity, "text": text, "id": 0, "chunk_seq": 0})


def status_texts(text: str, severity: int, number: int) -> list[Reply]:
    """Return a text of any length as STATUSTEXTs, which stations put together.

    Parameters
    ----------
    text : str
        The text, of ASCII.
    severity : int
        MAV_SEVERITY.
    number : int
        Identifier of a text of several parts, 1 to 65535, another one for each text.

    Examples
    --------
    >>> [(t.fields["id"], t.fields["chunk_seq"]) for t in status_texts("x" * 60, CRITICAL, 7)]
    [(7, 0), (7, 1)]
    """
    parts = [text[i : i + _TEXT_SIZE] for i in range(0, len(text), _TEXT_SIZE)]
    if len(parts) < 2:
        return [status_text(text, severity)]
    return [
        Reply("STATUSTEXT", {"severity": severity, "text": part, "id": number, "chunk_seq": place})
        for place, part in enumerate(parts)
    ]
