"""What `Sim.describe` says of simulations, columns, parts and methods."""

import html.parser

import pytest

from pyrfly import Sim
from pyrfly.columns import column_names
from pyrfly.description import Description


@pytest.fixture(scope="module")
def sim():
    sim = Sim({"x450": 2, "octo_x": 1})
    sim.select([1, 3]).write("wind", [[1.5, 0, 0], [-4, 0, 0]])
    return sim


def test_simulation_by_its_vehicles_parts_and_time():
    sim = Sim({"x450": 2, "octo_x": 1})
    sim.enable_part("navigator")
    sim.step(500)
    told = sim.describe()
    assert [row[:3] for row in told.rows] == [
        ("x450", "2", "1 to 2"),
        ("octo_x", "1", "3"),
    ]
    assert any("0.500 s" in text for text in told.texts)
    assert any("navigator" in text for text in told.texts)


def test_column_by_unit_frame_and_values_of_all_vehicles(sim):
    told = sim.describe("wind")
    assert "[m/s, NED]" in told.title
    assert told.rows[0] == ("north", "-4", "-0.833333", "1.5")
    assert [row[0] for row in told.rows] == ["north", "east", "down"]


def test_components_have_the_names_of_logs_and_those_of_the_body_their_axes(sim):
    assert [row[0] for row in sim.describe("rate").rows] == ["x, forward", "y, right", "z, down"]
    assert [row[0] for row in sim.describe("euler").rows] == ["roll", "pitch", "yaw"]


def test_column_of_some_vehicles_by_theirs(sim):
    told = sim.describe("rotor_speed")
    assert "(n, 4) or (n, 8)" in told.title
    assert [row[0] for row in told.rows] == list("01234567")


def test_column_of_other_vehicles_by_their_types(sim):
    here = {field.name for group in sim.groups for field in group.all_fields}
    for name in sorted(column_names() - here)[:1]:  # none where only multirotors are built
        assert "no vehicle here" in repr(sim.describe(name))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("gps_pos", "sim.sensors.enable(...)"),  # its part is off
        ("command_position", "yaw_rate=None"),
        ("time", "now 0."),
        ("environment", "set_turbulence"),
        ("scene", "raycast"),
    ],
)
def test_all_else_by_what_it_needs_or_does(sim, name, word):
    assert word in repr(sim.describe(name))


def test_part_by_what_its_methods_do(sim):
    rows = dict(sim.describe("environment").rows)
    assert "turbulence" in rows["set_turbulence"]
    assert "part" not in rows  # what all interfaces have


def test_column_by_what_takes_it_and_the_nearest_of_these_vehicles(sim):
    (taken, near) = sim.describe("vel").texts[1:]
    assert "sim.command_velocity" in taken
    assert "vel_sp" in near
    assert "payload_vel" not in near  # their part is off
    assert "dvl_vel" not in near
    assert "sim.environment.set_terrain" in repr(sim.describe("terrain"))


def test_values_of_one_vehicle_are_shown_once():
    assert Sim("x450").describe("mass").head == ("", "value")


@pytest.mark.parametrize(("name", "error"), [("windd", ValueError), (3, TypeError)])
def test_unknown_name_is_refused(sim, name, error):
    with pytest.raises(error, match="name: expected"):
        sim.describe(name)


def test_unknown_name_names_the_nearest(sim):
    with pytest.raises(ValueError, match=r"such as wind\b"):
        sim.describe("windd")


class Cells(html.parser.HTMLParser):
    """Collects the texts of cells; raises for tags that do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag != "br":
            self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["td"]:
            self.cells[-1] += data


def cells(shown):
    reader = Cells()
    reader.feed(shown._repr_html_())
    reader.close()
    assert reader.open == []
    return reader.cells


def test_jupyter_shows_vehicles_and_columns_as_tables(sim):
    assert "x450" in cells(sim)
    assert {"wind", "m/s", "NED"} <= set(cells(sim.fields()))
    assert cells(sim.describe("wind"))[0] == "north"


def test_texts_are_not_read_as_html():
    assert cells(Description("", (), ("set",), (("<script>a & b</script>",),))) == [
        "<script>a & b</script>"
    ]
