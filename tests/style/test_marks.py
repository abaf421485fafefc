"""Marks of tests."""

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_marks_of_real_time_are_in_the_files_whose_tests_they_mark() -> None:
    """Files without are not imported where those tests run alone: see tests/conftest.py."""
    others = set(TESTS.rglob("*.py")) - set(TESTS.rglob("test_*.py")) - {TESTS / "conftest.py"}
    assert not [path for path in others if "mark.realtime" in path.read_text("utf-8")]
