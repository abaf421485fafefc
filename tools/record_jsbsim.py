"""Write tests/data/jsbsim/glides.json: flights of JSBSim [@jsbsim], compared with ours.

    pip install jsbsim==1.3.3
    python tools/record_jsbsim.py >tests/data/jsbsim/glides.json

The Aerosonde of [@beard-mclain], without its motor and without a stall, glides over WGS84 in the
standard atmosphere, in calm air and in wind, with surfaces that deflect at once: JSBSim's equations
of motion, earth and air, with the aerodynamics written here as an aircraft of JSBSim.
"""

from __future__ import annotations

import json
import math
import tempfile
from pathlib import Path

import jsbsim

FOOT = 0.3048
DT, SECONDS, SAMPLED = 5e-5, 20.0, 0.2
NUMBERS = {
    "mass": 11.0, "jx": 0.8244, "jy": 1.135, "jz": 1.759, "jxz": 0.1204,
    "area": 0.55, "span": 2.8956, "chord": 0.18994, "induced": 0.0232002771,
    "lift": [0.23, 5.61, 7.95, 0.13], "drag": 0.043, "pitch": [0.0135, -2.74, -38.21, -0.99],
    "side": [-0.98, 0.0, 0.0, 0.075, 0.19], "roll": [-0.13, -0.51, 0.25, 0.17, 0.0024],
    "yaw": [0.073, 0.069, -0.095, -0.011, -0.069],
}  # fmt: skip
START = {
    "latitude_deg": 47.0, "longitude_deg": 8.0, "height_m": 1500.0, "uvw_m_s": [25.0, 1.0, 1.2],
    "euler_deg": [10.0, 3.0, 60.0], "pqr_rad_s": [0.05, -0.02, 0.03],
}  # fmt: skip
WINDS = {"calm": [0.0, 0.0, 0.0], "wind": [4.0, -3.0, 0.5]}
"""North, east, down [m/s]."""
DEFLECTIONS = (
    (0.0, (-0.12, 0.0, 0.0)),
    (2.0, (-0.12, 0.03, 0.0)),
    (3.0, (-0.12, -0.03, 0.0)),
    (4.0, (-0.12, 0.0, 0.0)),
    (6.0, (-0.16, 0.0, 0.0)),
    (7.0, (-0.10, 0.0, 0.0)),
    (8.0, (-0.12, 0.0, 0.04)),
    (10.0, (-0.12, 0.0, -0.04)),
    (12.0, (-0.12, 0.0, 0.0)),
)
"""Time [s] from which on elevator, aileron and rudder [rad] are so."""

COLUMNS = {
    "latitude_deg": ("position/lat-geod-deg", 1.0),
    "longitude_deg": ("position/long-gc-deg", 1.0),
    "height_m": ("position/geod-alt-ft", FOOT),
    "v_north_m_s": ("velocities/v-north-fps", FOOT),
    "v_east_m_s": ("velocities/v-east-fps", FOOT),
    "v_down_m_s": ("velocities/v-down-fps", FOOT),
    "roll_rad": ("attitude/phi-rad", 1.0),
    "pitch_rad": ("attitude/theta-rad", 1.0),
    "yaw_rad": ("attitude/psi-rad", 1.0),
    "p_rad_s": ("velocities/p-rad_sec", 1.0),
    "q_rad_s": ("velocities/q-rad_sec", 1.0),
    "r_rad_s": ("velocities/r-rad_sec", 1.0),
}
ALPHA, BETA = "aero/alpha-rad", "aero/beta-rad"
ROLL, PITCH, YAW = (f"velocities/{axis}-aero-rad_sec" for axis in "pqr")
ELEVATOR, AILERON, RUDDER = (
    f"fcs/{name}-pos-rad" for name in ("elevator", "left-aileron", "rudder")
)


def joined(kind: str, *parts: str) -> str:
    return f"<{kind}>{''.join(parts)}</{kind}>"


def value(x: float) -> str:
    return joined("value", repr(x))


def prop(name: str) -> str:
    return joined("property", name)


def term(coefficient: float, *names: str) -> str:
    return joined("product", value(coefficient), *map(prop, names))


def function(name: str, body: str) -> str:
    return f'<function name="{name}">{body}</function>'


def aerodynamics() -> str:
    """Return the coefficients, forces and moments in the axes of the body."""
    n, per_span, per_chord = NUMBERS, "aero/bi2vel", "aero/ci2vel"
    lift = [value(n["lift"][0]), term(n["lift"][1], ALPHA)]
    lift += [term(n["lift"][2], PITCH, per_chord), term(n["lift"][3], ELEVATOR)]
    attached = joined("sum", value(n["lift"][0]), term(n["lift"][1], ALPHA))
    drag = [value(n["drag"]), joined("product", value(n["induced"]), attached, attached)]
    pitch = [value(n["pitch"][0]), term(n["pitch"][1], ALPHA)]
    pitch += [term(n["pitch"][2], PITCH, per_chord), term(n["pitch"][3], ELEVATOR)]
    coefficients = {"lift": lift, "drag": drag, "pitch": pitch}
    for name in ("side", "roll", "yaw"):
        arguments = ((BETA,), (ROLL, per_span), (YAW, per_span), (AILERON,), (RUDDER,))
        pairs = zip(n[name], arguments, strict=True)
        coefficients[name] = [term(number, *names) for number, names in pairs]
    made = "".join(function(f"aero/c-{k}", joined("sum", *v)) for k, v in coefficients.items())

    size = prop("aero/qbar-psf") + prop("metrics/Sw-sqft")
    sine, cosine = joined("sin", prop(ALPHA)), joined("cos", prop(ALPHA))

    def part(sign: float, name: str, *turned: str) -> str:
        return joined("product", value(sign), size, prop(f"aero/c-{name}"), *turned)

    axes = {
        "X": joined("sum", part(-1, "drag", cosine), part(1, "lift", sine)),
        "Y": part(1, "side"),
        "Z": joined("sum", part(-1, "drag", sine), part(-1, "lift", cosine)),
        "ROLL": part(1, "roll", prop("metrics/bw-ft")),
        "PITCH": part(1, "pitch", prop("metrics/cbarw-ft")),
        "YAW": part(1, "yaw", prop("metrics/bw-ft")),
    }
    acting = (f'<axis name="{k}">{function(f"aero/{k}", v)}</axis>' for k, v in axes.items())
    return joined("aerodynamics", made, *acting)


def aircraft() -> str:
    n = NUMBERS

    def place(name: str) -> str:
        return f'<location name="{name}" unit="M"><x>0</x><y>0</y><z>0</z></location>'

    def inertia(name: str, number: float) -> str:  # of products, the element of the tensor
        return f'<{name} unit="KG*M2">{number!r}</{name}>'

    return f"""<?xml version="1.0"?>
<fdm_config name="glider" version="2.0" release="BETA">
<fileheader><author>pyrfly</author></fileheader>
<metrics><wingarea unit="M2">{n["area"]!r}</wingarea><wingspan unit="M">{n["span"]!r}</wingspan>
<chord unit="M">{n["chord"]!r}</chord>{place("AERORP")}{place("EYEPOINT")}{place("VRP")}</metrics>
<mass_balance>{inertia("ixx", n["jx"])}{inertia("iyy", n["jy"])}{inertia("izz", n["jz"])}
{inertia("ixz", -n["jxz"])}<emptywt unit="KG">{n["mass"]!r}</emptywt>{place("CG")}</mass_balance>
<ground_reactions/><propulsion/><flight_control name="none"/>
{aerodynamics()}
</fdm_config>
"""


def flown(root: Path, wind: list[float]) -> list[list[float]]:
    """Return times and the columns of a flight."""
    jsbsim.FGJSBBase().debug_lvl = 0
    fdm = jsbsim.FGFDMExec(str(root))
    fdm.set_debug_level(0)
    fdm.set_dt(DT)
    assert fdm.load_model("glider")
    fdm["ic/lat-geod-deg"] = START["latitude_deg"]
    fdm["ic/long-gc-deg"] = START["longitude_deg"]
    fdm["ic/h-sl-ft"] = START["height_m"] / FOOT
    for name, number in zip(("phi", "theta", "psi-true"), START["euler_deg"], strict=True):
        fdm[f"ic/{name}-deg"] = number
    for name, number in zip("uvw", START["uvw_m_s"], strict=True):
        fdm[f"ic/{name}-fps"] = number / FOOT
    for name, number in zip("pqr", START["pqr_rad_s"], strict=True):
        fdm[f"ic/{name}-rad_sec"] = number
    fdm.run_ic()
    for name, number in zip(("north", "east", "down"), wind, strict=True):
        fdm[f"atmosphere/wind-{name}-fps"] = number / FOOT
    rows, per_sample = [], round(SAMPLED / DT)
    for i in range(round(SECONDS / SAMPLED) + 1):
        rows.append([i * SAMPLED, *(scale * fdm[name] for name, scale in COLUMNS.values())])
        for k in range(per_sample):
            time = i * SAMPLED + k * DT
            now = [angles for begin, angles in DEFLECTIONS if begin <= time + 1e-9][-1]
            for name, angle in zip((ELEVATOR, AILERON, RUDDER), now, strict=True):
                fdm[name] = angle
            fdm.run()
    return [[float(f"{number:.12g}") for number in row] for row in rows]


def main() -> None:
    """Fly, and print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "aircraft", "glider", "glider.xml")
        path.parent.mkdir(parents=True)
        path.write_text(aircraft(), encoding="utf-8")
        found = {
            "start": START,
            "deflections": DEFLECTIONS,
            "winds": WINDS,
            "columns": ["time_s", *COLUMNS],
            "flights": {name: flown(Path(folder), wind) for name, wind in WINDS.items()},
        }
    assert all(math.isfinite(x) for rows in found["flights"].values() for row in rows for x in row)
    print(json.dumps(found, separators=(",", ":")).replace("],[", "],\n["))


if __name__ == "__main__":
    main()
