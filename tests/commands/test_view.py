"""``pyrfly view``, and what flies where no log is given."""

import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import numpy as np
import pytest

pytest.importorskip("websockets")

from pyrfly import vehicles
from pyrfly.cli import main
from pyrfly.commands.tour import Tour
from pyrfly.commands.zoo import Zoo
from pyrfly.vehicles import FAMILIES


def test_missing_log_and_vehicle_are_told(log, tmp_path, capsys):
    assert main(["view", str(tmp_path / "none.npz")]) == 2
    assert "none.npz" in capsys.readouterr().err
    assert main(["view", log, "--camera", "follow:9"]) == 2
    assert "camera: expected a CopterID of 1, got 9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--terrain", "hill.npy"], "--terrain: expected --connect: a log has its own"),
        (["--scene", "town.toml"], "--scene: expected --connect: a log has its own"),
        (["--mission", "a.plan"], "--mission: expected a log, or --connect"),
        (["flight.npz", "--vehicles", "x450"], "--vehicles: expected no log beside it"),
        (["--vehicles", "none"], "none"),
        (["--connect", "flight.npz"], "--connect: expected no log beside it"),
        (["--connect", "--scene", "none.toml"], "none.toml"),
        (["--connect", "--terrain-spacing", "2"], "--terrain-spacing: expected none without"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments, message, capsys):
    assert main(["view", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("what", ["log", "zoo"])
def test_page_is_served_until_a_signal_ends_it(log, what):
    command = [sys.executable, "-m", "pyrfly", "view", "--no-browser", "--port", "0"]
    command += [log] if what == "log" else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        try:
            url = program.stdout.readline().split()[0]
            page = build_opener(ProxyHandler({})).open(url, timeout=20).read().decode()
            assert ('id="flight"' in page) == (what == "log")
        finally:
            program.send_signal(signal.SIGINT)
        assert program.wait(20) == 0


def test_vehicles_of_chosen_sets_go_around_squares_beside_each_other():
    tour = Tour({"x450": 2, "hex_x": 1})
    start = tour.sim.pos.copy()
    places = []
    for _ in range(300):
        tour.step()
        places.append(tour.sim.pos)
    way = np.ptp(np.array(places)[..., :2], axis=0)
    assert (way > 4.0).all()
    apart = np.linalg.norm(start[:, None, :2] - start[None, :, :2], axis=-1)
    assert (way < apart[apart > 0].min()).all()
    assert tour.sim.check().ok


@pytest.mark.slow
def test_zoo_has_all_families_and_all_go_their_rounds():
    zoo = Zoo()
    folder = Path(vehicles.__file__).parent
    packaged = {path.parent.name for path in folder.glob("*/family.py")} & {*FAMILIES}
    assert {group.family.name for group in zoo.sim.groups} == packaged
    before = zoo.sim.pos.copy()
    for _ in range(400):
        zoo.step()
    assert zoo.sim.check().ok
    assert (np.linalg.norm(zoo.sim.pos - before, axis=1) > 1.0).all()
    assert np.isfinite(zoo.sim.pos).all()
