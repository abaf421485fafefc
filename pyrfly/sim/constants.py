"""Texts of the fault flags, groups of column roles, and what switches parts on (`switch_of`)."""

from __future__ import annotations

from pyrfly import _core

__all__ = [
    "HASHED_ROLES",
    "KEPT_BY_RESET",
    "RESET_ROLES",
    "RESULTS_CHANGED_BY",
    "STATUS_TEXT",
    "WORD_ROLES",
    "switch_of",
]

STATUS_TEXT = {value: text for _, value, _, text in _core.tables()["fault"]}
"""Text of each fault flag of the ``status`` column."""

HASHED_ROLES = ("state", "controller", "sensor", "flag", "part", "part word")
"""Roles of the columns in `Sim.hash`."""

RESET_ROLES = ("state", "setpoint", "controller", "sensor", "flag")
"""Roles of the columns that a reset sets to 0, as it does the actuator commands."""

KEPT_BY_RESET = ("random_seed", "random_vehicle")
"""Columns of these roles that a reset keeps."""

WORD_ROLES = ("flag", "part word")
"""Roles of the columns of 32-bit words."""

RESULTS_CHANGED_BY = {"collision": "collisions.mend(...)"}
"""What of a `Sim` changes columns that otherwise the core alone writes, by their part."""

SWITCHES = {
    "navigator": "enable_synthesis()",
    "environment": "environment.enable(...)",
    **dict.fromkeys(
        (
            *("temperature_offset", "sea_level_pressure"),
            *("air_temperature", "air_pressure", "air_density", "sound_speed"),
        ),
        "environment.enable('atmosphere')",
    ),
    **dict.fromkeys(("shear_height", "shear_roughness"), "environment.enable('shear')"),
    "wind_variation": "environment.enable('shear'), set_gust or set_turbulence",
    "turbulence_min_speed": "environment.set_turbulence(...)",
    "magnetic_field": "environment.enable('magnetic')",
    "normal_gravity": "environment.enable('gravity')",
    "ground_effect": "environment.set_ground_effect(...)",
    "water": "environment.set_water(...) or set_current",
    "waves": "environment.set_waves(...)",
    "motors": "motors.enable(...)",
    "strength": "set_strength(...)",
    "faults": "faults.add(...)",
    "delay": "faults.add('actuator_delay', ...)",
    "late_samples": "faults.add('sensor_delay', ...)",
    "safety": "safety.add(...)",
    "parachute": "parachute.fit(...)",
    "collision": "collisions.enable()",
    "payload": "payload.attach(...)",
    "tether": "tether.attach(...)",
    "rebound": "rebound.put(...)",
    "rotor_air": "environment.set_rotor_air(...)",
    "earth": "environment.set_earth(...)",
    "downwash": "environment.enable('downwash')",
    "loads": "set_load(...)",
    "contact": "set_contact_points(...)",
    "ground_plane": "set_ground_plane(...)",
    "power": "power.enable(...)",
    "sensors": "sensors.enable(...)",
    "task": "enable_part('task')",
    "terrain": "environment.set_terrain(...)",
    "sight": "scene.let_range_see()",
    "estimator": "estimator.enable(...)",
    "free_inputs": "enable_part('free_inputs')",
    "free_outputs": "enable_part('free_outputs')",
    "model_params": "model_params.set(...)",
}
"""What of a `Sim` switches on a part, or the effect that a column of it belongs to."""


def switch_of(part: str, column: str) -> str:
    """Return the call that switches on the part of a column, by default ``enable_part``."""
    return f"sim.{SWITCHES.get(column) or SWITCHES.get(part) or f'enable_part({part!r})'}"
