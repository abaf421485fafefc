"""Parameter files."""

from __future__ import annotations

import pytest

from pyrfly.files import toml_document
from pyrfly.identify.toml_text import toml_text

DOCUMENT = {
    "name": "mine",
    "count": 3,
    "flag": True,
    "rotor": [{"position": {"value": [0.1, -2e-7, 0.0], "unit": "m"}}],
    "mass": {"value": 1.5, "unit": "kg", "source": 'a "quoted" \\ line\nand a tab\t\x7f' * 20},
    "odd key": {"a b": 1.0},
}


def test_what_is_written_is_read_again() -> None:
    text = toml_text(DOCUMENT)
    assert toml_document(text.encode()) == DOCUMENT
    assert max(map(len, text.splitlines())) < 400


@pytest.mark.parametrize("words", ["a  b" * 100, " " * 300, "x" * 500])
def test_spaces_of_a_long_text_are_kept(words: str) -> None:
    assert toml_document(toml_text({"notes": words}).encode()) == {"notes": words}
