#!/bin/bash
# Where the tools are; the tilde's path is the user's
HERE="$(cd "$(dirname "$0")"; pwd)"
if [ -z "${PSP_PATH:-}" ]; then
    export PSP_PATH="/home/me/PX4PSP"
fi

cat <<NOTE
UE4_MAP=NotThisOne and it's no quote
NOTE

export START_INDEX="${MY_START:-3}"
# TOTOAL_COPTER=12
CLASS_3D_ID=-1
DLLModel=MulticopterNoCtrl
SimMode='2'
PX4SitlFrame=${FRAME:-iris}
UE4_MAP=Grasslands # flat
ORIGIN_POS_X=$((2 * 3 - 1))
ORIGIN_POS_Y="-1.5"
ORIGIN_YAW=45
VEHICLE_INTERVAL=4
IS_BROADCAST=0; UDPSIMMODE=UDP_Simple

if [[ "${DLLModel}" =~ ^-?[0-9]+$ ]]; then
    echo "a model of CopterSim's own"
fi

cleanup() {
    UE4_MAP=NeitherThisOne
    pkill -x CopterSim || true
}
trap cleanup EXIT

if [ -n "${MY_NUMBER:-}" ]; then
    VehicleNum="${MY_NUMBER}"
else
    while true; do
        read -r -p "How many vehicles: " VehicleNum
        if [[ "${VehicleNum}" =~ ^[0-9]+$ ]]; then
            break
        fi
    done
fi

LAST=$((VehicleNum + START_INDEX - 1))
if [ -z "${TOTOAL_COPTER+x}" ]; then
    TOTOAL_COPTER="${LAST}"
fi

sqrtNum=1
while [ $((sqrtNum * sqrtNum)) -lt "${TOTOAL_COPTER}" ]; do
    sqrtNum=$((sqrtNum + 1))
done

cd "${PSP_PATH}/CopterSim"
id=$START_INDEX
while [ "$id" -le "$LAST" ]; do
    PosXX=$(( (id - 1) / sqrtNum * VEHICLE_INTERVAL + ORIGIN_POS_X ))
    PosYY=$(( (id - 1) % sqrtNum * VEHICLE_INTERVAL + ORIGIN_POS_Y ))
    ./CopterSim 1 "$id" "$CLASS_3D_ID" "$DLLModel" "$SimMode" "$UE4_MAP" "$IS_BROADCAST" \
        "$PosXX" "$PosYY" "$ORIGIN_YAW" 1 "$UDPSIMMODE" &
    id=$((id + 1))
done

if [[ "${IS_BROADCAST}" =~ ^[0-9]+$ ]]; then
    IS_BROADCAST=1
fi
