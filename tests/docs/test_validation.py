"""docs/validation.md: as tools/validate.py writes it of the errors that it has.

Whether these are those of the code, each comparison tells where it is tested.
"""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from ..comparison import PAGE, ROOT, Comparison, agrees, printed_errors, shown
from .test_references import KEYS

PICTURES = ROOT / "docs" / "validation"
LARGEST = 100_000  # bytes


@pytest.fixture(scope="module")
def validate() -> ModuleType:
    pytest.importorskip("scipy")
    spec = importlib.util.spec_from_file_location("validate", ROOT / "tools" / "validate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_that_of_the_comparisons(validate: ModuleType) -> None:
    assert PAGE.read_text(encoding="utf-8") == validate.page(validate.truths(), printed_errors())


def test_truths_have_sources_tests_and_names_of_their_own(validate: ModuleType) -> None:
    truths = validate.truths()
    names = Counter(one.name for truth in truths for one in truth.comparisons)
    assert [name for name, count in names.items() if count > 1] == []
    assert names.keys() == printed_errors().keys()
    assert {key for truth in truths for key in truth.sources} <= KEYS
    for truth in truths:
        test = ROOT / truth.test
        assert "comparing(" in test.read_text(encoding="utf-8")


def test_links_within_the_page_lead_to_its_headings(validate: ModuleType) -> None:
    page = PAGE.read_text(encoding="utf-8")
    headings = {validate.anchor(title) for title in re.findall("^#+ (.*)$", page, re.M)}
    links = set(re.findall(r"\]\(#([^)]*)\)", page))
    assert links
    assert links <= headings


def test_all_pictures_are_there_and_small(validate: ModuleType) -> None:
    named = {f"{figure.file}.png" for truth in validate.truths() for figure in truth.figures}
    assert {path.name for path in PICTURES.iterdir()} == named
    assert all(5_000 < (PICTURES / name).stat().st_size < LARGEST for name in named)


@pytest.mark.slow
def test_all_pictures_can_be_drawn(validate: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("vehiclemodels")
    for figure in (figure for truth in validate.truths() for figure in truth.figures):
        validate.draw(figure, tmp_path / "one.png")
        assert 5_000 < (tmp_path / "one.png").stat().st_size < LARGEST


@pytest.mark.parametrize(
    ("error", "other", "same"),
    [(0.0123, 0.0125, True), (0.0123, 0.014, False), (1e-13, 9e-12, True), (1e-13, 1e-10, False)],
)
def test_an_error_agrees_with_its_print_where_it_is_the_same(
    error: float, other: float, same: bool
) -> None:
    comparison = Comparison("any", "any", lambda: error, 1e-5, rounding=1e-11)
    assert agrees(shown(error, comparison), other) == same
