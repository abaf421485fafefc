"""Plans and logs of ``pyrfly fly``, and runs whose output nobody reads."""

import json
import os
import subprocess
import sys
from pathlib import Path

from pyrfly.log import Log

PLAN = {
    "fileType": "Plan",
    "version": 1,
    "groundStation": "QGroundControl",
    "geoFence": {"circles": [], "polygons": [], "version": 2},
    "rallyPoints": {"points": [], "version": 2},
    "mission": {
        "version": 2,
        "firmwareType": 12,
        "vehicleType": 2,
        "cruiseSpeed": 15,
        "hoverSpeed": 5,
        "plannedHomePosition": [40.1540302, 116.2593683, 50],
        "items": [
            {
                "type": "SimpleItem",
                "command": 22,
                "frame": 3,
                "params": [0, 0, 0, None, 40.1540302, 116.2593683, 5],
                "autoContinue": True,
                "doJumpId": 1,
            }
        ],
    },
}


def plan_with(tmp_path, change=lambda plan: None) -> str:
    """Write a short plan, changed as asked, and return its path."""
    plan = json.loads(json.dumps(PLAN))
    change(plan)
    path = tmp_path / "short.plan"
    path.write_text(json.dumps(plan))
    return str(path)


def last_log(out: Path) -> Log:
    """Return the one log in a folder."""
    (path,) = out.glob("*.npz")
    return Log.load(path)


def run_unread(arguments, folder, unbuffered=""):
    """Run the program with its output into a pipe that has no reader."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            [sys.executable, "-m", "pyrfly", *arguments],
            cwd=folder,
            stdout=writer,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            text=True,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writer)
