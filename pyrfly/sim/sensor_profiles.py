"""Named settings of sensors: `PROFILES`.

A setting that a profile does not name is that of the ideal sensor. Mounting, constant biases and
scale factors belong to no profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, NamedTuple

__all__ = ["IDEAL", "IN_WATER", "PROFILES", "Settings"]

_NO_LIMIT = 1e30
_GAUSS = 1e-4  # T
_GRAVITY = 9.80665  # m/s^2
_DEGREE = 0.017453292519943295  # rad
_REGAIN = 1.0  # s, in which a receiver that has lost all satellites finds them again; estimated


class Settings(NamedTuple):
    """Settings of a sensor.

    Attributes
    ----------
    rate : float or None
        Samples per second; None: one at every update of the sensors.
    columns : mapping of str to float or sequence of float
        Values of columns, in their units.
    """

    rate: float | None
    columns: Mapping[str, Any]


Profile = Mapping[str, Settings]

IDEAL: Profile = {
    "imu": Settings(
        None,
        {
            "imu_frequency": 0,
            "imu_damping": 1,
            "imu_vibration": 0,
            "imu_accel_noise": 0,
            "imu_accel_limit": _NO_LIMIT,
            "imu_accel_walk": 0,
            "imu_accel_tau": 1,
            "imu_gyro_noise": 0,
            "imu_gyro_limit": _NO_LIMIT,
            "imu_gyro_walk": 0,
            "imu_gyro_tau": 1,
        },
    ),
    "magnetometer": Settings(
        None,
        {
            "magnetometer_noise": 0,
            "magnetometer_limit": _NO_LIMIT,
            "magnetometer_walk": 0,
            "magnetometer_tau": 1,
        },
    ),
    "barometer": Settings(
        None,
        {
            "barometer_noise": 0,
            "barometer_walk": 0,
            "barometer_tau": 1,
            "barometer_airspeed": 0,
            "temperature_noise": 0,
        },
    ),
    "airspeed": Settings(None, {"airspeed_noise": 0}),
    "gps": Settings(
        None,
        {
            "gps_delay": 0,
            "gps_noise": 0,
            "gps_uniform": 0,
            "gps_walk": 0,
            "gps_tau": 1,
            "gps_vel_noise": 0,
            "gps_accuracy": 0,
            "gps_satellites": 10,
            "gps_regain": 0,
        },
    ),
    "range": Settings(None, {"range_noise": 0, "range_limits": (0, _NO_LIMIT)}),
    "water_pressure": Settings(None, {"water_pressure_noise": 0, "water_pressure_resolution": 0}),
    "dvl": Settings(
        None,
        {
            "dvl_noise": 0,
            "dvl_noise_share": 0,
            "dvl_limits": (0, _NO_LIMIT),
            "dvl_speed_max": _NO_LIMIT,
            "dvl_tilt_max": 1.5,
        },
    ),
    "acoustic": Settings(
        None,
        {"acoustic_noise": 0, "acoustic_noise_share": 0, "acoustic_range_max": _NO_LIMIT},
    ),
}
"""Truth at every update of the sensors."""

# What vehicles in water carry, in every profile but the ideal one. Water pressure: a sensor of
# ROVs, MS5837-30BA, whose noise is its resolution of 0.2 mbar and whose step 0.1 mbar, with two
# conversions of 18 ms a sample [@ms5837]. Velocity: a Doppler log of ROVs, A50, of 4 to 26 pings
# per second from 0.05 to 50 m over the bottom, up to 2 m/s, within 1 mm/s [@waterlinked-a50]; its
# 1 % of the speed is that of the standard edition [@waterlinked-accuracy]. Estimated: the tilt at
# which it loses the bottom; of the position all, as of a small ultra-short base line: bearings of
# 1 degree up to 1 km, a fix in 2 s.
IN_WATER: Profile = {
    "water_pressure": Settings(25, {"water_pressure_noise": 20, "water_pressure_resolution": 10}),
    "dvl": Settings(
        8,
        {
            "dvl_noise": 0.001,
            "dvl_noise_share": 0.01,
            "dvl_limits": (0.05, 50),
            "dvl_speed_max": 2,
            "dvl_tilt_max": 30 * _DEGREE,
        },
    ),
    "acoustic": Settings(
        0.5,
        {"acoustic_noise": 0.05, "acoustic_noise_share": _DEGREE, "acoustic_range_max": 1000},
    ),
}

# Densities, standard deviations and rates of PX4's models for Gazebo [@gz-classic]. The limits are
# those of the 16-bit samples that PX4 makes of simulated ones [@px4 v1.14 simulator_mavlink]. Its
# drift of the position is b <- b + w dt - b / 60 at every one of 5 samples per second, with w of
# 2 (vertical 4) per root of the sampling interval: 0.4 and 0.8 m per root second, and
# tau = 0.2 s / ln(60 / 59). Its noise of position and velocity is a density times the root of that
# interval. Estimated: accuracies, satellites and the range finder, a small lidar.
_PX4: Profile = {
    "imu": Settings(
        250,
        {
            "imu_accel_noise": 0.00637,
            "imu_accel_tau": 300,
            "imu_accel_limit": 16 * _GRAVITY,
            "imu_gyro_noise": 8.726646e-4,
            "imu_gyro_tau": 1000,
            "imu_gyro_limit": 2000 * _DEGREE,
        },
    ),
    "magnetometer": Settings(
        100,
        {
            "magnetometer_noise": 4e-4 * _GAUSS,
            "magnetometer_walk": 6.4e-6 * _GAUSS,
            "magnetometer_tau": 600,
        },
    ),
    "barometer": Settings(50, {"barometer_noise": 1}),
    "airspeed": Settings(10, {"airspeed_noise": 1}),
    "gps": Settings(
        5,
        {
            "gps_delay": 0.12,
            "gps_noise": (2e-4 * sqrt(0.2), 4e-4 * sqrt(0.2)),
            "gps_walk": (0.4, 0.8),
            "gps_tau": 11.9,
            "gps_vel_noise": (0.2 * sqrt(0.2), 0.4 * sqrt(0.2)),
            "gps_accuracy": (1, 1),
            "gps_satellites": 10,
            "gps_regain": _REGAIN,
        },
    ),
    "range": Settings(50, {"range_noise": 0.01, "range_limits": (0.1, 40)}),
    **IN_WATER,
}


_PX4_SIH: Profile = {
    **_PX4,
    # The receiver of PX4's own simulator [@px4 v1.16.1 SensorGpsSim.cpp]: white noise, in velocity
    # of 0.06, 0.077 and 0.158 m/s north, east and down. It does not drift, so that PX4's checks
    # before arming pass.
    "gps": Settings(
        8,
        {
            "gps_noise": (0.2, 0.5),
            "gps_vel_noise": (sqrt((0.06**2 + 0.077**2) / 2), 0.158),
            "gps_accuracy": (0.9, 1.78),
            "gps_satellites": 10,
            "gps_regain": _REGAIN,
        },
    ),
}


def _axes(gain: tuple[float, float], level: float, vertical: float) -> tuple[float, float, float]:
    """Return the noise densities of three axes for gains and powers of x and y, and of z."""
    horizontal = gain[0] * sqrt(level)
    return horizontal, horizontal, gain[1] * sqrt(vertical)


def _rflysim(
    accel: tuple[float, float], gyro: tuple[float, float], mag: tuple[float, float]
) -> Profile:
    """Return RflySim's sensors for the gains of its noise: of x and y, of z.

    A block of power P and gain g is white noise of density g sqrt(P) [@rfly-safe]: powers are
    0.001 (z 0.003) m^2/s^3, 1e-5 rad^2/s, 1e-5 gauss^2 s. The height of its barometer is taken as
    0.008 V^2 [m] too high at an airspeed V, that is a pressure coefficient of -2 g 0.008.
    """
    return {
        "imu": Settings(
            None,
            {
                "imu_frequency": 190,
                "imu_damping": 0.707,
                "imu_vibration": 1,
                "imu_accel_noise": _axes(accel, 0.001, 0.003),
                "imu_accel_limit": 160,
                "imu_gyro_noise": _axes(gyro, 1e-5, 1e-5),
                "imu_gyro_limit": 4.36,
            },
        ),
        "magnetometer": Settings(
            100, {"magnetometer_noise": _axes(mag, 1e-5 * _GAUSS**2, 1e-5 * _GAUSS**2)}
        ),
        "barometer": Settings(100, {"barometer_airspeed": -2 * _GRAVITY * 0.008}),
        "airspeed": Settings(100, {}),
        "gps": Settings(
            5,
            {
                "gps_uniform": 0.5,
                "gps_accuracy": (0.3, 0.4),
                "gps_satellites": 10,
                "gps_regain": _REGAIN,
            },
        ),
        "range": _PX4["range"],
        **IN_WATER,
    }


PROFILES: Mapping[str, Profile] = {
    "ideal": IDEAL,
    "px4": _PX4,
    "px4_sih": _PX4_SIH,
    "rflysim": _rflysim((0.04, 0.03), (0.02, 0.025), (0.02, 0.035)),
    "rflysim_noisy": _rflysim((0.8, 4.5), (2, 1), (0.025, 0.05)),
}
"""Settings by profile and sensor; ``rflysim_noisy`` has RflySim's ``GlobalNoiseGainSwitch`` on."""
