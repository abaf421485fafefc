"""A stand-in for PX4's program, run with ``BEHAVIOUR -i N -d ETC -s SCRIPT``.

It writes how it was started to record.json of its folder. ``fly``: it connects to its simulator and
flies. ``die``: it ends. ``stubborn``: it ignores signals, and so does a process that it started.
"""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


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
    while True:
        time.sleep(600)


if __name__ == "__main__":
    sys.exit(main())
