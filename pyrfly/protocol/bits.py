"""Bits, modes and indices of the core.

Made by the build (tools/bits_module.py) from the tables of csrc; do not edit.
"""

from enum import IntEnum, IntFlag


class Command(IntFlag):
    """Bits of ``inSILInts[0]``."""

    ENABLE = 1 << 0
    """Accept this command word, once."""
    SIL = 1 << 1
    """1: throttle from the internal controllers; 0: from inPWMs, while armed."""
    ARMED = 1 << 2
    """1: the motors may run; 0: they stop."""
    TAKEOFF = 1 << 8
    """Climb to a height, then hold position; fixed wings fly straight on."""
    POSITION = 1 << 9
    """Track the set-points; hold position without them."""
    LAND = 1 << 10
    """Descend, detect ground contact, disarm."""
    RETURN = 1 << 11
    """Fly to the position above home and hold it; fixed wings circle it."""
    LOITER = 1 << 12
    """Fixed wings: circle where they are, or the position; others: as POSITION."""
    HEIGHT = 1 << 13
    """Fixed wings: height and airspeed only, straight on; others: as POSITION."""
    HORIZONTAL = 1 << 14
    """Fixed wings: horizontal position only, at the present height; others: as POSITION."""
    OFFBOARD_POSITION = 1 << 16
    """Set-points of the position class follow; as POSITION, and ends a take-off."""
    OFFBOARD_ATTITUDE = 1 << 17
    """Set-points of the attitude class follow; as POSITION, and ends a take-off."""


class Offboard(IntFlag):
    """Bits of ``inSILInts[1]``."""

    POSITION = 1 << 0
    """Position, inSILFloats[0..2]."""
    VELOCITY = 1 << 1
    """Velocity [m/s], inSILFloats[3..5]; with POSITION feed-forward."""
    ACCELERATION = 1 << 2
    """Acceleration [m/s^2], inSILFloats[6..8]; with the above feed-forward."""
    YAW = 1 << 3
    """Heading [rad], inSILFloats[11]."""
    YAW_RATE = 1 << 4
    """Heading rate [rad/s], inSILFloats[14]."""
    ATTITUDE = 1 << 8
    """Roll, pitch, yaw [rad], inSILFloats[9..11]."""
    ROLL_RATE = 1 << 9
    """Angular velocity [rad/s, FRD], inSILFloats[12..14]."""
    PITCH_RATE = 1 << 10
    """As ROLL_RATE."""
    THRUST = 1 << 11
    """Normalized thrust (0 to 1), inSILFloats[15]; with ATTITUDE or ROLL_RATE."""
    FRD = 1 << 12
    """Velocity and acceleration forward, right, down; position an offset in that frame."""
    LOCAL = 1 << 13
    """Position relative to home; with GLOBAL only the height above home."""
    FULL = 1 << 15
    """Position, velocity and acceleration together; bits 0 to 2 select them."""
    NED = 1 << 16
    """Position relative to the origin of the map, as without any frame bit."""
    GLOBAL = 1 << 17
    """Position as latitude and longitude [deg] and height [m, up]."""
    INTEGER_POSITION = 1 << 24
    """With GLOBAL: latitude and longitude are inSILInts[6], [7] [1e-7 deg]."""


class Frame(IntFlag):
    """Values of ``inSILInts[2]``: the airframe of a mixed model."""

    QUADROTOR = 1 << 0
    """Four rotors."""
    HEXACOPTER = 1 << 1
    """Six rotors."""
    OCTOCOPTER = 1 << 2
    """Eight rotors."""
    COAXIAL_OCTOCOPTER = 1 << 3
    """Eight rotors on four arms."""


class FaultId(IntEnum):
    """Words of ``inSILInts`` that inject a fault."""

    MOTOR = 123450
    """Loss of effectiveness of motors."""
    PROPELLER = 123451
    """Loss of effectiveness of propellers."""
    BATTERY_TIME = 123452
    """Hover time of the battery."""
    POWER_OFF = 123453
    """Loss of power."""
    LOW_VOLTAGE = 123454
    """Low voltage."""
    LOW_CAPACITY = 123455
    """Low capacity."""
    LOAD_FALL = 123456
    """Loss of the load."""
    LOAD_SHIFT = 123457
    """Shift of the load."""
    LOAD_LEAK = 123458
    """Leak of the load."""
    CONSTANT_WIND = 123459
    """Constant wind."""
    GUST = 123540
    """Gusts."""
    TURBULENCE = 123541
    """Turbulence."""
    WIND_SHEAR = 123542
    """Wind shear."""
    WIND_NOISE = 123543
    """Noise of the wind."""
    ACCELEROMETER = 123544
    """Noise of the accelerometer."""
    GYROSCOPE = 123545
    """Noise of the gyroscope."""
    MAGNETOMETER = 123546
    """Noise of the magnetometer."""
    BAROMETER = 123547
    """Offset of the barometer."""
    GPS = 123548
    """Noise, fix and satellites of the GPS."""
    MOTOR_NOISE = 123549
    """Loss of effectiveness of motors, with noise."""


class Setpoint(IntFlag):
    """Bits of the column ``setpoint_mask``."""

    POSITION = 1 << 0
    """Pos_sp; with VELOCITY, vel_sp is added as feed-forward."""
    VELOCITY = 1 << 1
    """Vel_sp."""
    ACCELERATION = 1 << 2
    """Acc_sp; alone it bypasses the position and velocity loops."""
    YAW = 1 << 3
    """Yaw_sp; with neither yaw bit the last heading is held."""
    YAW_RATE = 1 << 4
    """Yaw_rate_sp; with YAW it is feed-forward."""
    BACKWARD = 1 << 5
    """Vehicles that steer go to pos_sp backward; not one of RflySim's."""
    ATTITUDE = 1 << 8
    """Att_sp; without THRUST the velocity loop sets the collective thrust."""
    BODY_RATE = 1 << 9
    """Rate_sp; collective thrust as with ATTITUDE."""
    THRUST = 1 << 11
    """Thrust_sp, with ATTITUDE or BODY_RATE."""
    HEADING_FRAME = 1 << 12
    """Vel_sp, acc_sp are forward, right, down of the heading."""


class Fault(IntFlag):
    """Bits of the column ``status``: fault flags."""

    NOT_FINITE = 1 << 0
    """Non-finite state."""
    FAR = 1 << 1
    """Position or ground too far away."""
    FAST = 1 << 2
    """Too fast."""
    SPINNING = 1 << 3
    """Spinning too fast."""
    OVERSPEED = 1 << 4
    """Rotor or wheel overspeed."""
    BAD_ATTITUDE = 1 << 5
    """Attitude not a unit quaternion."""
    FROZEN = 1 << 6
    """Frozen at a safety boundary."""
    JACKKNIFE = 1 << 7
    """Jack-knifed."""
    MODEL_FAILED = 1 << 8
    """Its model failed."""


class Effect(IntFlag):
    """Bits of the column ``environment_effects``."""

    ATMOSPHERE = 1 << 0
    """Air_temperature, air_pressure, air_density and sound_speed follow the height."""
    DENSITY = 1 << 1
    """Aerodynamic forces are in proportion to air_density."""
    SHEAR = 1 << 2
    """The steady wind grows with the height above ground."""
    GUST = 1 << 3
    """A gust."""
    TURBULENCE = 1 << 4
    """Dryden turbulence."""
    MAGNETIC = 1 << 5
    """Magnetic_field is that of the World Magnetic Model."""
    GRAVITY = 1 << 6
    """Gravity follows latitude and height, instead of the parameter gravity."""
    GROUND_EFFECT = 1 << 7
    """The thrust of rotors grows near the ground."""
    DOWNWASH = 1 << 8
    """The air that rotors move meets the vehicles below."""


class Sensor(IntFlag):
    """Bits of ``sensors_on`` and ``sensors_updated``."""

    IMU = 1 << 0
    """Inertial measurement unit: specific force, angular velocity."""
    MAGNETOMETER = 1 << 1
    """Magnetic field in the body."""
    BAROMETER = 1 << 2
    """Static pressure, pressure altitude, temperature."""
    AIRSPEED = 1 << 3
    """Differential pressure of a pitot tube, indicated airspeed."""
    GPS = 1 << 4
    """Position and velocity of a satellite receiver."""
    RANGE = 1 << 5
    """Distance to the ground along the body's down axis."""
    WATER_PRESSURE = 1 << 6
    """Pressure of the water, the depth by it."""
    DVL = 1 << 7
    """Velocity over the bottom of the water by Doppler's effect, distance to it."""
    ACOUSTIC = 1 << 8
    """Position by sound in the water."""


class FaultKind(IntEnum):
    """Values of the column ``fault_kind``."""

    NONE = 0
    """No fault."""
    MOTOR = 1
    """An actuator follows a share of its command."""
    PROPELLER = 2
    """An actuator moves, with a share of its effect: a damaged or lost propeller or surface."""
    ACTUATOR_BIAS = 3
    """An actuator follows its command and a constant."""
    ACTUATOR_STUCK = 4
    """An actuator holds a value."""
    ACTUATOR_LIMITS = 5
    """An actuator follows its command within limits."""
    ACTUATOR_JITTER = 6
    """An actuator follows its command and white noise."""
    SENSOR_BIAS = 7
    """A sensor measures a constant more."""
    SENSOR_SCALE = 8
    """A sensor measures a multiple."""
    SENSOR_DRIFT = 9
    """A sensor measures more and more."""
    SENSOR_NOISE = 10
    """A sensor has a multiple of its noise, and other noise."""
    SENSOR_FREEZE = 11
    """A sensor repeats its last value."""
    SENSOR_DROPOUT = 12
    """A sensor takes no samples."""
    WIND = 13
    """Wind that is added."""
    GUSTS = 14
    """Wind that is added in waves."""
    GPS_FIX = 15
    """A satellite receiver has no better fix than this."""
    GPS_SATELLITES = 16
    """A satellite receiver has no more satellites than these."""
    GPS_VELOCITY = 17
    """A satellite receiver measures a constant velocity more."""
    GPS_SPOOF = 18
    """A satellite receiver is led away with a velocity that it measures, too."""
    GPS_PLACE = 19
    """A satellite receiver measures a fixed place."""
    SENSOR_RATE = 20
    """A sensor has a multiple of its period."""
    ESTIMATOR_OFF = 21
    """The estimator is off: its output is the last one, and not valid."""
    ESTIMATOR_FREEZE = 22
    """The estimator repeats its last output, as if it were valid."""
    ACTUATOR_DELAY = 23
    """An actuator gets its command later."""
    SENSOR_DELAY = 24
    """A sensor measures what it did earlier."""
    SENSOR_OUTAGES = 25
    """A sensor takes no samples for a share of each period."""
    ESTIMATOR_POSITION = 26
    """The estimated position has a bias."""
    ESTIMATOR_VELOCITY = 27
    """The estimated velocity has a bias."""
    ESTIMATOR_ATTITUDE = 28
    """The estimated attitude has a bias."""
    ACTUATOR_FREEZE = 29
    """An actuator keeps the command that it got before."""
    POWER_OFF = 30
    """The drives have no voltage."""
    LOW_VOLTAGE = 31
    """The supply has a share of its voltage."""
    LOW_CAPACITY = 32
    """The battery has at most a share of its charge."""
    HOVER_TIME = 33
    """The battery has at most the charge for a time of its nominal current."""
    BATTERY_GAUGE = 34
    """What tells the charge of the battery tells at most a share."""
    LOAD_FALL = 35
    """A share of the mass falls off."""
    LOAD_SHIFT = 36
    """A share of the mass moves away from the centre of mass."""
    LOAD_LEAK = 37
    """A share of the mass leaks."""
    LINK_LOSS = 40
    """Nothing gets over a link."""
    LINK_DELAY = 41
    """What gets over a link is late."""
    PACKET_LOSS = 42
    """A share of the packets gets lost on a link."""
    TURBULENCE = 45
    """Turbulence of a wind."""
    SHEAR = 46
    """Wind that is added and grows with the height."""
    WIND_NOISE = 47
    """Noise of the wind."""


class FaultySensor(IntFlag):
    """Bits of ``fault_items`` of sensors."""

    ACCELEROMETER = 1 << 0
    """Specific force."""
    GYROSCOPE = 1 << 1
    """Angular velocity."""
    MAGNETOMETER = 1 << 2
    """Magnetic flux density."""
    BAROMETER = 1 << 3
    """Static pressure."""
    AIRSPEED = 1 << 4
    """Differential pressure."""
    GPS = 1 << 5
    """Position of the satellite receiver."""
    RANGE = 1 << 6
    """Distance to the ground."""
    WATER_PRESSURE = 1 << 7
    """Pressure of the water."""
    DVL = 1 << 8
    """Velocity over the bottom of the water."""
    ACOUSTIC = 1 << 9
    """Position by sound in the water."""


class FaultyLink(IntFlag):
    """Bits of ``fault_items`` of links, and of ``links_lost``."""

    RC = 1 << 0
    """Sticks of a remote control."""
    STATION = 1 << 1
    """What a ground station sends, but for sticks and set-points."""
    SETPOINTS = 1 << 2
    """Set-points of a program outside of the vehicle."""
    TELEMETRY = 1 << 3
    """What the vehicle sends."""


class Boundary(IntEnum):
    """Places of boundaries in the columns of `Sim.safety`."""

    SPEED = 0
    """Magnitude of the ground velocity."""
    ANGULAR_VELOCITY = 1
    """Magnitude of the angular velocity."""
    TILT = 2
    """Angle between the body's down axis and the vertical."""
    HEIGHT = 3
    """Height above the ground."""
    ALTITUDE = 4
    """Height above the origin of the local frame."""
    AREA = 5
    """Horizontal distance outside an area, negative inside."""
    SEPARATION = 6
    """Distance to the nearest other vehicle."""
    SPECIFIC_FORCE = 7
    """Magnitude of the specific force."""
    SILENCE = 8
    """Time since the last command, while its set-points stand."""


class SafetyAction(IntEnum):
    """Values of the column ``boundary_action``."""

    NONE = 0
    """There is no boundary."""
    REPORT = 1
    """A crossing is recorded."""
    FREEZE = 2
    """The vehicle stays as it is, with a fault flag: it is not stepped."""
    DISARM = 3
    """The vehicle is disarmed."""
    TERMINATE = 4
    """The vehicle stays as it is, and the run ends."""
    PARACHUTE = 5
    """The parachute of the vehicle is released."""
    HOLD = 6
    """Its navigator holds the position, of wings in a circle."""
    RETURN = 7
    """Its navigator flies it home."""
    LAND = 8
    """Its navigator lands it."""


class Mode(IntEnum):
    """Values of the column ``navigator_mode``."""

    NONE = 0
    """Inactive: the commands of a Sim write the set-points."""
    STANDBY = 1
    """Disarmed, or armed and idle on the ground."""
    TAKEOFF = 2
    """Climb to a height; waits while disarmed."""
    POSITION = 3
    """Track the set-points of the inputs; hold position without them."""
    RETURN = 4
    """Move to home and hold position there."""
    APPROACH = 5
    """Move to the landing position."""
    DESCEND = 6
    """Descend to ground contact, or brake to rest, then disarm."""


class EndReason(IntEnum):
    """Why an episode of a learning environment ended."""

    NONE = 0
    """The episode goes on."""
    TIME_LIMIT = 1
    """Its duration is over: it is truncated."""
    FAULT = 2
    """The vehicle has a fault flag: a state that is not finite, or beyond the flight envelope."""
    FAR = 3
    """The vehicle is farther from its goal than the limit."""
    LOW = 4
    """The vehicle is below the floor."""
    GATE_MISSED = 5
    """The vehicle hit the frame of a gate, or flew through it backwards."""
    TOUCHDOWN = 6
    """The vehicle touched down in the middle of the pad, and slowly."""
    BAD_TOUCHDOWN = 7
    """The vehicle touched down too far from the middle of the pad, or too fast."""
    CLOSE = 8
    """The vehicle is nearer to another one than the separation."""
    OTHER_VEHICLE = 9
    """Another vehicle of the environment has ended the episode."""
    CONTACT = 10
    """The vehicle touches another one, the scene or the ground with its hull."""
    REACHED = 11
    """The vehicle is at its goal, with its heading and slowly."""
    BOUNDARY_SPEED = 16
    """The vehicle was frozen at the boundary SPEED."""
    BOUNDARY_ANGULAR_VELOCITY = 17
    """The vehicle was frozen at the boundary ANGULAR_VELOCITY."""
    BOUNDARY_TILT = 18
    """The vehicle was frozen at the boundary TILT."""
    BOUNDARY_HEIGHT = 19
    """The vehicle was frozen at the boundary HEIGHT."""
    BOUNDARY_ALTITUDE = 20
    """The vehicle was frozen at the boundary ALTITUDE."""
    BOUNDARY_AREA = 21
    """The vehicle was frozen at the boundary AREA."""
    BOUNDARY_SEPARATION = 22
    """The vehicle was frozen at the boundary SEPARATION."""
    BOUNDARY_SPECIFIC_FORCE = 23
    """The vehicle was frozen at the boundary SPECIFIC_FORCE."""
    BOUNDARY_SILENCE = 24
    """The vehicle was frozen at the boundary SILENCE."""


class VtolState(IntEnum):
    """MAV_VTOL_STATE: values of the column ``vtol_state``."""

    UNDEFINED = 0
    """It cannot do both, or had no set-point yet."""
    TRANSITION_TO_FW = 1
    """Transition to winged flight."""
    TRANSITION_TO_MC = 2
    """Transition to hover."""
    MC = 3
    """Hover; also a value of ``vtol_command``."""
    FW = 4
    """Winged flight; also a value of ``vtol_command``."""


INTS = 8
"""Number of integers of inSILInts."""

COMMAND = 0
"""Index of the command word."""

OFFBOARD = 1
"""Index of the bit field of valid set-points."""

FRAME = 2
"""Index of the airframe."""

LATITUDE = 6
"""Index of the latitude [1e-7 deg]."""

LONGITUDE = 7
"""Index of the longitude [1e-7 deg]."""

FLOATS = 20
"""Number of floats of inSILFloats."""

POS = 0
"""First index of the position."""

VEL = 3
"""First index of the velocity."""

ACC = 6
"""First index of the acceleration."""

ATT = 9
"""First index of roll, pitch, yaw."""

ATT_RATE = 12
"""First index of the angular velocity."""

THRUST = 15
"""Index of the normalized thrust."""

COLLISION_SCENE = 2147483648
"""Bit of `collision_with`: the rest is the number of a shape of the scene."""

COLLISION_EARLIER = 4294967294
"""Value of `collision_with`: a shape of a scene that was there before."""

COLLISION_GROUND = 4294967295
"""Value of `collision_with`: the ground."""

COLLISION_UNDERCARRIAGE = 2147483648
"""Bit of `crashed`: the undercarriage."""
