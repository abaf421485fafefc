"""Objects of another kind are told by the argument that they were given as."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim, mavlink, vehicles, wire
from pyrfly.autopilot import Autopilots
from pyrfly.campaign import read_campaign, summary
from pyrfly.log import Log, Recorder, SensorRecorder, export_log, flight_columns, plot_flight
from pyrfly.mission import Mission, read_mission, summary_table
from pyrfly.mixers import MixedActuators
from pyrfly.scene import room
from pyrfly.server import Server
from pyrfly.sim import Environment, Group
from pyrfly.terrain import read_terrain
from pyrfly.wire import flightgear

NAMES = np.array(["pos", "vel"])
PACKET = "SOut2Simulator"


@pytest.fixture(scope="module")
def sim() -> Sim:
    return Sim("x450")


CALLS = {
    "sim: expected Sim, got 'x'": [
        lambda sim: wire.pack("x", PACKET),
        lambda sim: wire.SensorReader("x"),
        lambda sim: flightgear.pack("x"),
        lambda sim: Recorder("x"),
        lambda sim: SensorRecorder("x"),
        lambda sim: flight_columns("x"),
        lambda sim: Autopilots("x"),
        lambda sim: Server("x"),
        lambda sim: MixedActuators("x", None),
    ],
    "name: expected": [
        lambda sim: wire.pack(sim, NAMES),
        lambda sim: wire.dtype(NAMES),
        lambda sim: wire.blank([PACKET]),
        lambda sim: mavlink.blank(NAMES),
        lambda sim: sim.groups[0].view(NAMES),
        lambda sim: sim.groups[0].writable(NAMES),
        lambda sim: sim.select().read(NAMES),
        lambda sim: sim.select().write(["pos"], 0),
    ],
    "port: expected one of": [
        lambda sim: wire.parse(NAMES, b""),
        lambda sim: wire.identify([], b""),
    ],
    "data: expected bytes, got 10": [lambda sim: wire.parse("command", 10**12)],
    "kind: expected one of": [lambda sim: wire.notice(NAMES, 1)],
    "path: expected a str or a path, got 3": [
        lambda sim: Log.load(3),
        lambda sim: read_campaign(3),
        lambda sim: read_mission(3),
        lambda sim: read_terrain(3),
    ],
    "log: expected Log, got 'x'": [
        lambda sim: export_log("x", "a.csv"),
        lambda sim: plot_flight("x"),
    ],
    "results: expected Results": [lambda sim: summary("x")],
    "result: expected FlightResult": [lambda sim: summary_table("x")],
    "items: expected Iterable": [lambda sim: Mission(3)],
    "family: expected one of": [
        lambda sim: sim.select(family=NAMES),
        lambda sim: vehicles.names(3),
    ],
    "point: expected OperatingPoint": [lambda sim: sim.linearize(point="x")],
    "inputs: expected names of input columns": [lambda sim: sim.linearize(inputs=3)],
    "outputs: no output column": [lambda sim: sim.linearize(outputs=[NAMES])],
    "hover: expected true or false": [lambda sim: sim.trim(hover=NAMES)],
    "strict: expected true or false": [lambda sim: vehicles.from_sdf("a.sdf", strict="x")],
    "ceiling: expected true or false": [lambda sim: room((3, 4, 5), ceiling="no")],
    "progress: expected true or false": [lambda sim: sim.run(0.1, progress="no")],
    "relayed: expected true or false": [lambda sim: Server(sim, None, relayed="no")],
    "setpoints_arm: expected true or false": [lambda sim: Server(sim, None, setpoints_arm=2)],
    "record: expected a recorder of this Sim, got 'x'": [lambda sim: sim.run(0.1, record="x")],
    "time: expected a finite number": [
        lambda sim: Recorder(sim).sample("x"),
        lambda sim: Recorder(sim).sample(float("nan")),
    ],
    "access: expected Access": [lambda sim: Environment("x")],
    "parameters: expected VehicleParameters": [lambda sim: Group("x", 1, 1, {})],
    "columns: expected Mapping": [lambda sim: sim.select().write_all("x")],
    "time: expected ndarray": [lambda sim: Log([0.0], np.array([1]), {}, {})],
}


@pytest.mark.parametrize(
    ("message", "call"), [(words, call) for words, calls in CALLS.items() for call in calls]
)
def test_an_object_of_another_kind_names_its_argument(message, call, sim):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        call(sim)
