"""What signals do before a server runs, meanwhile and afterwards."""

from __future__ import annotations

import signal

import pytest

from pyrfly.server.end_signals import EndSignals


class Running:
    """A server as signals see it."""

    def __init__(self, running: bool = True) -> None:
        self.running = running
        self.stops = 0

    def stop(self) -> None:
        self.stops += 1
        self.running = False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_stops_a_server_and_the_second_does_not_disturb_its_end(number) -> None:
    before, server = signal.getsignal(number), Running()
    with EndSignals(server) as signals:
        signal.raise_signal(number)
        signals.ending = True
        signal.raise_signal(number)
    assert server.stops == 1
    assert signal.getsignal(number) is before


def test_before_a_server_runs_there_is_an_interrupt() -> None:
    server = Running(False)
    with EndSignals(server) as signals:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        assert signals.ending
        signal.raise_signal(signal.SIGINT)
    assert server.stops == 0


def test_the_third_ends_the_program(monkeypatch) -> None:
    ended = []
    with EndSignals(Running()) as signals:
        signals.ending = True
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        monkeypatch.setattr(signal, "raise_signal", ended.append)
        signals._handle(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert ended == [signal.SIGTERM]
