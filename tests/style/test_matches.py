"""A ``match`` has a case for everything: a new type without one is found, not passed over."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "pyrfly"
MATCHES = [
    pytest.param(node, id=f"{path.relative_to(PACKAGE)}:{node.lineno}")
    for path in sorted(PACKAGE.rglob("*.py"))
    for node in ast.walk(ast.parse(path.read_text()))
    if isinstance(node, ast.Match)
]


def takes_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and not case.pattern.pattern


@pytest.mark.parametrize("match", MATCHES)
def test_a_match_has_a_case_for_everything_or_mypy_misses_its_result(match: ast.Match) -> None:
    returns = all(isinstance(case.body[-1], (ast.Return, ast.Raise)) for case in match.cases)
    assert takes_all(match.cases[-1]) or returns, "end it with `case _: assert_never(...)`"
