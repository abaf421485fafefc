"""SDF files of boats and underwater vehicles, with numbers of PX4's models and of our own."""

from __future__ import annotations

from math import pi, sqrt

from ..sdf_text import box, interface, joint, link, plugin, sdf


def motor(n: int, where: str, **values: object) -> str:
    """Return a thruster: its link, its joint, and a motor model of Gazebo Classic."""
    usual: dict[str, object] = {
        "jointName": f"thruster{n}_joint",
        "linkName": f"thruster{n}",
        "motorNumber": n,
        "turningDirection": "ccw",
        "timeConstantUp": 0.0125,
        "timeConstantDown": 0.025,
        "maxRotVelocity": 1100,
        "motorConstant": 0.0854858,
        "momentConstant": 0.01,
        "reversible": "true",
    }
    file = str(values.pop("file", "libgazebo_motor_model.so"))
    tiny = link(f"thruster{n}", where, 0.05, (1e-4, 1e-4, 1e-4))
    return tiny + joint(f"thruster{n}_joint", f"thruster{n}") + plugin(file, **usual | values)


BOAT_HULL: dict[str, object] = {
    "bodyName": "base_link",
    "waterDensity": 997.8,
    "xDotU": 0,
    "yDotV": 0,
    "nDotR": 0,
    "xU": 51.3,
    "xUU": 72.4,
    "yV": 102.6,
    "zW": 500,
    "kP": 50,
    "mQ": 50,
    "nR": 400,
    "hullRadius": 0.213,
    "boatWidth": 2.4,
    "boatLength": 4.9,
    "length_n": 2,
}
"""The numbers of PX4's boat [@gz-classic]."""


def boat(**changed: object) -> str:
    """Return the boat of two half cylinders, with a propeller at each stern."""
    hull = {k: v for k, v in (BOAT_HULL | changed).items() if v is not None}
    stern = "-2.652 {} -0.2 0 1.5707963 0"
    return sdf(
        link("base_link", "0 0 0 0 0 0", 227, (181.42, 408.203, 495.037), middle="0 0 0.124229"),
        *(motor(n, stern.format(y), turningDirection="cw") for n, y in enumerate((1.027, -1.027))),
        interface(2, 100.0),
        plugin("libgazebo_usv_dynamics_plugin.so", **hull),
        name="boat",
    ).replace("<reversible>true</reversible>", "")


DERIVATIVES: dict[str, object] = {
    "link_name": "base_link",
    "xU": -13.7,
    "yV": -1.0,
    "zW": -23.0,
    "kP": -0.5,
    "mQ": -0.8,
    "nR": -0.1,
    "xUabsU": -14.1,
    "yVabsV": -21.7,
    "zWabsW": -19.0,
    "kPabsP": -0.119,
    "mQabsQ": -0.047,
    "nRabsR": -0.15,
    "xDotU": -1.272,
    "yDotV": -1.424,
    "zDotW": -3.736,
    "kDotP": -0.0378,
    "mDotQ": -0.027,
    "nDotR": -0.0444,
}
"""The numbers of PX4's BlueROV2 [@gz-models]."""

AHEAD = "[0.0, 2.37936891, 149.248519, -327.398031, 436.609803, -194.364029]"
ASTERN = "[0.0, 0.342623942, 134.413692, -284.606487, 351.715475, -152.174269]"


def rov(hull: str = "0.50 0.25 0.108", **changed: object) -> str:
    """Return the ROV of eight thrusters by polynomials, four of them level at 45 degrees."""
    level = [(0.14, -0.1, 1), (0.14, 0.1, -1), (-0.14, -0.1, -1), (-0.14, 0.1, 1)]
    poses = [f"{x} {y} -0.06 0 {pi / 2} {side * pi / 4}" for x, y, side in level]
    poses += [
        f"{x} {y} 0 {roll} 0 0"
        for x, y, roll in ((0.12, -0.22, 0), (0.12, 0.22, pi), (-0.12, -0.22, pi), (-0.12, 0.22, 0))
    ]
    curves: dict[str, object] = {
        "file": "libGenericMotorModelPlugin.so",
        "motorType": "force_polynomial",
        "bidirectionalMotor": 1,
        "positiveThrustPolynomial": AHEAD,
        "negativeThrustPolynomial": ASTERN,
    }
    moments = (0.25, 0.221, 0.356)
    derivatives = {k: v for k, v in (DERIVATIVES | changed).items() if v is not None}
    return sdf(
        link("base_link", "0 0 0 0 0 0", 13, moments, inside=box(hull, "0 0 0.02")),
        *(motor(n, pose, **curves) for n, pose in enumerate(poses)),
        plugin("gz-sim-hydrodynamics-system", **derivatives),
        plugin("gz-sim-buoyancy-system", uniform_fluid_density=1000),
        name="rov",
    )


def torpedo(most: float = 40.0, least: float = -20.0, **changed: object) -> str:
    """Return a neutral body of 30 kg with a propeller by ``Thruster``, two rudders and two planes.

    Its hull is a box of 2 m by 0.15 m by 0.1005 m, 5 mm above the centre of mass.
    """
    fins = []
    for n, (axis, upward) in enumerate(
        [("0 0 1", "0 1 0"), ("0 1 0", "0 0 1")]  # a rudder, an elevator
    ):
        fins += [
            link(f"fin{n}", "-0.9 0 0 0 0 0", 0.001, (1e-5, 1e-5, 1e-5)),
            joint(f"fin{n}_joint", f"fin{n}", axis, 0.4),
            plugin("gz-sim-joint-position-controller-system", joint_name=f"fin{n}_joint"),
            plugin(
                "gz-sim-lift-drag-system",
                link_name=f"fin{n}",
                air_density=1000,
                area=0.01,
                cla=4.0,
                a0=0,
                cda=0.2,
                alpha_stall=0.3,
                cla_stall=0,
                cda_stall=0,
                forward="1 0 0",
                upward=upward,
                cp="0 0 0",
            ),
        ]
    propeller: dict[str, object] = {
        "joint_name": "propeller_joint",
        "propeller_diameter": 0.1,
        "thrust_coefficient": 0.004,
        "max_thrust_cmd": most,
        "min_thrust_cmd": least,
        "deadband": 1.0,
    }
    derivatives = DERIVATIVES | {"xU": 0, "xUabsU": -6.0, "yVabsV": -300, "zWabsW": -300}
    derivatives |= {"mQ": -40, "nR": -40}
    shape = box("2 0.15 0.1005", "0 0 0.005")
    return sdf(
        link("base_link", "0 0 -5 0 0 0", 30, (0.4, 10, 10), inside=shape),
        link("propeller", "-1 0 -5 0 0 0", 0.001, (1e-5, 1e-5, 1e-5)),
        joint("propeller_joint", "propeller", "1 0 0"),
        plugin("gz-sim-thruster-system", **propeller | changed),
        *(part.replace("-0.9 0 0 0 0 0", "-0.9 0 -5 0 0 0") for part in fins),
        plugin("gz-sim-hydrodynamics-system", **derivatives),
        name="torpedo",
    )


def segment(radius: float, depth: float) -> float:
    """Return the area of a circle below a chord at a depth, by a sum of strips."""
    strips = 20_000
    step = depth / strips
    return sum(
        2.0 * sqrt(max(radius**2 - (radius - (i + 0.5) * step) ** 2, 0.0)) * step
        for i in range(strips)
    )
