"""The generated C files are the present output of their scripts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TRIG = HERE.parents[1] / "csrc" / "math" / "trig.h"
ROWS = TRIG.with_name("trig_rows.h")


def output_of(script: str) -> str:
    command = [sys.executable, HERE / script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_trig_table_is_that_of_its_script() -> None:
    assert (HERE / "trig_table.h").read_text(encoding="utf-8") == output_of("make_trig_table.py")


@pytest.mark.slow
def test_trig_polynomials_are_those_of_their_script() -> None:
    text = TRIG.read_text(encoding="utf-8") + ROWS.read_text(encoding="utf-8")
    in_header = set(re.findall(r"-?\d+\.\d+(?:e-?\d+)?", text))
    shown = r"^  (?:sin|cos|atan|near|brief|short|pi/2|\(pi.*): (.*)$"
    fitted = re.findall(shown, output_of("fit_trig.py"), re.MULTILINE)
    numbers = [number for line in fitted for number in line.split(", ")]
    assert len(numbers) == 102
    assert set(numbers) <= in_header


def test_exponential_polynomials_are_those_of_their_script() -> None:
    math = TRIG.parent
    headers = [math / "exponential.h", math.parent / "models" / "atmosphere.h"]
    text = "".join(header.read_text(encoding="utf-8") for header in headers)
    in_header = {float(number) for number in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", text)}
    fitted = re.findall(r"^\w+ \d+: (.*)$", output_of("fit_exponential.py"), re.MULTILINE)
    numbers = {float(number) for line in fitted for number in line.split(", ")}
    assert len(numbers) == 47
    assert numbers <= in_header
