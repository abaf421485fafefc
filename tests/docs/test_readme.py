"""The programs of README, first steps and protocol page run unchanged; links are valid."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def programs(page):
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


RUNNABLE = [
    (page.name, program)
    for page in (ROOT / "README.md", ROOT / "docs/first-steps.md", ROOT / "docs/protocol.md")
    for program in programs(page)
    if len(program.splitlines()) > 1
]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(RUNNABLE)))
def test_program_runs(number, tmp_path):
    """With a few vehicles where a page has thousands."""
    program = RUNNABLE[number][1].replace("4096", "40")
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.slow
def test_the_result_of_the_flight_is_what_is_printed(tmp_path):
    """Up to the wall time, which is that of a machine."""
    done = subprocess.run(
        [sys.executable, "-m", "pyrfly", "fly"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    sample = README.split("```text\n")[1].split("```")[0].splitlines()
    printed = done.stdout.splitlines()
    compared = [line for line in sample if not line.startswith(("wall", "real-time", "..."))]
    assert len(compared) == 9
    assert [line for line in compared if line not in printed] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text())
    missing = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert not missing
