"""What programs and vehicles exchange: RflySim's, MAVLink's and other bits, modes and messages.

`bits` are those of the core, `finite` its table of floats, `faults` the words that are none of its
commands; `vtol_state` has the states of VTOLs; `masks` are MAVLink's; `short_message`,
`full_message` and `terrain` are messages of RflySim; `synthesis` makes inputs of the synthesis
model. `ardupilot`, with its `ardupilot_frames`, is ArduPilot's link to a simulator;
`serial_packets`, with `crc16`, the serial one of a simulation with hardware in the loop. Knows no
simulation.
"""
