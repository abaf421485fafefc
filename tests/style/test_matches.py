"""A ``match`` has a case for everything: a new type without one is found, not passed over."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "pyrfly"


def takes_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and not case.pattern.pattern


def test_a_match_has_a_case_for_everything_or_mypy_misses_its_result() -> None:
    matches = {
        f"{path.relative_to(PACKAGE)}:{node.lineno}": node
        for path in sorted(PACKAGE.rglob("*.py"))
        if "match " in (text := path.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Match)
    }
    assert matches
    for place, match in matches.items():
        returns = all(isinstance(case.body[-1], (ast.Return, ast.Raise)) for case in match.cases)
        ends = takes_all(match.cases[-1]) or returns
        assert ends, f"{place}: end it with `case _: assert_never(...)`"
