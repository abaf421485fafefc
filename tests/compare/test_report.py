"""Reports of comparisons: one file, with the figures and what differs in them."""

import re

import matplotlib.colors
import numpy as np
import pytest

from pyrfly.compare import compare, write_report
from pyrfly.compare.figures import figures_of
from pyrfly.compare.groups import telling

TIME = np.arange(0, 20, 0.02)


@pytest.fixture(name="result")
def result_fixture(flight):
    waves = np.column_stack((np.sin(TIME), np.cos(TIME), -TIME))
    a, b = (flight(TIME, pos=waves + far, terrain=far + waves[:, 0]) for far in (0.0, 0.5))
    return compare(a, b, align_by=False, names=("flown $x^{", "simulated"))


@pytest.mark.slow
def test_html_is_one_file_with_table_and_figures(result, tmp_path):
    path = tmp_path / "a.html"
    write_report(result, path)
    page = path.read_text()
    assert page.count("<img ") == 3  # track, position, terrain
    assert page.count("<tr>") == 5
    assert "<td>pos_north</td><td>m</td><td>0.5</td>" in page
    assert not re.search(r'(src|href)="(?!data:)|url\(|<script', page)
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


@pytest.mark.slow
def test_names_of_files_and_signals_are_texts(flight, tmp_path):
    odd = {"$x^{<b>&": np.sin(TIME)}
    a = flight(TIME, **odd)
    result = compare(a, a, align_by=False)
    named = type(result)("<script>$", "日志\udcff", result.signals, result.alignment)
    write_report(named, tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text()
    assert "&lt;script&gt;$" in page
    assert "<script" not in page
    assert "$x^{&lt;b&gt;&amp;" in page
    write_report(named, tmp_path / "a.pdf")


@pytest.mark.slow
def test_pdf_has_a_page_for_the_table_and_each_figure(result, tmp_path):
    path = tmp_path / "a.PDF"
    write_report(result, path)
    data = path.read_bytes()
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", data)) == 4


@pytest.mark.parametrize("name", ["a.docx", "a"])
def test_another_format_is_refused(result, name, tmp_path):
    with pytest.raises(ValueError, match=r"path: expected \.html or \.pdf as suffix"):
        write_report(result, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_figures_show_both_flights_and_their_difference(result):
    figures = {titled.title: titled.figure for titled in figures_of(result)}
    assert list(figures) == ["Track", "Position", "Other signals"]
    rows = np.array(figures["Position"].axes).reshape(3, 3)
    for row, name in zip(rows, ("north", "east", "down"), strict=True):
        both, difference, spectrum = row
        assert f"pos_{name}" in both.get_title(loc="left")
        lines = both.get_lines()
        colours = {matplotlib.colors.to_hex(line.get_color()) for line in lines}
        assert len(lines) == len(colours) == 2
        np.testing.assert_allclose(difference.get_lines()[0].get_ydata(), 0.5, atol=1e-12)
        assert len(spectrum.get_lines()) == 2


def test_where_flights_agree_both_lines_are_seen(result):
    figures = {titled.title: titled.figure for titled in figures_of(result)}
    a, b = figures["Position"].axes[0].get_lines()
    assert a.get_linewidth() > 2 * b.get_linewidth()
    assert a.get_zorder() <= b.get_zorder()


def test_legends_name_the_flights(result):
    for _, figure in figures_of(result):
        texts = [text.get_text() for text in figure.legends[0].get_texts()]
        assert texts == ["flown $x^{", "simulated"]


def test_where_both_are_constant_there_is_no_figure(flight):
    a = flight(TIME, terrain=0 * TIME, odd=np.sin(TIME), other=0 * TIME)
    b = flight(TIME, terrain=0 * TIME + 1, odd=0 * TIME, other=np.sin(TIME))
    ((_, figure),) = figures_of(compare(a, b, align_by=False))
    titles = [axes.get_title(loc="left").split(",")[0] for axes in figure.axes]
    assert titles[::3] == ["odd", "other"]


def test_signals_that_tell_less_are_folded(flight, tmp_path):
    odd = {f"odd{i}": np.full(TIME.size, i + 0.5) for i in range(12)}
    a = flight(TIME, **odd, pos=np.column_stack((np.sin(TIME), 0 * TIME, np.nan * TIME)))
    write_report(compare(a, a), tmp_path / "a.html")
    open_table, folded = (tmp_path / "a.html").read_text().split("<details>")
    assert "<td>pos_north</td>" in open_table
    assert "odd" not in open_table
    folded, _ = folded.split("</details>")
    assert [f"<td>{name}</td>" in folded for name in (*odd, "pos_east")] == [True] * 13
    assert folded.startswith("<summary>14 more signals</summary>")


@pytest.mark.slow
@pytest.mark.parametrize("huge", [1e59, 1e308])
def test_a_huge_number_does_not_stop_a_report(flight, huge, tmp_path):
    values = np.sin(TIME)
    values[100] = huge
    result = compare(flight(TIME, terrain=values), flight(TIME, terrain=np.sin(TIME)))
    with np.errstate(all="raise"):
        write_report(result, tmp_path / "a.html")
    assert "<img " in (tmp_path / "a.html").read_text()


def test_constant_signals_and_those_of_other_columns_come_last(flight):
    wave, none = np.sin(TIME), 0 * TIME
    odd = {f"odd{i}": none if i < 5 else wave for i in range(10)}
    a = flight(TIME, **odd, pos=np.column_stack((wave, none, wave)))
    first, others = telling(compare(a, a))
    assert [one.name for one in first] == ["pos_north", "pos_down"]
    assert [one.name for one in others[:5]] == [f"odd{i}" for i in range(5, 10)]
    assert [one.name for one in others[5:]] == [f"odd{i}" for i in range(5)] + ["pos_east"]


def test_several_units_are_none(flight):
    a = flight(TIME, displayed_actuators=np.tile(np.sin(TIME), (8, 1)).T)
    assert {one.unit for one in compare(a, a).signals.values()} == {""}


def test_long_lines_keep_their_peaks(flight):
    values = np.zeros(100_000)
    values[12_345], values[-1] = 7.0, -3.0
    values[50_000:60_000] = np.nan
    a = flight(np.arange(100_000) / 100, terrain=values)
    ((_, figure),) = figures_of(compare(a, a, align_by=False))
    line = figure.axes[0].get_lines()[0].get_ydata()
    assert len(line) < 2000
    assert (np.nanmax(line), np.nanmin(line)) == (7.0, -3.0)
    assert np.isnan(line).any()


def test_what_has_no_samples_has_no_figure(flight):
    pos = np.column_stack((TIME, TIME, TIME))
    a, b = flight(TIME, pos=pos, terrain=TIME), flight(TIME, pos=pos, terrain=np.nan * TIME)
    assert [titled.title for titled in figures_of(compare(a, b))] == ["Track", "Position"]
