"""What variables of start scripts mean: types, ranges, notes."""

import pytest

from pyrfly import vehicles
from pyrfly.protocol.link_modes import LinkMode, SimMode
from pyrfly.server.scripts.settings import StartSettings, start_settings
from pyrfly.server.scripts.variables import Variable
from pyrfly.transport import OptionError
from pyrfly.vehicles.rflysim_models import PX4_FRAMES, RFLYSIM_MODELS


def settings_of(**texts):
    return start_settings({name: Variable(text, 0) for name, text in texts.items()})


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("START_INDEX", "5", "first_id", 5),
        ("TOTOAL_COPTER", "8", "total", 8),
        ("TOTOAL_COPTER", "0", "total", None),
        ("VehicleNum", "12", "count", 12),
        ("ORIGIN_POS_X", "-3", "origin", (-3.0, 0.0)),
        ("ORIGIN_POS_Y", "4.5", "origin", (0.0, 4.5)),
        ("ORIGIN_YAW", "-85.234", "yaw", -85.234),
        ("VEHICLE_INTERVAL", "3", "interval", 3.0),
        ("UE4_MAP", '"Changsha"', "display_map", "Changsha"),
        ("CLASS_3D_ID", "-1", "display_class", None),
        ("CLASS_3D_ID", "100000825", "display_class", 100000825),
        ("DLLModel", "0", "vehicle", "sdk"),
        ("DLLModel", "MulticopterNOpx4", "vehicle", "sdk"),
        ("DLLModel", "FX200_model", "vehicle", "x200"),
        ("DLLModel", "X450", "vehicle", "x450"),
        ("DLLModel", "hex_x", "vehicle", "hex_x"),
        ("DLLModel", "HexModelCtrl", "vehicle", "hex_x"),
        ("DLLModel", "OctoX.dll", "vehicle", "octo_x"),
        ("DLLModel", "FixWingModelCtrl", "vehicle", "aerosonde"),
        ("DLLModel", "AircraftMathworks", "vehicle", "aerosonde"),
        ("DLLModel", "VTOLModelCtrl", "vehicle", "gz_standard_vtol"),
        ("DLLModel", "StandardVtolModel", "vehicle", "gz_standard_vtol"),
        ("DLLModel", "MyPlane", "vehicle", "sdk"),
        ("DLLModel", "3", "vehicle", "sdk"),
        ("SimMode", "2", "sim_mode", SimMode.PX4_SITL_RFLY),
        ("SimMode", '"Simulink&DLL_SIL"', "sim_mode", SimMode.SIMULINK_DLL_SIL),
        ("PX4SitlFrame", "standard_plane", "px4_frame", "standard_plane"),
        ("PX4SitlFrame", "hexa_x", "vehicle", "hex_x"),
        ("PX4SitlFrame", "standard_vtol", "vehicle", "gz_standard_vtol"),
        ("PX4SitlFrame", "generic_wing", "vehicle", "skywalker_x8"),
        ("IS_BROADCAST", "0", "peers", ()),
        ("IS_BROADCAST", "1", "peers", ("255.255.255.255",)),
        ("IS_BROADCAST", "127.0.0.1,192.168.1.4; 192.168.1.5", "peers",
         ("127.0.0.1", "192.168.1.4", "192.168.1.5")),
        ("UDPSIMMODE", "1", "mode", LinkMode.UDP_SIMPLE),
        ("UDPSIMMODE", "Mavlink_Vision", "mode", LinkMode.MAVLINK_VISION),
        ("UDPSIMMODE", "8", "mode", LinkMode.UDP_SIMPLE),
        ("UDPSIMMODE", "Redis_Full", "mode", LinkMode.UDP_FULL),
        ("BaudRate", "57600", "baud_rate", 57600),
        ("IsSysID", "1", "autopilots_number", True),
        ("UDP_START_PORT", "21000", "first_port", 21000),
        ("ComNum", "3,6", "serial_ports", ("COM3", "COM6")),
        ("ComNum", "3,6", "count", 2),
        ("MAX_VEHICLE", "3", "count", 1),
        ("ToolChainType", "1", "count", 1),
        ("PSP_PATH", "C:\\PX4PSP", "count", 1),
    ],
)  # fmt: skip
def test_fields(name, text, field, value):
    assert getattr(settings_of(**{name: text}), field) == value


def test_a_model_precedes_the_frame_of_a_px4():
    assert settings_of(DLLModel="FX200_model", PX4SitlFrame="hexa_x").vehicle == "x200"


def test_models_and_frames_are_parameter_sets():
    for name in {*RFLYSIM_MODELS.values(), *PX4_FRAMES.values()}:
        assert name in vehicles.names()


def test_without_variables():
    assert settings_of() == StartSettings()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("UE4_MAP", "Changsha", "'Changsha': maps of RflySim are not here; the ground is flat"),
        ("UE4_MAP", "3", "'3': maps of RflySim are not here"),
        ("DLLModel", "MyPlane", "'MyPlane': no model of this name is known"),
        ("DLLModel", "3", "'3': a number of a model in RflySim's installation cannot be loaded"),
        (
            "SimMode",
            "PX4_HITL",
            "PX4_HITL: the vehicles' own controllers fly them; with --script-links",
        ),
        ("SimMode", "6", "EXT_SIM_NET: the vehicles' own controllers fly them"),
        ("PX4SitlFrame", "cloudship", "'cloudship': no vehicle is known for this airframe"),
        ("UDPSIMMODE", "7", "7: there is no Redis here; udp_full instead"),
        ("UDPSIMMODE", "Redis_Simple", "redis_simple: there is no Redis here; udp_simple instead"),
        ("IsSysID", "1", "CopterIDs begin with START_INDEX"),
        ("ComNum", "3", "COM3: opened with --script-links alone"),
    ],
)
def test_what_is_not_here_is_a_note(name, text, words):
    (note,) = settings_of(**{name: text}).notes
    assert (note.variable, note.text[: len(words)]) == (name, words)
    assert str(note).startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("UE4_MAP", "Grasslands"), ("UE4_MAP", "1"), ("DLLModel", "0"), ("DLLModel", "FX150_model"),
        ("SimMode", "3"), ("PX4SitlFrame", "iris"), ("PX4SitlFrame", "octo_x"), ("IsSysID", "0"),
        ("IS_BROADCAST", "1"),
    ],
)  # fmt: skip
def test_what_is_here_is_no_note(name, text):
    assert settings_of(**{name: text}).notes == ()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("START_INDEX", "0", r"START_INDEX: .*got '0'"),
        ("START_INDEX", "1.5", "whole number"),
        ("START_INDEX", "\u0663", "whole number"),
        ("VehicleNum", "5001", r"VehicleNum: .*got '5001'"),
        ("TOTOAL_COPTER", "-1", "from 0 to 1000000"),
        ("ORIGIN_POS_X", "1e3", "expected -100000 to 100000 m, got '1e3'"),
        ("ORIGIN_POS_Y", "nan", "expected -100000 to 100000 m, got 'nan'"),
        ("ORIGIN_YAW", "361", "expected -360 to 360 deg, got '361'"),
        ("VEHICLE_INTERVAL", "-1", "expected 0 to 100000 m"),
        ("CLASS_3D_ID", "-2", "expected a whole number from -1 to 2147483647"),
        ("SimMode", "12", "expected PX4_HITL, .* or 0 to 11, got '12'"),
        ("IS_BROADCAST", "2", "expected 0, 1 or IP addresses, got '2'"),
        ("IS_BROADCAST", "127.0.0.1,host", "expected 0, 1 or IP addresses"),
        ("UDPSIMMODE", "14", r"UDPSIMMODE: .*got '14'"),
        ("UDPSIMMODE", "full", "got 'full'"),
        ("BaudRate", "0", "from 1 to 100000000"),
        ("IsSysID", "2", "from 0 to 1"),
        ("UDP_START_PORT", "70000", "from 1 to 65535"),
        ("ComNum", "3;x", "expected serial ports such as 3,6 or /dev/ttyACM0, got 'x'"),
        ("YawStr", "1", r"YawStr: .*got 1"),
        ("HOW_MANY", "1", "HOW_MANY: expected"),
    ],
)
def test_other_values_are_errors(name, text, message):
    with pytest.raises(OptionError, match=message):
        settings_of(**{name: text})


def test_numbers_of_vehicles_must_fit_together():
    with pytest.raises(OptionError, match=r"TOTOAL_COPTER: .*got 4"):
        settings_of(START_INDEX="5", TOTOAL_COPTER="4")
    assert settings_of(START_INDEX="5", TOTOAL_COPTER="4", VehicleNum="2").count == 2
    with pytest.raises(OptionError, match="CopterIDs up to 5000, got 2 vehicles from 5000"):
        settings_of(START_INDEX="5000", VehicleNum="2")
    with pytest.raises(OptionError, match="expected at most 5000 values, got 5001"):
        settings_of(ComNum=",".join(["1"] * 5001))


def test_doubts_become_notes_with_the_value_that_is_taken():
    variables = {
        "START_INDEX": Variable("2", 4, "is set under a condition"),
        "UE4_MAP": Variable(None, 5, "is asked for"),
    }
    settings = start_settings(variables, "x.bat")
    assert (settings.first_id, settings.display_map) == (2, "")
    assert [str(note) for note in settings.notes] == [
        "START_INDEX: is set under a condition in line 4: 2 here; START_INDEX=VALUE changes it",
        "UE4_MAP: is asked for in line 5: the default here; UE4_MAP=VALUE changes it",
    ]
