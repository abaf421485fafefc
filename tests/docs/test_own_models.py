"""docs/own-models.md: its prototype flies as it says, and its lists are those of the headers."""

import re
import subprocess
import sys
from pathlib import Path

import pyrfly

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "own-models.md").read_text(encoding="utf-8")


def test_the_prototype_of_the_page_flies(tmp_path: Path) -> None:
    script = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert ran.stdout.splitlines() == re.findall(r"print\(.*?\)  # (.*)", script)


def test_lists_and_rows_of_the_page_are_those_of_the_headers() -> None:
    headers = "".join(
        (pyrfly.get_include() / name).read_text(encoding="utf-8")
        for name in ("pyrfly_model.h", "pyrfly_columns.h")
    )
    lists = re.findall(r"#ifndef (OWN_\w+)", headers)
    rows = re.findall(r"^ {4}PYRFLY_(\w+) = \d+,? +/\*", headers, re.MULTILINE)
    table = PAGE[PAGE.index("| list |") : PAGE.index("A role has at most")]
    assert len(lists) == 8
    assert len(rows) > 20
    assert not [one for one in (*lists, *rows) if one not in table]
