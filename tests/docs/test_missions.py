"""Pages of missions and logs against the code: programs, formats, commands read and skipped."""

import json
import re

import pytest

from pyrfly import MissionError
from pyrfly.log import EXPORTS, Log
from pyrfly.log.log import FORMATS
from pyrfly.mission import read_mission

from .conftest import page, programs

PAGE = page("missions.md")
ITEMS = page("mission-items.md")
LOGS = page("logs.md")


def listed():
    """Return the commands of the page's table, ranges in full."""
    table = ITEMS[ITEMS.index("| MAV_CMD |") : ITEMS.index("| others |")]
    cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    numbers = set()
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", " ".join(cells)):
        numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


def program_with(line):
    return next(text for text in programs(PAGE) if line in text)


@pytest.mark.slow
def test_the_example_flies_and_saves_its_log(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(program_with("import DEMO,"), {})
    assert "all items flown" in capsys.readouterr().out
    assert len(Log.load("demo.npz").copter_ids) == 2


@pytest.mark.slow
def test_the_example_of_planes_flies_and_lands(capsys):
    exec(program_with('Sim("aerosonde")'), {})
    reason, landed = capsys.readouterr().out.split(", landed ")
    assert reason == "all items flown"
    assert int(landed.split()[0]) < 25


@pytest.mark.slow
@pytest.mark.parametrize("line", ["hold=2.0", "Reverse(backward=True)", "battery_actions="])
def test_the_other_examples_run(line):
    """What they promise they assert."""
    exec(program_with(line), {})


@pytest.mark.parametrize(("writer", "formats"), [("Log.save", FORMATS), ("export_log", EXPORTS)])
def test_every_format_of_a_log_has_a_row(writer, formats):
    table = re.findall(rf"^\| `\.(\w+)` \| `{re.escape(writer)}`", LOGS, re.MULTILINE)
    assert sorted(table) == sorted(formats)


def test_the_page_lists_the_commands_that_are_supported(tmp_path):
    item = {"type": "SimpleItem", "command": 65535, "frame": 2, "params": [0] * 7}
    mission = {"version": 2, "plannedHomePosition": [0, 0, 0], "items": [item]}
    file = tmp_path / "unknown.plan"
    file.write_text(json.dumps({"fileType": "Plan", "version": 1, "mission": mission}))
    with pytest.raises(MissionError, match="is not supported") as caught:
        read_mission(file)
    supported = str(caught.value).partition("supported: ")[2]
    assert listed() == set(map(int, re.findall(r"\d+", supported)))
