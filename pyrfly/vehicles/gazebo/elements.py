"""Elements of SDF by what becomes of them: read, or without an effect on the motion.

All others are listed as left out [@gz-classic] [@gz-sim].
"""

from __future__ import annotations

import itertools
import re

__all__ = [
    "ACKERMANN",
    "AERO",
    "AXIS",
    "CHANNEL",
    "CONTROLLER",
    "CONTROL_SURFACE",
    "DIFFERENTIAL",
    "INERTIAL",
    "JOINT",
    "JOINT_TYPES",
    "LIMIT",
    "LINK",
    "MODEL",
    "MOTOR",
    "SURFACE",
    "TALK",
    "TURNING",
    "WHEEL",
    "WIND",
    "without_forces",
]

TALK = frozenset(
    "robotNamespace commandSubTopic motorSpeedPubTopic windSubTopic topic_name sub_topic topic"
    " gztopic motorPositionPubTopic motorForcePubTopic".split()
)
"""Names of topics."""

MODEL = frozenset(
    "link joint frame plugin include model static pose self_collide allow_auto_disable".split()
)
LINK = frozenset(
    "pose inertial gravity kinematic velocity_decay enable_wind"
    " collision visual sensor light projector audio_sink audio_source particle_emitter battery"
    " self_collide must_be_base_link frame".split()
)
INERTIAL = frozenset("pose mass inertia density frame fluid_added_mass".split())
JOINT = frozenset(
    "parent child pose axis"
    " axis2 physics sensor frame gearbox_ratio gearbox_reference_body thread_pitch"
    " screw_thread_pitch".split()
)
AXIS = frozenset("xyz limit dynamics use_parent_model_frame initial_position".split())
LIMIT = frozenset("lower upper effort velocity stiffness dissipation".split())

MOTOR = TALK | frozenset(
    "jointName linkName turningDirection timeConstantUp timeConstantDown maxRotVelocity"
    " motorConstant momentConstant motorNumber actuator_number rotorDragCoefficient"
    " rollingMomentCoefficient maxRelativeAirspeed reversible motorType"
    " rotorVelocitySlowdownSim".split()
)
SURFACE = TALK | frozenset(
    "link_name a0 cla cda cma alpha_stall cla_stall cda_stall cma_stall cp area air_density forward"
    " upward radial_symmetry control_joint_name control_joint_rad_to_cl cm_delta".split()
)
AERO = TALK | frozenset(
    "link_name AR eff mac area air_density alpha_stall M CD_fp_k1 CD_fp_k2 forward upward ref_pt cp"
    " CL0 CLa CLb CLp CLq CLr CD0 CDp CDq CDr CYa CYb CYp CYq CYr"
    " Cella Cellb Cellp Cellq Cellr Cem0 Cema Cemb Cemp Cemq Cemr Cema_stall"
    " Cena Cenb Cenp Cenq Cenr num_ctrl_surfaces control_surface radial_symmetry"
    " a0 cda CLa_stall CDa_stall".split()
)
CONTROL_SURFACE = frozenset(
    "name direction CD_ctrl CY_ctrl CL_ctrl Cell_ctrl Cem_ctrl Cen_ctrl index".split()
)
CHANNEL = TALK | frozenset(
    "input_index input_offset input_scaling zero_position_disarmed zero_position_armed"
    " joint_control_type joint_name joint_control_pid".split()
)
CONTROLLER = TALK | frozenset(
    "joint_name p_gain i_gain d_gain i_max i_min cmd_max cmd_min err_max initial_position"
    " use_velocity_commands joint_index use_actuator_msg actuator_number".split()
)
_TELLS = TALK | frozenset(
    "odom_publish_frequency odom_topic tf_topic frame_id child_frame_id min_jerk max_jerk".split()
)
WHEEL = TALK | frozenset(
    "joint_name control_type use_force_commands use_actuator_msg actuator_number initial_velocity"
    " p_gain i_gain d_gain i_max i_min cmd_max cmd_min cmd_offset disable_braking".split()
)
DIFFERENTIAL = _TELLS | frozenset(
    "left_joint right_joint wheel_separation wheel_radius min_velocity max_velocity"
    " min_acceleration max_acceleration min_linear_velocity max_linear_velocity"
    " min_angular_velocity max_angular_velocity min_linear_acceleration max_linear_acceleration"
    " min_angular_acceleration max_angular_acceleration min_linear_jerk max_linear_jerk"
    " min_angular_jerk max_angular_jerk".split()
)
ACKERMANN = _TELLS | frozenset(
    "steering_only use_actuator_msg actuator_number steer_p_gain left_joint right_joint"
    " left_steering_joint right_steering_joint wheel_separation kingpin_width wheel_base"
    " steering_limit wheel_radius min_velocity max_velocity min_acceleration"
    " max_acceleration".split()
)

WIND = (
    "windForceMean windForceVariance windGustForceMean windGustForceVariance"
    " windSpeedMean windSpeedVariance windGustSpeedMean windGustSpeedVariance"
    " windVelocityMean windVelocityVariance windGustVelocityMean windGustVelocityVariance"
).split()
"""What blows where it is not 0."""

JOINT_TYPES = frozenset(
    "fixed revolute continuous prismatic ball universal revolute2 screw gearbox".split()
)
TURNING = frozenset(("revolute", "continuous"))
"""Types of joints that a channel may turn."""

_SENSES = frozenset(
    "groundtruth magnetometer barometer airspeed imu gps navsat camera lidar sonar rangefinder"
    " odometry altimeter opticalflow irlock vision video visual forcevisual pressure bag kinect"
    " openni multicamera noisydepth".split()
)
_PAIRS = frozenset(
    "air-pressure air-speed multirotor-base pose-publisher joint-state optical-flow force-visual"
    " logical-camera magnetic-field range-finder ros-interface controller-interface".split()
)
"""Words of the names of plug-ins that act on no body: sensors, and publishers of states."""

_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]")


def without_forces(name: str) -> bool:
    """Return whether the file of a plug-in is that of one that acts on no body.

    Examples
    --------
    >>> without_forces("libgazebo_imu_plugin.so"), without_forces("libsimulated_jet.so")
    (True, False)
    """
    words = [word.lower() for word in _WORD.findall(name)]
    pairs = {f"{one}-{two}" for one, two in itertools.pairwise(words)}
    return not _SENSES.isdisjoint(words) or not _PAIRS.isdisjoint(pairs)
