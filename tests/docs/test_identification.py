"""The programs of docs/identification.md run, and its tables list what is identified."""

import re

import pytest

from pyrfly import vehicles

from .conftest import page, programs

SIGNALS = frozenset({"force", "rate", "vel", "att", "rotor_speed"})


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(programs(page("identification.md")))))
def test_program_runs(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(programs(page("identification.md"))[number], {})


def _table(head: str) -> list[list[str]]:
    """Return the rows of the table with a head, as cells."""
    rows = page("identification.md").split(f"| {head} |\n")[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def _patterns(cells: list[str]) -> list[str]:
    """Return regular expressions of the names in a row: ranges, and beginnings with elements."""
    ranged = re.findall(r"`(\w+)` to `(\w+)`", cells[0])
    patterns = [begin.split("_")[0] + r"_\w+" for begin, _ in ranged]
    for name in re.findall(r"`(\w+)`", cells[0]):
        if name.endswith("_"):
            patterns += [name + element for element in re.findall(r"`(\w+)`", cells[1])]
        elif not any(name in ends for ends in ranged):
            patterns.append(name)
    return patterns


@pytest.mark.parametrize(
    ("family", "head"),
    [("multirotor", "parameter | told by | needs"), ("plane", "parameter | elements")],
)
def test_the_page_lists_the_parameters_that_are_identified(family, head):
    recipe = vehicles.family_named(family).recipe()
    sets = [one for one in map(vehicles.load, vehicles.names()) if one.family == family]
    tables = [recipe.parameters(recipe.prepare(one), SIGNALS) for one in sets if not one.airframes]
    names = {one.name for table in tables for one in table if not one.nuisance}
    listed = {
        cells[0]: {name for name in names if re.fullmatch("|".join(_patterns(cells)), name)}
        for cells in _table(head)
    }
    assert set().union(*listed.values()) == names
    assert [row for row, of_it in listed.items() if not of_it] == []
