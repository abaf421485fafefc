"""Reading of files of missions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyrfly.mission import Mission, read_mission


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Mission]:
    """Return a function that writes a file and reads it as a mission."""

    def read_back(content: Any, name: str = "test.plan") -> Mission:
        file = tmp_path / name
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_mission(file)

    return read_back
