"""PX4's mixer files: control groups to motors and servos, for many vehicles at once.

docs/mixers.md shows how.
"""

from pyrfly.mixers.actuators import MixedActuators
from pyrfly.mixers.airframes import AirframeMixers, find_airframe, load_airframe
from pyrfly.mixers.controls import CONTROLS, channel_controls, controls
from pyrfly.mixers.definitions import (
    Control,
    Definition,
    Helicopter,
    Multirotor,
    Null,
    Scaler,
    Sum,
    SwashServo,
)
from pyrfly.mixers.desaturation import Airmode
from pyrfly.mixers.fleet_mixer import Arming, FleetMixer
from pyrfly.mixers.geometry import GEOMETRIES
from pyrfly.mixers.mixer import Mixer, load
from pyrfly.mixers.outputs import Outputs, Pulses, motor_channels
from pyrfly.mixers.parsing import parse

__all__ = [
    "CONTROLS",
    "GEOMETRIES",
    "AirframeMixers",
    "Airmode",
    "Arming",
    "Control",
    "Definition",
    "FleetMixer",
    "Helicopter",
    "MixedActuators",
    "Mixer",
    "Multirotor",
    "Null",
    "Outputs",
    "Pulses",
    "Scaler",
    "Sum",
    "SwashServo",
    "channel_controls",
    "controls",
    "find_airframe",
    "load",
    "load_airframe",
    "motor_channels",
    "parse",
]
