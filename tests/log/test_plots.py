"""Plots show what the log holds."""

from dataclasses import replace

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.log import Log, Recorder, SensorRecorder, plot_columns, plot_flight
from pyrfly.mission import Circle, Fence, Mission, Polygon, TakeOff, Waypoint, fly_mission
from pyrfly.vehicles import FAMILIES

HOME = (40.0, 116.0, 50.0)
COLUMNS = ("pos", "vel", "att", "pos_sp", "vel_sp", "setpoint_mask")


@pytest.fixture(scope="module")
def flight():
    """Return a mission and the log of its flight."""
    items = (TakeOff((0.0, 0.0, -5.0)), Waypoint((8.0, 3.0, -5.0)))
    mission = Mission(home=HOME, items=items, name="short")
    sim = Sim("x450")
    recorder = Recorder(sim, COLUMNS)
    assert fly_mission(sim, mission, recorder=recorder).completed
    return mission, recorder.log()


def lines(axes):
    """Return the plotted lines by label."""
    return {line.get_label(): np.array(line.get_data()) for line in axes.get_lines()}


def panels(figure):
    """Return the axes by the first word of their title."""
    return {
        axes.get_title(loc="left").split()[0]: axes
        for axes in figure.axes
        if axes.get_title(loc="left")
    }


def test_panels_show_the_flight(flight):
    mission, log = flight
    shown = panels(plot_flight(log, mission))
    assert set(shown) == {"Track", "Height", "Ground", "Distance", "Attitude"}
    east, north = lines(shown["Track"])["flown"]
    np.testing.assert_array_equal(north, log["pos"][:, 0, 0])
    np.testing.assert_array_equal(east, log["pos"][:, 0, 1])
    np.testing.assert_array_equal(lines(shown["Height"])["flown"][1], -log["pos"][:, 0, 2])
    speed = np.hypot(log["vel"][:, 0, 0], log["vel"][:, 0, 1])
    np.testing.assert_allclose(lines(shown["Ground"])["ground speed"][1], speed)


def test_heights_of_half_a_metre_fill_no_panel(flight):
    _, log = flight
    level = replace(log, columns={**log.columns, "pos": 1e-3 * log["pos"]})
    low, high = panels(plot_flight(level))["Height"].get_ylim()
    assert high - low == pytest.approx(0.5)


@pytest.mark.slow
def test_what_dives_shows_its_depth_downwards(flight):
    _, log = flight
    entry = {"first_id": 1, "n": 1}
    for family, made in FAMILIES.items():
        of_family = replace(log, metadata={"vehicles": [{**entry, "family": family}]})
        shown = panels(plot_flight(of_family))
        assert ("Depth" in shown) == made.abilities.kind.dives
        assert ("Height" in shown) != made.abilities.kind.dives
        if made.abilities.kind.dives:
            np.testing.assert_array_equal(lines(shown["Depth"])["flown"][1], log["pos"][:, 0, 2])
            bottom, top = shown["Depth"].get_ylim()
            assert bottom > top


@pytest.mark.parametrize("vehicles", [None, 3, [3], [{"family": []}], [{"family": "x", "n": "y"}]])
def test_metadata_of_nobody_shows_heights(flight, vehicles):
    _, log = flight
    assert "Height" in panels(plot_flight(replace(log, metadata={"vehicles": vehicles})))


def test_the_error_panel_shows_the_distance_from_the_set_point(flight):
    _, log = flight
    shown = lines(panels(plot_flight(log))["Distance"])
    error = log["pos"][200, 0] - log["pos_sp"][200, 0]
    assert shown["horizontal"][1, 200] == pytest.approx(np.hypot(*error[:2]))
    assert shown["vertical"][1, 200] == pytest.approx(abs(error[2]))
    assert np.isnan(shown["horizontal"][1, 0])  # before the first set-point


def test_a_flight_without_position_set_points_has_no_distance_from_them(flight):
    _, log = flight
    columns = {**log.columns, "setpoint_mask": np.zeros_like(log["setpoint_mask"])}
    shown = panels(plot_flight(Log(log.time, log.copter_ids, columns, log.fields)))
    assert set(shown) == {"Track", "Height", "Ground", "Attitude"}


AIRSPEEDS = [f.abilities.wings.airspeed for f in FAMILIES.values() if f.abilities.wings]


@pytest.mark.skipif(not AIRSPEEDS, reason="no family has wings")
def test_the_airspeed_takes_the_place_of_the_distance_from_a_position(flight):
    _, log = flight
    airspeed = np.linspace(0.0, 30.0, len(log))
    columns = {**log.columns, AIRSPEEDS[0]: airspeed[:, None]}
    field = Sim("x450").groups[0].fields[0]._replace(width=1)
    fields = {**log.fields, AIRSPEEDS[0]: field}
    shown = panels(plot_flight(Log(log.time, log.copter_ids, columns, fields)))
    assert "Distance" not in shown
    drawn = lines(shown["Ground"])["airspeed"][1]
    assert np.isnan(drawn[0])  # before its controllers run
    np.testing.assert_array_equal(drawn[1:], airspeed[1:])


def test_a_set_point_below_the_ground_counts_as_on_it(flight):
    _, log = flight
    below = {name: values.copy() for name, values in log.columns.items()}
    below["pos_sp"][-5:, 0, 2] = 0.5
    below["terrain"] = np.zeros((len(log), 1))
    fields = log.fields | {"terrain": Sim("x450").groups[0].fields[0]._replace(width=1)}
    changed = Log(log.time, log.copter_ids, below, fields)
    shown = lines(panels(plot_flight(changed))["Distance"])["vertical"]
    np.testing.assert_allclose(shown[1, -5:], -log["pos"][-5:, 0, 2])


def test_without_set_points_there_is_no_error_panel(flight):
    _, log = flight
    names = ("pos", "vel", "att")
    columns = {name: log[name] for name in names}
    bare = Log(log.time, log.copter_ids, columns, {name: log.fields[name] for name in names})
    assert "Distance" not in panels(plot_flight(bare))


def test_attitude_is_in_degrees(flight):
    _, log = flight
    sim = Sim("x450")
    sim.att[:] = log["att"][200]
    roll, pitch, _ = np.degrees(sim.euler[0])
    shown = lines(panels(plot_flight(log))["Attitude"])
    assert shown["roll"][1, 200] == pytest.approx(roll, abs=1e-9)
    assert shown["pitch"][1, 200] == pytest.approx(pitch, abs=1e-9)


def test_waypoints_are_marked_where_they_are(flight):
    mission, log = flight
    marks = lines(panels(plot_flight(log, mission))["Track"])["waypoint"]
    np.testing.assert_allclose(marks[:, 0], [3.0, 8.0])
    texts = [text.get_text() for text in panels(plot_flight(log, mission))["Track"].texts]
    assert texts == ["2"]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_the_figure_is_written_without_a_display(flight, suffix, tmp_path, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    path = tmp_path / f"flight.{suffix}"
    plot_flight(flight[1], flight[0], path, "A flight")
    assert path.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("columns", "titles"),
    [(("pos", "att"), ["Track", "Height", "Attitude"]), (("pos",), ["Track", "Height"])],
)
def test_panels_of_columns_that_are_not_recorded_are_left_out(columns, titles):
    sim = Sim("x450")
    recorder = Recorder(sim, columns)
    sim.run(0.1, record=recorder)
    found = plot_flight(recorder.log()).axes
    assert [axes.get_title("left").split()[0] for axes in found if axes.get_title("left")] == (
        [titles[0], *titles[:0:-1]] if len(titles) > 2 else titles
    )


def test_nothing_to_plot_is_said():
    empty = Recorder(Sim("x450"), COLUMNS).log()
    with pytest.raises(ValueError, match="log: expected at least one sample"):
        plot_flight(empty)


def test_an_absent_vehicle_is_named(flight):
    with pytest.raises(ValueError, match=r"copter_id: expected one of \[1\], got 2"):
        plot_flight(flight[1], copter_id=2)


def test_columns_of_a_sensor_have_a_panel_each():
    sim = Sim("x450")
    sim.sensors.enable("gps")
    recorder = SensorRecorder(sim)
    sim.step(1000)
    log = recorder.logs()["gps"]
    shown = panels(plot_columns(log))
    assert list(shown) == list(log.columns)
    np.testing.assert_array_equal(
        lines(shown["gps_vel"])["gps_vel_down"][1], log["gps_vel"][:, 0, 2]
    )
    with pytest.raises(ValueError, match="copter_id"):
        plot_columns(log, copter_id=2)


def test_geofence_rally_points_and_breaches_are_drawn(flight):
    mission, log = flight
    square = Polygon(((4.0, -9.0), (4.0, 9.0), (6.0, 9.0), (6.0, -9.0)), inclusion=False)
    fence = Fence((Circle((0.0, 0.0), 50.0), square), max_height=4.0, max_distance=60.0)
    fenced = replace(mission, fence=fence, rally=((-3.0, 7.0, -5.0),))
    shown = panels(plot_flight(log, fenced))
    outlines = [np.array(line.get_data()) for line in shown["Track"].get_lines()]
    radii = [np.hypot(*outline).max() for outline in outlines]
    assert {50, 60} <= {round(radius, 6) for radius in radii}
    drawn = lines(shown["Track"])
    np.testing.assert_array_equal(drawn["rally point"], [[7.0], [-3.0]])
    height = -log["pos"][:, 0, 2]
    np.testing.assert_array_equal(drawn["breach"][:, 0], log["pos"][height > 4.0][0, 0, [1, 0]])
    np.testing.assert_array_equal(lines(shown["Height"])["geofence"][1], 4.0)
    (area,) = shown["Track"].patches  # what is forbidden
    assert area.get_xy()[:, 1].min() == 4.0
    legend = [text.get_text() for text in shown["Track"].get_legend().get_texts()]
    assert {"geofence", "rally point", "breach"} < set(legend)
    assert len(set(legend)) == len(legend)


def test_a_survey_has_one_label(flight):
    _, log = flight
    points = [Waypoint((x, y, -5.0), number=n, survey=3) for n, (x, y) in enumerate(LAWN, start=3)]
    mission = Mission((TakeOff((0, 0, -5), number=1), *points, Waypoint((9, 9, -5), number=9)))
    track = panels(plot_flight(log, mission))["Track"]
    labels = [text.get_text() for text in track.texts if text.get_text()]
    assert labels == ["3 to 6", "9"]
    assert lines(track)["waypoint"].shape == (2, 5)


LAWN = [(1, 1), (5, 1), (5, 2), (1, 2)]


def test_more_columns_than_a_picture_has_room_for_are_refused(flown):
    log = flown(("pos",))
    columns = {f"x{i}": log["pos"] for i in range(301)}
    fields = {name: log.fields["pos"]._replace(name=name) for name in columns}
    with pytest.raises(ValueError, match="log: expected at most 300 columns to plot, got 301"):
        plot_columns(Log(log.time, log.copter_ids, columns, fields))
