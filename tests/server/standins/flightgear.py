"""A FlightGear that is shown a vehicle: what it reads of a native FDM packet, version 24.

Written from the description of the protocol, without pyrfly.
"""

from __future__ import annotations

import struct

FORMAT = struct.Struct(">II3d22fI4I36fI4fI3I9fIi11f")
VERSION = 24

_SINGLE = (
    "version padding longitude latitude altitude agl phi theta psi alpha beta phidot thetadot "
    "psidot vcas climb_rate v_north v_east v_down v_body_u v_body_v v_body_w A_X_pilot A_Y_pilot "
    "A_Z_pilot stall_warning slip_deg num_engines"
).split()
_PER_ENGINE = "eng_state rpm fuel_flow fuel_px egt cht mp_osi tit oil_temp oil_px".split()
_PER_WHEEL = "wow gear_pos gear_steer gear_compression".split()
_LAST = (
    "cur_time warp visibility elevator elevator_trim_tab left_flap right_flap left_aileron "
    "right_aileron rudder nose_wheel speedbrake spoilers"
).split()

Fields = dict[str, "float | list[float]"]


def read(packet: bytes) -> Fields | None:
    """Return the fields of a packet; None for another length or version, which is ignored."""
    if len(packet) != FORMAT.size:
        return None
    numbers = list(FORMAT.unpack(packet))
    if numbers[0] != VERSION:
        return None
    fields: Fields = {name: numbers.pop(0) for name in _SINGLE}
    fields |= {name: [numbers.pop(0) for _ in range(4)] for name in _PER_ENGINE}
    fields["num_tanks"] = numbers.pop(0)
    fields["fuel_quantity"] = [numbers.pop(0) for _ in range(4)]
    fields["num_wheels"] = numbers.pop(0)
    fields |= {name: [numbers.pop(0) for _ in range(3)] for name in _PER_WHEEL}
    fields |= {name: numbers.pop(0) for name in _LAST}
    assert not numbers
    return fields
