"""The programs of docs/compare.md run."""

from .conftest import page, programs


def test_the_example_compares_two_falls(capsys):
    (program,) = programs(page("compare.md"))
    exec(program, {})
    assert "pos_north" in capsys.readouterr().out
