"""A stand-in for PX4's program, run with ``BEHAVIOUR -i N -d ETC -s SCRIPT``.

It writes how it was started to record.json of its folder. ``fly``: it connects to its simulator,
says something and flies. ``die``: it ends. ``stubborn``: it ignores signals, and so does a process
that it started.
"""

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from pymavlink.dialects.v20 import common


def say(instance: int) -> None:
    """Send a text from the port of the link for a camera [@px4 v1.16.1 px4-rc.mavlink]."""
    mav = common.MAVLink(None, srcSystem=instance + 1, srcComponent=1)
    text = common.MAVLink_statustext_message(6, b"Ready for takeoff!\t")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.bind(("127.0.0.1", 14280 + instance))
        link.sendto(text.pack(mav), ("127.0.0.1", 14030 + instance))


def main() -> int:
    _, behaviour, *arguments = sys.argv
    instance = int(arguments[arguments.index("-i") + 1])
    child = None
    if behaviour == "stubborn":
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid
    record = {
        "arguments": arguments,
        "folder": str(Path.cwd()),
        "variables": {k: v for k, v in os.environ.items() if k.startswith("PX4")},
        "processes": [os.getpid(), *([] if child is None else [child])],
    }
    part = Path("record.part")
    part.write_text(json.dumps(record))
    part.rename("record.json")
    print(f"instance {instance} is \x1b[32mready\x1b[0m", flush=True)
    if behaviour == "die":
        print("it cannot go on")
        return 3
    if behaviour == "fly":
        path = Path(__file__).with_name("px4.py")
        spec = importlib.util.spec_from_file_location("px4_standin", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules["px4_standin"] = module
        spec.loader.exec_module(module)
        module.Px4(4560 + instance).start()
        say(instance)
    while True:
        time.sleep(600)


if __name__ == "__main__":
    sys.exit(main())
