"""``pyrfly sim --events``: changes of columns while the server runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyrfly.cli import main
from pyrfly.server import Server, command_line

EVENTS = """
[[events]]
time = 0.1
wind = [3, 0, 0]

[[events]]
time = 0.2
ids = [6]
mass = 2.5

[[events]]
time = 60
mass = 9
"""


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Return a function that serves with events for 0.5 s and returns the vehicles of then."""
    servers: list[Server] = []

    class Kept(Server):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            servers.append(self)

    monkeypatch.setattr(command_line, "Server", Kept)

    def serve(text: str, first_port: int, *arguments: str) -> Any:
        file = tmp_path / "events.toml"
        file.write_text(text)
        options = ["--rate", "max", "--seconds", "0.5", "--sensors", "none"]
        main(["sim", *arguments, *options, "--first-port", str(first_port), "--events", str(file)])
        return servers[-1].sim

    return serve


def test_events_of_a_file_act_at_their_times(
    served: Callable[..., Any], first_port: Callable[[int], int]
) -> None:
    sim = served(EVENTS, first_port(8), "START_INDEX=5", "VehicleNum=3")
    assert sim.wind[:, 0].tolist() == [3, 3, 3]
    assert (sim.mass == 2.5).tolist() == [False, True, False]
    assert [event.over for event in sim.events] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[events]]\ntime = -1\nmass = 1", "entry 1: time"),
        ("[[events]]\ntime = 1\nids = [4]\nmass = 1", "entry 1: ids"),
        ("[[events]]\ntime = 1\nmasse = 1", "masse"),
        ("[[event]]\ntime = 1", "'event'"),
        ("events = 3", "events"),
        ("[[events", "TOML"),
    ],
)
def test_a_file_with_what_is_no_event_is_status_2(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "events.toml"
    file.write_text(text)
    assert main(["sim", "--events", str(file)]) == 2
    error = capsys.readouterr().err
    assert "--events" in error
    assert message in error
