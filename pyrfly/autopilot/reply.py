"""A MAVLink message to send: `Reply`; the decoded message that is received: `Message`."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

__all__ = ["CRITICAL", "Message", "Reply", "status_text"]

CRITICAL = 2
"""MAV_SEVERITY_CRITICAL."""


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
