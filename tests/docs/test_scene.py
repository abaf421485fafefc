"""docs/scene.md: its programs run, and its file is read."""

import re
from pathlib import Path

import pytest

from pyrfly.scene import Scene, read_scene

from .conftest import page, programs

PAGE = page("scene.md")


def test_the_programs_of_the_page_run() -> None:
    names: dict[str, object] = {}
    found = programs(PAGE)
    assert len(found) == 8
    for program in found:
        exec(compile(program, "scene.md", "exec"), names)
    assert isinstance(names["scene"], Scene)


def test_the_file_of_the_page_is_read(tmp_path: Path) -> None:
    pytest.importorskip("trimesh").creation.box((9, 3, 1)).export(tmp_path / "bridge.glb")
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    path = tmp_path / "scene.toml"
    path.write_text(text.replace("models/", ""))
    assert len(read_scene(path)) == 3
