"""The kinds of faults: `KINDS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pyrfly.errors import brief, near_names
from pyrfly.protocol.bits import FaultKind, FaultySensor

__all__ = ["KINDS", "VECTORS", "Kind", "Value", "kind_of"]

_LARGEST = 1e6
"""Maximum of a value, in SI units: far above what any actuator, sensor or wind has."""


class Value(NamedTuple):
    """A value of a kind of fault.

    Attributes
    ----------
    unit : str
        Unit; ``SI`` is that of the sensor.
    default : float, optional
        Value if none is given; None: it must be given.
    minimum, maximum : float
        Range.
    width : int
        Number of components: 3 of vectors, of which scalar sensors take one.
    """

    unit: str
    default: float | None = None
    minimum: float = -_LARGEST
    maximum: float = _LARGEST
    width: int = 1


class Kind(NamedTuple):
    """A kind of fault, as csrc/parts/faults/kinds.h describes it.

    Attributes
    ----------
    number : FaultKind
        Value of the column ``fault_kind``.
    of : {'actuator', 'sensor', 'link', ''}
        What the fault is of.
    values : mapping of str to Value
        Its values, by the names of their arguments.
    sensors : FaultySensor
        Sensors that may have it; the only one is that of a fault without ``sensor``.
    parts : tuple of str
        Other parts by which it acts.
    needs : {'battery', 'estimator', ''}
        What the vehicles must have.
    grows : bool
        Whether a share of it can act, as in a ramp.
    """

    number: FaultKind
    of: str
    values: Mapping[str, Value] = {}
    sensors: FaultySensor = ~FaultySensor(0)
    parts: tuple[str, ...] = ()
    needs: str = ""
    grows: bool = True


_SHARE = {"effectiveness": Value("1", 0.0, 0.0, 1e3)}
_LOAD = Value("1", None, 0.0, 0.95)
"""Share of the mass: RflySim's most [@rfly-safe], with which some is left."""

_GPS = FaultySensor.GPS
_PLACES = _GPS | FaultySensor.ACOUSTIC
_SCALED = ~_PLACES
"""Those whose zero is one: a position has none."""
_VELOCITY = Value("m/s", width=3)
_ROTATION = Value("rad", None, -1.0, 1.0, width=3)
_TRIADS = FaultySensor.ACCELEROMETER | FaultySensor.GYROSCOPE | FaultySensor.MAGNETOMETER
VECTORS = _TRIADS | _PLACES | FaultySensor.DVL
"""Sensors whose biases have three components."""

KINDS: Mapping[str, Kind] = {
    "motor": Kind(FaultKind.MOTOR, "actuator", _SHARE),
    "propeller": Kind(
        FaultKind.PROPELLER,
        "actuator",
        {"effectiveness": Value("1", 0.0, 0.0, 1.0)},
        parts=("strength",),
    ),
    "actuator_bias": Kind(FaultKind.ACTUATOR_BIAS, "actuator", {"bias": Value("1")}),
    "actuator_stuck": Kind(
        FaultKind.ACTUATOR_STUCK, "actuator", {"value": Value("1")}, grows=False
    ),
    "actuator_freeze": Kind(FaultKind.ACTUATOR_FREEZE, "actuator", grows=False),
    "actuator_limits": Kind(
        FaultKind.ACTUATOR_LIMITS,
        "actuator",
        {"minimum": Value("1", -_LARGEST), "maximum": Value("1", _LARGEST)},
        grows=False,
    ),
    "actuator_jitter": Kind(
        FaultKind.ACTUATOR_JITTER, "actuator", {"deviation": Value("1", None, 0.0)}
    ),
    "actuator_delay": Kind(
        FaultKind.ACTUATOR_DELAY,
        "actuator",
        {"delay": Value("s", None, 0.0, 0.5)},
        parts=("delay",),
    ),
    "sensor_bias": Kind(FaultKind.SENSOR_BIAS, "sensor", {"bias": Value("SI", width=3)}),
    "sensor_scale": Kind(FaultKind.SENSOR_SCALE, "sensor", {"factor": Value("1")}, _SCALED),
    "sensor_drift": Kind(FaultKind.SENSOR_DRIFT, "sensor", {"drift": Value("SI/s", width=3)}),
    "sensor_noise": Kind(
        FaultKind.SENSOR_NOISE,
        "sensor",
        {"factor": Value("1", 1.0, 0.0), "deviation": Value("SI", 0.0, 0.0)},
    ),
    "sensor_freeze": Kind(FaultKind.SENSOR_FREEZE, "sensor", grows=False),
    "sensor_dropout": Kind(FaultKind.SENSOR_DROPOUT, "sensor", grows=False),
    "sensor_rate": Kind(
        FaultKind.SENSOR_RATE, "sensor", {"period_factor": Value("1", None, 0.01, 1e4)}
    ),
    "sensor_delay": Kind(
        FaultKind.SENSOR_DELAY,
        "sensor",
        {"delay": Value("s", None, 0.0, 60.0)},
        parts=("late_samples",),
    ),
    "sensor_outages": Kind(
        FaultKind.SENSOR_OUTAGES,
        "sensor",
        {"period": Value("s", None, 0.01), "share": Value("1", 0.5, 0.0, 1.0)},
        grows=False,
    ),
    "gps_fix": Kind(
        FaultKind.GPS_FIX, "sensor", {"fix": Value("1", 0.0, 0.0, 6.0)}, _GPS, grows=False
    ),
    "gps_satellites": Kind(
        FaultKind.GPS_SATELLITES,
        "sensor",
        {"satellites": Value("1", 0.0, 0.0, 254.0)},
        _GPS,
        grows=False,
    ),
    "gps_velocity": Kind(FaultKind.GPS_VELOCITY, "sensor", {"bias": _VELOCITY}, _GPS),
    "gps_spoof": Kind(FaultKind.GPS_SPOOF, "sensor", {"velocity": _VELOCITY}, _GPS),
    "gps_place": Kind(FaultKind.GPS_PLACE, "sensor", {"pos": Value("m", width=3)}, _GPS),
    "estimator_off": Kind(FaultKind.ESTIMATOR_OFF, "", needs="estimator", grows=False),
    "estimator_freeze": Kind(FaultKind.ESTIMATOR_FREEZE, "", needs="estimator", grows=False),
    "estimator_position": Kind(
        FaultKind.ESTIMATOR_POSITION, "", {"bias": Value("m", width=3)}, needs="estimator"
    ),
    "estimator_velocity": Kind(
        FaultKind.ESTIMATOR_VELOCITY, "", {"bias": _VELOCITY}, needs="estimator"
    ),
    "estimator_attitude": Kind(
        FaultKind.ESTIMATOR_ATTITUDE, "", {"bias": _ROTATION}, needs="estimator"
    ),
    "wind": Kind(FaultKind.WIND, "", {"wind": _VELOCITY}),
    "gusts": Kind(FaultKind.GUSTS, "", {"wind": _VELOCITY, "period": Value("s", None, 0.01)}),
    "power_off": Kind(FaultKind.POWER_OFF, ""),
    "low_voltage": Kind(FaultKind.LOW_VOLTAGE, "", {"ratio": Value("1", None, 0.0, 1.0)}),
    "low_capacity": Kind(
        FaultKind.LOW_CAPACITY, "", {"ratio": Value("1", None, 0.0, 1.0)}, needs="battery"
    ),
    "hover_time": Kind(FaultKind.HOVER_TIME, "", {"time": Value("s", None, 0.0)}, needs="battery"),
    "load_fall": Kind(FaultKind.LOAD_FALL, "", {"share": _LOAD}, parts=("loads",)),
    "load_shift": Kind(
        FaultKind.LOAD_SHIFT,
        "",
        {"share": _LOAD, "offset": Value("m", None, -10.0, 10.0, width=3)},
        parts=("loads",),
    ),
    "load_leak": Kind(
        FaultKind.LOAD_LEAK,
        "",
        {"share": _LOAD, "leak": Value("1/s", None, 0.0, 1e3)},
        parts=("loads",),
    ),
    "battery_gauge": Kind(FaultKind.BATTERY_GAUGE, "", {"ratio": Value("1", None, 0.0, 1.0)}),
    "link_loss": Kind(FaultKind.LINK_LOSS, "link", grows=False),
    "link_delay": Kind(FaultKind.LINK_DELAY, "link", {"delay": Value("s", None, 0.0, 60.0)}),
    "packet_loss": Kind(FaultKind.PACKET_LOSS, "link", {"share": Value("1", None, 0.0, 1.0)}),
    "turbulence": Kind(FaultKind.TURBULENCE, "", {"wind": _VELOCITY}, parts=("environment",)),
    "shear": Kind(FaultKind.SHEAR, "", {"wind": _VELOCITY}, parts=("environment",)),
    "wind_noise": Kind(
        FaultKind.WIND_NOISE,
        "",
        {"deviation": Value("m/s", None, 0.0), "time": Value("s", 0.0, 0.0)},
    ),
}
"""Kinds of faults by name; docs/fault-reference.md describes them."""


def kind_of(name: str) -> Kind:
    """Return a kind by its name; a ValueError names what is near."""
    if isinstance(name, str) and name in KINDS:
        return KINDS[name]
    near = near_names(name, KINDS) if isinstance(name, str) else ", ".join(KINDS)
    raise ValueError(f"kind: expected a kind of fault, such as {near}, got {brief(name)}")
