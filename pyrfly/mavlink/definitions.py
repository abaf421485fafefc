"""Definitions of MAVLink messages: `DEFINITIONS`.

A line is ``NAME id: fields``, continued by indented lines. Fields are in the order of the public
definitions [@mavlink]: a type of NumPy, then the names that have it; ``name[4]`` is an array,
``name{1..3}`` stands for three names, ``S16`` is text of 16 bytes. After ``|`` come the extensions,
which MAVLink 2 added. Everything else of a message follows from this: `pyrfly.mavlink.messages`.
"""

__all__ = ["DEFINITIONS"]

_VEHICLE = """
HEARTBEAT 0: u1 type autopilot base_mode; u4 custom_mode; u1 system_status mavlink_version
SYS_STATUS 1: u4 onboard_control_sensors_present onboard_control_sensors_enabled
    onboard_control_sensors_health; u2 load voltage_battery; i2 current_battery;
    i1 battery_remaining; u2 drop_rate_comm errors_comm errors_count{1..4}
    | u4 onboard_control_sensors_present_extended onboard_control_sensors_enabled_extended
    onboard_control_sensors_health_extended
SYSTEM_TIME 2: u8 time_unix_usec; u4 time_boot_ms
PING 4: u8 time_usec; u4 seq; u1 target_system target_component
LINK_NODE_STATUS 8: u8 timestamp; u1 tx_buf rx_buf; u4 tx_rate rx_rate; u2 rx_parse_err
    tx_overflows rx_overflows; u4 messages_sent messages_received messages_lost
SET_MODE 11: u1 target_system base_mode; u4 custom_mode
REQUEST_DATA_STREAM 66: u1 target_system target_component req_stream_id; u2 req_message_rate;
    u1 start_stop
FILE_TRANSFER_PROTOCOL 110: u1 target_network target_system target_component payload[251]
SERIAL_CONTROL 126: u1 device flags; u2 timeout; u4 baudrate; u1 count data[70]
LOG_ENTRY 118: u2 id num_logs last_log_num; u4 time_utc size
LOG_DATA 120: u2 id; u4 ofs; u1 count data[90]
TIMESYNC 111: i8 tc1 ts1 | u1 target_system target_component
BATTERY_STATUS 147: u1 id battery_function type; i2 temperature; u2 voltages[10];
    i2 current_battery; i4 current_consumed energy_consumed; i1 battery_remaining
    | i4 time_remaining; u1 charge_state; u2 voltages_ext[4]; u1 mode; u4 fault_bitmask
AUTOPILOT_VERSION 148: u8 capabilities; u4 flight_sw_version middleware_sw_version os_sw_version
    board_version; u1 flight_custom_version[8] middleware_custom_version[8] os_custom_version[8];
    u2 vendor_id product_id; u8 uid | u1 uid2[18]
FENCE_STATUS 162: u1 breach_status; u2 breach_count; u1 breach_type; u4 breach_time
    | u1 breach_mitigation
MESSAGE_INTERVAL 244: u2 message_id; i4 interval_us
EXTENDED_SYS_STATE 245: u1 vtol_state landed_state
COLLISION 247: u1 src; u4 id; u1 action threat_level; f4 time_to_minimum_delta
    altitude_minimum_delta horizontal_minimum_delta
DEBUG_VECT 250: S10 name; u8 time_usec; f4 x y z
DEBUG_FLOAT_ARRAY 350: u8 time_usec; S10 name; u2 array_id | f4 data[58]
STATUSTEXT 253: u1 severity; S50 text | u2 id; u1 chunk_seq
PROTOCOL_VERSION 300: u2 version min_version max_version; u1 spec_version_hash[8]
    library_version_hash[8]
COMPONENT_INFORMATION 395: u4 time_boot_ms general_metadata_file_crc; S100 general_metadata_uri;
    u4 peripherals_metadata_file_crc; S100 peripherals_metadata_uri
COMPONENT_METADATA 397: u4 time_boot_ms file_crc; S100 uri
EVENT 410: u1 destination_component destination_system; u4 id event_time_boot_ms; u2 sequence;
    u1 log_levels arguments[40]
CURRENT_EVENT_SEQUENCE 411: u2 sequence; u1 flags
REQUEST_EVENT 412: u1 target_system target_component; u2 first_sequence last_sequence
RESPONSE_EVENT_ERROR 413: u1 target_system target_component; u2 sequence
    sequence_oldest_available; u1 reason
AVAILABLE_MODES 435: u1 number_modes mode_index standard_mode; u4 custom_mode properties;
    S35 mode_name | u1 seq
CURRENT_MODE 436: u1 standard_mode; u4 custom_mode intended_custom_mode
AVAILABLE_MODES_MONITOR 437: u1 seq
"""

_COMMANDS = """
PARAM_REQUEST_READ 20: u1 target_system target_component; S16 param_id; i2 param_index
PARAM_REQUEST_LIST 21: u1 target_system target_component
PARAM_VALUE 22: S16 param_id; f4 param_value; u1 param_type; u2 param_count param_index
PARAM_SET 23: u1 target_system target_component; S16 param_id; f4 param_value; u1 param_type
MISSION_ITEM 39: u1 target_system target_component; u2 seq; u1 frame; u2 command; u1 current
    autocontinue; f4 param{1..4} x y z | u1 mission_type
MISSION_REQUEST 40: u1 target_system target_component; u2 seq | u1 mission_type
MISSION_SET_CURRENT 41: u1 target_system target_component; u2 seq
MISSION_CURRENT 42: u2 seq | u2 total; u1 mission_state mission_mode; u4 mission_id fence_id
    rally_points_id
MISSION_REQUEST_LIST 43: u1 target_system target_component | u1 mission_type
MISSION_COUNT 44: u1 target_system target_component; u2 count | u1 mission_type; u4 opaque_id
MISSION_CLEAR_ALL 45: u1 target_system target_component | u1 mission_type
MISSION_ITEM_REACHED 46: u2 seq
MISSION_ACK 47: u1 target_system target_component type | u1 mission_type; u4 opaque_id
MISSION_REQUEST_INT 51: u1 target_system target_component; u2 seq | u1 mission_type
MISSION_ITEM_INT 73: u1 target_system target_component; u2 seq; u1 frame; u2 command; u1 current
    autocontinue; f4 param{1..4}; i4 x y; f4 z | u1 mission_type
COMMAND_INT 75: u1 target_system target_component frame; u2 command; u1 current autocontinue;
    f4 param{1..4}; i4 x y; f4 z
COMMAND_LONG 76: u1 target_system target_component; u2 command; u1 confirmation; f4 param{1..7}
COMMAND_ACK 77: u2 command; u1 result | u1 progress; i4 result_param2; u1 target_system
    target_component
"""

_STATE = """
GPS_RAW_INT 24: u8 time_usec; u1 fix_type; i4 lat lon alt; u2 eph epv vel cog;
    u1 satellites_visible | i4 alt_ellipsoid; u4 h_acc v_acc vel_acc hdg_acc; u2 yaw
SCALED_IMU 26: u4 time_boot_ms; i2 xacc yacc zacc xgyro ygyro zgyro xmag ymag zmag
    | i2 temperature
RAW_IMU 27: u8 time_usec; i2 xacc yacc zacc xgyro ygyro zgyro xmag ymag zmag | u1 id; i2 temperature
SCALED_PRESSURE 29: u4 time_boot_ms; f4 press_abs press_diff; i2 temperature
    | i2 temperature_press_diff
ATTITUDE 30: u4 time_boot_ms; f4 roll pitch yaw rollspeed pitchspeed yawspeed
ATTITUDE_QUATERNION 31: u4 time_boot_ms; f4 q{1..4} rollspeed pitchspeed yawspeed
    | f4 repr_offset_q[4]
LOCAL_POSITION_NED 32: u4 time_boot_ms; f4 x y z vx vy vz
GLOBAL_POSITION_INT 33: u4 time_boot_ms; i4 lat lon alt relative_alt; i2 vx vy vz; u2 hdg
SERVO_OUTPUT_RAW 36: u4 time_usec; u1 port; u2 servo{1..8}_raw | u2 servo{9..16}_raw
RC_CHANNELS 65: u4 time_boot_ms; u1 chancount; u2 chan{1..18}_raw; u1 rssi
NAV_CONTROLLER_OUTPUT 62: f4 nav_roll nav_pitch; i2 nav_bearing target_bearing; u2 wp_dist;
    f4 alt_error aspd_error xtrack_error
VFR_HUD 74: f4 airspeed groundspeed; i2 heading; u2 throttle; f4 alt climb
HIGHRES_IMU 105: u8 time_usec; f4 xacc yacc zacc xgyro ygyro zgyro xmag ymag zmag abs_pressure
    diff_pressure pressure_alt temperature; u2 fields_updated | u1 id
SCALED_PRESSURE2 137: u4 time_boot_ms; f4 press_abs press_diff; i2 temperature
    | i2 temperature_press_diff
DISTANCE_SENSOR 132: u4 time_boot_ms; u2 min_distance max_distance current_distance; u1 type id
    orientation covariance | f4 horizontal_fov vertical_fov quaternion[4]; u1 signal_quality
OBSTACLE_DISTANCE 330: u8 time_usec; u1 sensor_type; u2 distances[72]; u1 increment;
    u2 min_distance max_distance | f4 increment_f angle_offset; u1 frame
ALTITUDE 141: u8 time_usec; f4 altitude_monotonic altitude_amsl altitude_local altitude_relative
    altitude_terrain bottom_clearance
ESTIMATOR_STATUS 230: u8 time_usec; u2 flags; f4 vel_ratio pos_horiz_ratio pos_vert_ratio
    mag_ratio hagl_ratio tas_ratio pos_horiz_accuracy pos_vert_accuracy
WIND_COV 231: u8 time_usec; f4 wind_x wind_y wind_z var_horiz var_vert wind_alt horiz_accuracy
    vert_accuracy
VIBRATION 241: u8 time_usec; f4 vibration_x vibration_y vibration_z; u4 clipping_{0..2}
FLIGHT_INFORMATION 264: u4 time_boot_ms; u8 arming_time_utc takeoff_time_utc flight_uuid
    | u4 landing_time
ESC_INFO 290: u1 index; u8 time_usec; u2 counter; u1 count connection_type info;
    u2 failure_flags[4]; u4 error_count[4]; i2 temperature[4]
ESC_STATUS 291: u1 index; u8 time_usec; i4 rpm[4]; f4 voltage[4] current[4]
ODOMETRY 331: u8 time_usec; u1 frame_id child_frame_id; f4 x y z q[4] vx vy vz rollspeed
    pitchspeed yawspeed pose_covariance[21] velocity_covariance[21] | u1 reset_counter
    estimator_type; i1 quality
UTM_GLOBAL_POSITION 340: u8 time; u1 uas_id[18]; i4 lat lon alt relative_alt; i2 vx vy vz;
    u2 h_acc v_acc vel_acc; i4 next_lat next_lon next_alt; u2 update_rate; u1 flight_state flags
ORBIT_EXECUTION_STATUS 360: u8 time_usec; f4 radius; u1 frame; i4 x y; f4 z
ACTUATOR_OUTPUT_STATUS 375: u8 time_usec; u4 active; f4 actuator[32]
"""

_ORIGIN = """
SET_GPS_GLOBAL_ORIGIN 48: u1 target_system; i4 latitude longitude altitude | u8 time_usec
GPS_GLOBAL_ORIGIN 49: i4 latitude longitude altitude | u8 time_usec
HOME_POSITION 242: i4 latitude longitude altitude; f4 x y z q[4] approach_x approach_y approach_z
    | u8 time_usec
SET_HOME_POSITION 243: u1 target_system; i4 latitude longitude altitude; f4 x y z q[4] approach_x
    approach_y approach_z | u8 time_usec
"""

_SET_POINTS = """
MANUAL_CONTROL 69: u1 target; i2 x y z r; u2 buttons | u2 buttons2; u1 enabled_extensions; i2 s t
    aux{1..6}
RC_CHANNELS_OVERRIDE 70: u1 target_system target_component; u2 chan{1..8}_raw | u2 chan{9..18}_raw
SET_ATTITUDE_TARGET 82: u4 time_boot_ms; u1 target_system target_component type_mask; f4 q[4]
    body_roll_rate body_pitch_rate body_yaw_rate thrust | f4 thrust_body[3]
ATTITUDE_TARGET 83: u4 time_boot_ms; u1 type_mask; f4 q[4] body_roll_rate body_pitch_rate
    body_yaw_rate thrust
SET_POSITION_TARGET_LOCAL_NED 84: u4 time_boot_ms; u1 target_system target_component
    coordinate_frame; u2 type_mask; f4 x y z vx vy vz afx afy afz yaw yaw_rate
POSITION_TARGET_LOCAL_NED 85: u4 time_boot_ms; u1 coordinate_frame; u2 type_mask; f4 x y z vx vy
    vz afx afy afz yaw yaw_rate
SET_POSITION_TARGET_GLOBAL_INT 86: u4 time_boot_ms; u1 target_system target_component
    coordinate_frame; u2 type_mask; i4 lat_int lon_int; f4 alt vx vy vz afx afy afz yaw yaw_rate
POSITION_TARGET_GLOBAL_INT 87: u4 time_boot_ms; u1 coordinate_frame; u2 type_mask; i4 lat_int
    lon_int; f4 alt vx vy vz afx afy afz yaw yaw_rate
ACTUATOR_CONTROL_TARGET 140: u8 time_usec; u1 group_mlx; f4 controls[8]
"""

_SIMULATION = """
HIL_ACTUATOR_CONTROLS 93: u8 time_usec; f4 controls[16]; u1 mode; u8 flags
VISION_POSITION_ESTIMATE 102: u8 usec; f4 x y z roll pitch yaw | f4 covariance[21];
    u1 reset_counter
HIL_SENSOR 107: u8 time_usec; f4 xacc yacc zacc xgyro ygyro zgyro xmag ymag zmag abs_pressure
    diff_pressure pressure_alt temperature; u4 fields_updated | u1 id
HIL_GPS 113: u8 time_usec; u1 fix_type; i4 lat lon alt; u2 eph epv vel; i2 vn ve vd; u2 cog;
    u1 satellites_visible | u1 id; u2 yaw
HIL_OPTICAL_FLOW 114: u8 time_usec; u1 sensor_id; u4 integration_time_us; f4 integrated_x
    integrated_y integrated_xgyro integrated_ygyro integrated_zgyro; i2 temperature; u1 quality;
    u4 time_delta_distance_us; f4 distance
HIL_STATE_QUATERNION 115: u8 time_usec; f4 attitude_quaternion[4] rollspeed pitchspeed yawspeed;
    i4 lat lon alt; i2 vx vy vz; u2 ind_airspeed true_airspeed; i2 xacc yacc zacc
LANDING_TARGET 149: u8 time_usec; u1 target_num frame; f4 angle_x angle_y distance size_x size_y
    | f4 x y z q[4]; u1 type position_valid
RAW_RPM 339: u1 index; f4 frequency
"""

DEFINITIONS = _VEHICLE + _COMMANDS + _STATE + _ORIGIN + _SET_POINTS + _SIMULATION
"""All messages, grouped by their use, within a group in the order of their identifiers."""
