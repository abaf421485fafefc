"""A folder like PX4's, with start scripts and mixers of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

QUAD, ROLL = "R: 4x\n", "M: 1\nS: 0 0 10000 10000 0 -10000 10000\n"

FILES = {
    "init.d/rc.fw_defaults": "set VEHICLE_TYPE fw\nset MIXER_AUX pass\n",
    "init.d/airframes/3000_generic_wing": (
        "#!/bin/sh\n# set MIXER wrong\n. ${R}etc/init.d/rc.fw_defaults\n\nset MIXER wing\n"
    ),
    "init.d/airframes/1002_standard_vtol.hil": "set MIXER vtol\nset MIXER_AUX vtol\n",
    "init.d/airframes/10016_3dr_quad": "set MIXER quad\n",
    "init.d/airframes/4018_allocated": "param set SYS_CTRL_ALLOC 1\n",
    "init.d/airframes/3037_disco": "set MIXER wing.main.mix\nset MIXER_FILE skip\n",
    "init.d/airframes/CMakeLists.txt": "",
    "init.d-posix/airframes/10016_iris": "set MIXER quad\n",
    "init.d-posix/airframes/10016_iris.post": "set MIXER wing\n",
    "init.d-posix/airframes/1011_iris_irlock": ". ${R}etc/init.d-posix/airframes/10016_iris\n",
    "init.d-posix/6011_typhoon": "set MIXER quad\n",
    "init.d-posix/6012_typhoon_cam": "sh /etc/init.d-posix/6011_typhoon\n",
    "init.d-posix/airframes/1030_plane": (
        ". ${R}etc/init.d/rc.fw_defaults\nset MIXER_FILE etc/mixers-sitl/plane_sitl.main.mix\n"
        "\tset MIXER custom   # its name\n"
    ),
    "init.d-posix/airframes/1033_one": "set MIXER quad\n",
    "init.d-posix/airframes/1033_two": "set MIXER quad\n",
    "mixers/quad.main.mix": QUAD,
    "mixers/wing.main.mix": ROLL * 2,
    "mixers/pass.aux.mix": "M: 1\nS: 3 5 10000 10000 0 -10000 10000\n",
    "mixers/vtol.main.mix": QUAD,
    "mixers/vtol.aux.mix": ROLL * 3,
    "mixers-sitl/plane_sitl.main.mix": "Z:\nZ:\n" + ROLL,
}


@pytest.fixture
def px4(tmp_path: Path) -> Path:
    """Return a folder with the sources of a PX4."""
    for name, text in FILES.items():
        path = tmp_path / "PX4" / "ROMFS" / "px4fmu_common" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "PX4"
