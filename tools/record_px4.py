"""Write tests/data/px4_flight: a mission that a real PX4 has flown on the sensors of pyrfly [@px4].

    make px4_sitl_default                         (PX4 v1.16.1, in its sources)
    python tools/record_px4.py ~/PX4-Autopilot

PX4 flies an `iris` in wind over four way-points and lands. ``flight.npz`` is a log with the truth,
what PX4 estimated, and how well the measurements fitted its estimate; ``sensors.npz`` is what the
sensors measured, as another filter needs it. It needs the extras ``mavlink`` and ``ulog``.
"""

from __future__ import annotations

import math
import re
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
if "tests" not in sys.modules:  # it is no package, and another one may have its name
    sys.modules["tests"] = ModuleType("tests")
    sys.modules["tests"].__path__ = [str(ROOT / "tests")]

from pyulog import ULog  # noqa: E402

from pyrfly import Sim  # noqa: E402
from pyrfly.columns import Field  # noqa: E402
from pyrfly.commands.px4_build import Px4Build, find_build  # noqa: E402
from pyrfly.frames import LocalFrame  # noqa: E402
from pyrfly.log import Log, Recorder, SensorRecorder  # noqa: E402
from tests.server.links.px4_flight import AUTO, MISSION, Station, flight, vehicle  # noqa: E402

Array = NDArray[Any]
Topics = dict[str, dict[str, Array]]

FOLDER = ROOT / "tests" / "data" / "px4_flight"
WIND = (3.0, 1.0, 0.0)  # m/s
POINTS = ((20, 0, 10), (20, 20, 15), (0, 20, 15), (0, 0, 10))
"""Way-points north and east of the start, and above it [m]."""

TAKE_OFF, WAY_POINT, LAND = 22, 16, 21  # MAV_CMD_NAV_...
ALWAYS = "2"  # SDLOG_MODE: from the start to the end

BEFORE = 4.0  # s, of the log before the motors start
PERIOD = 0.048  # s, of the log: a multiple of that of the sensors
TRUTH = ("pos", "vel", "att", "rate", "rotor_speed", "throttle")

ACCEL_STEP = 9.80665 / 2048  # m/s^2
GYRO_STEP = math.radians(2000 / 32768)  # rad/s
"""Steps of the 16-bit samples that PX4 makes of them [@px4 v1.16.1 SimulatorMavlink.cpp]."""
FIELD_STEP = 2e-9  # T, far below the noise

AIDS = {
    "gps_pos": ("estimator_aid_src_gnss_pos", 2),
    "gps_height": ("estimator_aid_src_gnss_hgt", 1),
    "gps_vel": ("estimator_aid_src_gnss_vel", 3),
    "barometer": ("estimator_aid_src_baro_hgt", 1),
    "magnetometer": ("estimator_aid_src_mag", 3),
}
"""What PX4 tells of its measurements: topic, and number of components."""


def fly(build: Px4Build, sim: Sim, folder: Path) -> tuple[Log, dict[str, Log]]:
    """Fly the mission; return the truth, and what the sensors measured."""
    truth, sensors = Recorder(sim, TRUTH), SensorRecorder(sim)
    sim.add_listener(truth.sample, 1 / sim.sensors.rate)
    with flight(build, sim, folder, SDLOG_MODE=ALWAYS) as station:
        station.upload(_items(station))
        station.switch(AUTO, MISSION)
        station.command(400, 1)  # MAV_CMD_COMPONENT_ARM_DISARM
        station.until_armed(True, 20)
        station.until_armed(False, 200)
    return truth.log(), sensors.logs()


def _items(station: Station) -> list[tuple[int, float, float, float]]:
    """Return the mission around the home of PX4."""
    home: Any = station.wait("HOME_POSITION", lambda _: True, 10)
    frame = LocalFrame(home.latitude * 1e-7, home.longitude * 1e-7, 0.0)
    places = frame.to_lla(np.array([(north, east, -up) for north, east, up in POINTS], float))
    lat, lon = home.latitude * 1e-7, home.longitude * 1e-7
    points = [(WAY_POINT, float(at[0]), float(at[1]), float(at[2])) for at in places]
    return [(TAKE_OFF, lat, lon, points[0][3]), *points, (LAND, lat, lon, 0.0)]


def topics_of(folder: Path) -> Topics:
    """Return the topics that PX4 has logged; of several instances the first."""
    (path,) = folder.rglob("*.ulg")
    return {found.name: found.data for found in ULog(str(path)).data_list if found.multi_id == 0}


def at(topic: dict[str, Array], parts: list[str], time: Array) -> Array:
    """Return the last values of a topic at some times [s]; NaN before the first."""
    stamps = topic["timestamp_sample"] / 1e6
    values = np.stack([topic[part] for part in parts], axis=1)
    index = np.searchsorted(stamps, time + 1e-4) - 1
    return np.where(index[:, None] >= 0, values[index], np.nan)


def between(topic: dict[str, Array], parts: list[str], time: Array) -> Array:
    """Return values of a topic between its samples, which are not at all updates of the sensors."""
    stamps = topic["timestamp_sample"] / 1e6
    values = [np.interp(time, stamps, topic[part]) for part in parts]
    return np.stack(values, axis=1)


def estimate(topics: Topics, time: Array, origin: tuple[float, float, float]) -> dict[str, Array]:
    """Return what PX4 estimated, in the local frame of the simulation."""
    place = topics["vehicle_local_position"]
    last = [float(place[f"ref_{name}"][-1]) for name in ("lat", "lon", "alt")]
    begin = LocalFrame(*origin).to_ned(np.array([last]))
    pos = between(place, ["x", "y", "z"], time) + begin
    att = at(topics["vehicle_attitude"], [f"q[{i}]" for i in range(4)], time)
    return {"pos_est": pos, "vel_est": between(place, ["vx", "vy", "vz"], time), "att_est": att}


def fits(topics: Topics, time: Array) -> dict[str, Array]:
    """Return innovations of PX4, and its test ratios: above 1 a measurement is not used."""
    found = {}
    for name, (topic, width) in AIDS.items():
        data = topics[topic]
        for kind in ("innovation", "test_ratio"):
            parts = [kind] if width == 1 else [f"{kind}[{i}]" for i in range(width)]
            found[f"px4_{name}_{kind}"] = at(data, parts, time)
    return found


UNITS = {"gps_pos": "m", "gps_height": "m", "gps_vel": "m/s", "barometer": "m", "magnetometer": "T"}


def px4_fields() -> dict[str, Field]:
    """Return the columns that no simulation has."""
    fields = {}
    for name, (topic, width) in AIDS.items():
        frame = "NED" if width > 1 else ""
        for kind, unit in (("innovation", UNITS[name]), ("test_ratio", "1")):
            column = f"px4_{name}_{kind}"
            fields[column] = Field(column, width, "sensor", unit, frame, f"{kind} of {topic}")
    return fields


def _tag(build: Px4Build) -> str:
    """Return the tag of PX4's sources."""
    told = (build.folder / "src" / "lib" / "version" / "build_git_version.h").read_text("utf-8")
    found = re.search(r'PX4_GIT_TAG_STR "(.*)"', told)
    return found[1] if found else build.version


def log_of(truth: Log, topics: Topics, span: tuple[float, float], origin: Any, build: Any) -> Log:
    """Return the flight: truth, estimate and fits at common times."""
    every = round(PERIOD / (truth.time[1] - truth.time[0]))
    rows = np.flatnonzero((truth.time >= span[0]) & (truth.time <= span[1]))[::every]
    time = truth.time[rows]
    found = {name: values[rows] for name, values in truth.columns.items()}
    seen = {**estimate(topics, time, origin), **fits(topics, time)}
    seen = {name: values if values.shape[1] > 1 else values[:, 0] for name, values in seen.items()}
    sim = Sim("iris")
    sim.sensors.enable("imu")
    sim.estimator.enable()
    known = {field.name: field for field in sim.fields()}
    fields = {name: known[name] for name in ("pos_est", "vel_est", "att_est")} | px4_fields()
    columns = found | {name: values[:, None] for name, values in seen.items()}
    told = {"px4": _tag(build), "recorded": f"{datetime.now():%Y-%m-%d}", "wind": WIND}
    packed = {name: values.astype(np.float32) for name, values in columns.items()}
    return Log(time, truth.copter_ids, packed, {**truth.fields, **fields}, truth.metadata | told)


MEASURED = {
    "imu": {"imu_accel": ACCEL_STEP, "imu_gyro": GYRO_STEP},
    "magnetometer": {"magnetometer": FIELD_STEP},
    "barometer": dict.fromkeys(("barometer_height", "barometer_pressure", "barometer_temperature")),
    "gps": dict.fromkeys(("gps_pos", "gps_vel")),
}
"""Sensors, what they measure, and the steps of whole numbers; None: as float32."""


def samples(logs: dict[str, Log], span: tuple[float, float]) -> dict[str, Array]:
    """Return what sensors measured, with its times; of whole numbers also their steps."""
    found: dict[str, Array] = {}
    for sensor, columns in MEASURED.items():
        log = logs[sensor]
        chosen = (log.time >= span[0]) & (log.time <= span[1])
        found[f"{sensor}_time"] = log.time[chosen].astype(np.float32)
        for column, step in columns.items():
            values = log[column][chosen, 0]
            if step is not None:
                found[f"{column}_step"] = np.array(step)
                values = np.round(values / step).astype(np.int16)
            found[column] = values.astype(np.float32) if step is None else values
    return found


def main() -> None:
    """Fly, and write."""
    build = find_build(Path(sys.argv[1]).expanduser())
    sim = vehicle("iris")
    sim.reset(seed=1)
    sim.wind = WIND
    with tempfile.TemporaryDirectory() as folder:
        truth, sensors = fly(build, sim, Path(folder))
        topics = topics_of(Path(folder))
    begin = truth.time[np.flatnonzero(truth["throttle"][:, 0].any(axis=1))[0]]
    span = (float(begin) - BEFORE, float(truth.time[-1]) - PERIOD)
    log = log_of(truth, topics, span, sim.origin, build)
    FOLDER.mkdir(exist_ok=True)
    log.save(FOLDER / "flight.npz")
    with np.load(FOLDER / "flight.npz") as found:
        np.savez_compressed(FOLDER / "flight.npz", **found)
    np.savez_compressed(FOLDER / "sensors.npz", **samples(sensors, span))


if __name__ == "__main__":
    main()
