"""Print pyrfly/protocol/bits.py, of the tables of a core: ``bits_module.py CORE``.

setup.py writes it with the core that it has built: pyrfly cannot be imported with names of kinds,
boundaries or bits that are newer than its file. So it is imported without its __init__ here.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

package = ModuleType("pyrfly")
package.__path__ = [str(Path(sys.argv[1]).parent), str(Path(__file__).parents[1] / "pyrfly")]
sys.modules["pyrfly"] = package

from pyrfly import _core  # noqa: E402

ENUMS = {
    "command": ("Command", "IntFlag", "Bits of ``inSILInts[0]``."),
    "offboard": ("Offboard", "IntFlag", "Bits of ``inSILInts[1]``."),
    "frame": ("Frame", "IntFlag", "Values of ``inSILInts[2]``: the airframe of a mixed model."),
    "injection": ("FaultId", "IntEnum", "Words of ``inSILInts`` that inject a fault."),
    "setpoint": ("Setpoint", "IntFlag", "Bits of the column ``setpoint_mask``."),
    "fault": ("Fault", "IntFlag", "Bits of the column ``status``: fault flags."),
    "effect": ("Effect", "IntFlag", "Bits of the column ``environment_effects``."),
    "sensor": ("Sensor", "IntFlag", "Bits of ``sensors_on`` and ``sensors_updated``."),
    "fault_kind": ("FaultKind", "IntEnum", "Values of the column ``fault_kind``."),
    "faulty_sensor": ("FaultySensor", "IntFlag", "Bits of ``fault_items`` of sensors."),
    "faulty_link": (
        "FaultyLink",
        "IntFlag",
        "Bits of ``fault_items`` of links, and of ``links_lost``.",
    ),
    "boundary": ("Boundary", "IntEnum", "Places of boundaries in the columns of `Sim.safety`."),
    "safety_action": ("SafetyAction", "IntEnum", "Values of the column ``boundary_action``."),
    "mode": ("Mode", "IntEnum", "Values of the column ``navigator_mode``."),
    "end_reason": ("EndReason", "IntEnum", "Why an episode of a learning environment ended."),
    "vtol_state": ("VtolState", "IntEnum", "MAV_VTOL_STATE: values of the column ``vtol_state``."),
}


def sentence(doc: str) -> str:
    """Return a noun phrase of the core as a sentence."""
    return f"{doc[0].upper()}{doc[1:]}."


def bits_module() -> str:
    """Return pyrfly/protocol/bits.py."""
    tables = _core.tables()
    lines = [
        '"""Bits, modes and indices of the core.',
        "",
        "Made by the build (tools/bits_module.py) from the tables of csrc; do not edit.",
        '"""',
        "",
        "from enum import IntEnum, IntFlag",
    ]
    for table, (name, kind, doc) in ENUMS.items():
        lines += ["", "", f"class {name}({kind}):", f'    """{doc}"""', ""]
        for member, value, _, text in tables[table]:
            number = f"1 << {value.bit_length() - 1}" if kind == "IntFlag" else str(value)
            lines += [f"    {member} = {number}", f'    """{sentence(text)}"""']
    lines += ["", ""]
    for member, value, _, text in (*tables["input"], *tables["collision"]):
        lines += [f"{member} = {value}", f'"""{sentence(text)}"""', ""]
    return "\n".join(lines).rstrip() + "\n"


print(bits_module(), end="")
