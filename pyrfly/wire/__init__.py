"""RflySim's packets: layouts as NumPy structured dtypes, packing in C, parsing.

Every structure that a simulator of RflySim exchanges with other programs over UDP is an entry of
`LAYOUTS`; those that RflySim3D takes from programs alone are not here. All are little-endian and
without padding. Names of structures and fields are RflySim's [@rfly-sdk].

`pack` fills a structure for every vehicle of a `pyrfly.Sim` at once; `.tobytes()` of a row is the
packet. A `SensorReader` packs what the sensors have measured since it last did. `parse` converts a
received packet to a record, `identify` names it; both may raise `Rejected`. `blank` returns a
packet to be filled in and sent. The module `pyrfly.wire.flightgear` packs states for FlightGear.
Kinds of ports:

=============  ==============  ===============================================================
port kind      port            packets
=============  ==============  ===============================================================
``command``    20100 + 2(n-1)  to the simulator: set-points for vehicle n
``state``      20101 + 2(n-1)  from it: estimated state
``sil``        30100 + 2(n-1)  to it: synthesis commands, faults, parameters, collisions
``truth``      30101 + 2(n-1)  from it: true state
``topic``      40100 + 2(n-1)  to it: a topic for PX4
``px4ext``     40101 + 2(n-1)  from it: extra topic of PX4
``config``     20002           to it: settings, also to the ``sil`` port of a vehicle
``heartbeat``  20005           from it: running instances
``start``      20007           between programs: start of a simulation
``imu``        31000 + (n-1)   from it: IMU
``custom``     50000           user-defined
``display``    20010 + window  to RflySim3D: poses, the true state too
``scene``      20006           from RflySim3D: collisions, replies
``cluster``    (any)           between the computers of a cluster
``model``      none            output of a model inside a program
=============  ==============  ===============================================================
"""

from pyrfly.wire.layouts import LAYOUTS, Layout, dtype
from pyrfly.wire.pack import blank, notice, pack
from pyrfly.wire.parse import Parsed, Rejected, identify, parse
from pyrfly.wire.sensor_reader import SensorReader

__all__ = [
    "LAYOUTS",
    "Layout",
    "Parsed",
    "Rejected",
    "SensorReader",
    "blank",
    "dtype",
    "identify",
    "notice",
    "pack",
    "parse",
]
