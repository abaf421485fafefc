"""Generated files are up to date; docs/benchmarks.md agrees with the code."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pyrfly import _core, bench
from pyrfly.protocol import bits

ROOT = Path(__file__).resolve().parents[2]


def load_generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "tools" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = load_generator()


@pytest.mark.parametrize("path", generate.GENERATED)
def test_generated_file_is_up_to_date(path):
    assert (ROOT / path).read_text() == generate.GENERATED[path](), "run python tools/generate.py"


def test_names_of_the_core_are_those_that_the_build_wrote():
    command = [sys.executable, ROOT / "tools" / "bits_module.py", _core.__file__]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert Path(bits.__file__).read_text() == made, "build again"
    assert (ROOT / "pyrfly" / "protocol" / "bits.py").read_text() == made, "commit what was built"


def numbers_of_row(title: str) -> list[int]:
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith(f"| {title}"))
    return [int(n) for n in re.findall(r"\*\*(\d+)\*\*", row)]


def test_counts_of_the_page_are_those_of_the_benchmark():
    flops = bench.FLOPS_PER_STEP
    assert numbers_of_row("RK4:") == [flops["plain", "rk4"], flops["full", "rk4"]]
    assert numbers_of_row("Euler:") == [flops["plain", "euler"], flops["full", "euler"]]
    assert numbers_of_row("**values**") == list(bench.VALUES_PER_CALL.values())


def test_rows_of_the_operation_table_add_up():
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    table = page[page.index("| rotation matrix") : page.index("| **derivative**")]
    cells = [line.split("|")[2:4] for line in table.splitlines()]
    sums = [sum(int(row[i]) for row in cells if row[i].strip() != "-") for i in (0, 1)]
    assert sums == numbers_of_row("**derivative**")
    rows = (17, 19)  # of the state, an addition and a multiplication each
    four_stages = [4 * s + (3 + 4) * 2 * r + 3 + 13 for s, r in zip(sums, rows, strict=True)]
    assert four_stages == numbers_of_row("RK4:")
