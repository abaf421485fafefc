"""docs/export-model.md: its program is compiled, with the vehicle that it flies."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from pyrfly import Sim
from pyrfly.errors import Error
from pyrfly.standalone import export_model

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "export-model.md").read_text("utf-8")


@pytest.mark.slow
def test_the_program_of_the_page_flies(tmp_path: Path) -> None:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if os.name == "nt" or not shutil.which(compiler[0]):
        pytest.skip("there is no C compiler")
    name, source = re.findall(r"New file `(.*)`:\n\n```c\n(.*?)```", PAGE, re.DOTALL)[0]
    command = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)[0].replace("-O2", "-O0")
    try:
        export_model("x450", tmp_path, controller=False)
    except Error as error:
        if "this installation lacks" in str(error):
            pytest.skip(str(error))
        raise
    (tmp_path / name).write_text(source)
    subprocess.run([*compiler, *shlex.split(command)[1:]], cwd=tmp_path, check=True)
    told = subprocess.run([tmp_path / "quad"], check=True, capture_output=True, text=True).stdout
    sim = Sim("x450")
    sim.controllers = False
    sim.mass *= 1.1
    sim.wind[:, 1] = 3
    sim.throttle[:] = 0.75
    heights = []
    for _ in range(3):
        sim.step(500)
        heights.append(-sim.pos[0, 2])
    shown = [*heights, -sim.accel[0, 2], sim.euler[0, 0]]
    numbers = [float(one) for one in re.findall(r"-?\d+\.\d+", told)]
    assert numbers == pytest.approx(shown, abs=0.06)
    assert heights[-1] > 0.5
