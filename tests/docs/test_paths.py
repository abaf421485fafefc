"""Files and folders that the pages name are in the source tree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXTERNAL = ROOT / "docs" / "references.md"
"""Names files of other projects."""

DOCS = sorted({*(ROOT / "docs").glob("*.md")} - {EXTERNAL})
PAGES = [*DOCS, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
FOLDERS = [ROOT, ROOT / "csrc", ROOT / "pyrfly"]
"""Paths are relative to one of these."""

WRITTEN = {"flights", "campaigns"}
"""Folders that commands of the pages write, so that a tree in use has them."""

PATH = re.compile(r"`([\w.<>*-]+/[\w.<>*/-]*)`")
NEW_FILE = re.compile(r"New file `([^`]+)`")


def paths_of(page: Path) -> list[str]:
    """Return the paths that a page names, without those of files that it tells to make."""
    text = page.read_text(encoding="utf-8")
    tops = {path.name for folder in FOLDERS for path in folder.iterdir() if path.is_dir()}
    tops -= WRITTEN
    named = [name for name in PATH.findall(text) if Path(name).parts[0] in tops]
    return sorted({*named} - {*NEW_FILE.findall(text)})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_paths_exist(page: Path) -> None:
    patterns = {name: re.sub(r"<\w+>", "*", name) for name in paths_of(page)}
    assert not [
        name
        for name, pattern in patterns.items()
        if not any(any(folder.glob(pattern)) for folder in FOLDERS)
    ]
