"""The pages about cars and what they are about."""

from __future__ import annotations

import re
from pathlib import Path

from pyrfly.vehicles import names

MODELS = (Path(__file__).parents[3] / "docs/models.md").read_text(encoding="utf-8")


def test_the_page_lists_every_set() -> None:
    text = MODELS[MODELS.index("\n## Cars") :].split("\n## ")[1]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", text, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(names("car"))
