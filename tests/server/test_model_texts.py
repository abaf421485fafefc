"""What models print and why they fail, as texts of their vehicles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pyrfly import Sim, plugins
from pyrfly.server.model_texts import LINES, ModelTexts

Build = Callable[[str], Path]


class Heard:
    """Texts with a clock of their own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.texts = ModelTexts(lambda: self.now)
        self.told: list[tuple[int, str]] = []
        self.texts.hearers.append(lambda row, text: self.told.append((row, text)))


def test_lines_of_a_second_are_told_up_to_a_number_for_each_vehicle() -> None:
    heard = Heard()
    for number in range(3 * LINES):
        heard.texts.printed(1, f"line {number}")
    heard.texts.printed(2, "another")
    rows = [row for row, _ in heard.told]
    assert (rows.count(0), rows.count(1)) == (LINES, 1)
    assert heard.told[LINES - 1][1].endswith("(the rest of this second is left out)")
    heard.now = 1.0
    heard.texts.printed(1, "later")
    assert heard.told[-1] == (0, "its model prints: later")


def test_each_fault_is_told_once_and_again_after_a_restart(build: Build) -> None:
    heard = Heard()
    model = plugins.load(build("broken"), isolate=True, printed=heard.texts.printed)
    sim = Sim({"x450": 1, model: 2})
    heard.texts.watch(sim)
    command = sim.groups[1].view("command")
    for _ in range(2):
        command[1, :2] = 1, 0.3
        sim.step(500)
        sim.reset()
    why = "its model failed: its process ended with status 3; it printed 'no more'"
    assert heard.told == [(2, "its model prints: no more"), (2, why)] * 2
