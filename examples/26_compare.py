"""The mission of a paper that compares a simulated with a real flight, in four kinds of air.

Seven waypoints, 20 m high, and a return, flown on sensors and estimator by four vehicles: the first
two in calm air with other noise, the third in wind and light turbulence, the fourth in more wind
from another side. Each is compared with the first. Beside the correlations are those of the paper,
of a flight in the loop with a real one [@pixhawk-hil table 3]. Writes compare.html.

Last line: r of the signals of the table: other noise ..., light ..., moderate ..., paper ...
"""

from pathlib import Path

import numpy as np

from pyrfly import Sim
from pyrfly.compare import compare, write_report
from pyrfly.log import Recorder, SensorRecorder
from pyrfly.mission import fly_missions, read_mission

MISSION = Path(__file__).parent / "missions" / "seven_waypoints.waypoints"
RATE = 25.0  # Hz, of the IMU in logs of ArduPilot, as the paper has them
SETTLED = 10.0  # s on the ground, as pilots wait until the estimator has converged

PAPER = {
    "att_est_roll": 0.8556,
    "att_est_pitch": 0.8786,
    "att_est_yaw": 0.8483,
    "imu_accel_x": 0.8437,
    "imu_accel_y": 0.8483,
    "imu_accel_z": 0.8112,
    "imu_gyro_x": 0.8290,
    "imu_gyro_y": 0.8243,
    "imu_gyro_z": 0.8428,
    "magnetometer_x": 0.9475,
    "magnetometer_y": 0.9425,
    "magnetometer_z": 0.8392,
    "barometer_pressure": 0.9490,
    "barometer_height": 0.9582,
    "gps_pos_east": 0.9926,  # longitude
    "gps_pos_north": 0.9919,  # latitude
}

SIGNALS = [*PAPER, "pos_north", "pos_east", "pos_down"]

mission = read_mission(MISSION)
sim = Sim("x450", 4)
sim.origin = mission.home
sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
sim.estimator.enable(fly=True)
sim.environment.set_turbulence("light", ids=3)
sim.environment.set_turbulence("moderate", ids=4)
sim.reset(seed=1)
sim.wind[2:] = [[3, 1, 0], [-2, 4, 0]]
sim.sleep(SETTLED)

flights, sensors = Recorder(sim, ("pos", "vel", "att_est")), SensorRecorder(sim)
results = fly_missions(sim, dict.fromkeys(range(1, 5), mission), recorder=flights)
assert all(result.completed for result in results.values())
logs = [flights.log(), *sensors.logs().values()]

compared = {
    name: compare(
        logs,
        logs,
        copter_id=1,
        copter_id_b=copter_id,
        rate=RATE,
        signals=SIGNALS,
        names=("calm", name),
    )
    for name, copter_id in (("other noise", 2), ("light", 3), ("moderate", 4))
}
write_report(compared["light"], "compare.html")

print(f"{'r':20}{''.join(f'{name:>13}' for name in (*compared, 'paper'))}")
for signal, paper in PAPER.items():
    found = [result.r[signal] for result in compared.values()]
    print(f"{signal:20}{''.join(f'{r:13.4f}' for r in (*found, paper))}")
means = {name: np.mean([result.r[one] for one in PAPER]) for name, result in compared.items()}
means["paper"] = np.mean(list(PAPER.values()))
print("r of the signals of the table: " + ", ".join(f"{k} {r:.2f}" for k, r in means.items()))
