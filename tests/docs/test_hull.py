"""The tables of docs/collisions.md are read as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pyrfly
from pyrfly.vehicles import DEFAULT_FAMILY, FAMILIES, Hull, load, names

from .conftest import page

PAGE = page("collisions.md")
TABLES = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SIZES, SHAPES = (text for text in TABLES if text.startswith(("[hull]", "[[hull.shape]]")))


def hull_with(tables: str, path: Path) -> Hull:
    """Return the hull of a set of the default family with tables of the page."""
    whole = [name for name in names(DEFAULT_FAMILY) if not load(name).airframes]
    texts = (
        (FAMILIES[DEFAULT_FAMILY].sets / f"{name}.toml").read_text(encoding="utf-8")
        for name in whole
    )
    text = next(text for text in texts if "[hull]" not in text and "[[rotor]]" not in text)
    path.write_text(f"{text}\n{tables}", encoding="utf-8")
    return load(path).hull


def test_sizes_of_a_file_are_those_of_the_page(tmp_path: Path) -> None:
    hull = hull_with(SIZES, tmp_path / "mine.toml")
    body, rotor, *_ = hull.shapes
    assert body.high[0] - body.low[0] == pytest.approx(0.25)
    assert rotor.high[0] - rotor.low[0] == pytest.approx(2 * 0.128)
    assert hull.landing_speed == 2.0


def test_shapes_of_a_file_are_those_of_the_page(tmp_path: Path) -> None:
    body, rotors = hull_with(SHAPES, tmp_path / "mine.toml").shapes
    assert (body.name, body.actuators, body.half_size) == ("body", (), (0.1, 0.08, 0.03))
    assert (rotors.name, rotors.actuators, rotors.strength) == ("front rotors", (0, 2), 1.5)


def test_the_page_prints_what_a_set_prints() -> None:
    """The first and the last lines."""
    name = re.findall(r'load\("(\w+)"\)\.hull', PAGE)[0]
    (shown,) = re.findall(r"^```\n(body: .*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    first, last = shown.split("...\n")
    text = f"{pyrfly.load(name).hull}\n"
    assert text.startswith(first)
    assert text.endswith(last)
