"""Every example runs and ends with the line given in its docstring."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.py"))


def promised_line(example: Path) -> str:
    """Return this line as a regular expression; `...` stands for any text."""
    docstring = ast.get_docstring(ast.parse(example.read_text())) or ""
    promise = re.search(r"^Last line: (.+)$", docstring, re.MULTILINE)
    assert promise, f"{example.name}: no `Last line: ...` in its docstring"
    return ".+".join(re.escape(part) for part in promise[1].split("..."))


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_ends_as_it_promises(example, tmp_path):
    done = subprocess.run(
        [sys.executable, example], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(promised_line(example), done.stdout.splitlines()[-1])


def test_there_are_examples():
    assert len(EXAMPLES) >= 5
