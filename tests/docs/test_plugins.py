"""docs/plugins.md: its model is compiled, and flies as the page says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "plugins.md").read_text(encoding="utf-8")


def test_the_model_of_the_page_flies(tmp_path: Path) -> None:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if os.name == "nt" or not shutil.which(compiler[0]):
        pytest.skip("there is no C compiler for models")
    name, source = re.findall(r"New file `(.*)`:\n\n```c\n(.*?)```", PAGE, re.DOTALL)[0]
    command, script = (
        re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)[0] for kind in ("bash", "python")
    )
    (tmp_path / name).write_text(source)
    built = [*compiler, *shlex.split(command)[1:]]
    subprocess.run(built, cwd=tmp_path, check=True)
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    shown = re.findall(r"print\(.*?\)  # (?:\w+: )?(.*)", script)
    assert ran.stdout.splitlines() == shown
