"""Names of parameters in RflySim's template of a multirotor: `NAMED_PARAMS`."""

from __future__ import annotations

from collections.abc import Mapping

from pyrfly.vehicles.model_params import NamedParam, inertia_names

__all__ = ["NAMED_PARAMS"]

NAMED_PARAMS: Mapping[str, tuple[NamedParam, ...]] = {
    **inertia_names("inertia"),
    "uavR": (NamedParam("arm_length"),),
    "uavCd": (NamedParam("drag_quadratic", 0, 3),),
    "uavCCm": (NamedParam("damping_quadratic", 0, 3),),
    "uavDearo": (NamedParam("drag_offset"),),
    "motorMinThr": (NamedParam("motor_dead_zone"),),
    "motorCr": (NamedParam("motor_curve", 1),),
    "motorWb": (NamedParam("motor_curve", 0),),
    "motorT": (NamedParam("motor_tau", 0, 2),),
    "motorJm": (NamedParam("rotor_inertia"),),
    "rotorCt": (NamedParam("thrust_coef", 1),),
    "rotorCm": (NamedParam("torque_coef", 1),),
}
"""Columns by name [@rfly-template Init.m]."""
