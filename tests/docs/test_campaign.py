"""The description and the program of docs/campaign.md are one campaign, and run."""

import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from pyrfly.campaign import read_campaign
from pyrfly.mission import DEMO

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "campaign.md").read_text()


def block(kind):
    return re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)[1]


def test_the_file_is_the_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(DEMO, "survey.plan")
    Path("wind.toml").write_text(block("toml"))
    names = {}
    exec(block("python").split("results =")[0], names)
    campaign = read_campaign("wind.toml")
    assert campaign.description == names["campaign"].description
    assert len(campaign) == 200


@pytest.mark.slow
def test_the_program_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("survey.csv").write_text("x,y,z\n0,0,-1\n1,0,-1\n")
    exec(block("python").replace("samples=50", "samples=1").replace(".plan", ".csv"), {})
    assert capsys.readouterr().out.startswith("4 of 4 runs are done")
