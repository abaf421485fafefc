@ECHO OFF
SET PSP_PATH=C:\PX4PSP
C:
SET /a START_INDEX=1
SET /a IsSysID=0
SET /a UDP_START_PORT=20100
set DLLModel=FX450_model
set SimMode=PX4_HITL
SET /a BaudRate=57600
SET UE4_MAP=1
SET /a ORIGIN_POS_X=0
SET /a ORIGIN_POS_Y=0
SET /a ORIGIN_YAW=0
SET /a VEHICLE_INTERVAL=2
SET IS_BROADCAST=127.0.0.1;192.168.1.4
SET UDPSIMMODE=1

setlocal enabledelayedexpansion
for /f "tokens=2 delims=COM" %%i in ('mode ^| find /i "COM"') do (
    for /f "tokens=1 delims=:" %%i in ("%%i") do (
        set "str=%%i"
        set HASCOM=1
    )
)
if not defined HASCOM (
    echo Warning: no serial port
)
SET /P ComNum=Serial ports, such as 3,6:
SET string=%ComNum%
set part=
set /a VehicleNum=0
:Split
for /f "tokens=1,* delims=," %%i in ("%string%") do (
    set part=%%i
    set string=%%j
)
set /a value=part
if not %value% EQU %part% (
    echo '%part%' is no number
    goto End
)
set /a VehicleNum=VehicleNum+1
if not "%string%"=="" goto Split

SET /A Last=%VehicleNum% + %START_INDEX% - 1
if not defined TOTOAL_COPTER (
    SET /A TOTOAL_COPTER=%Last%
)
start CopterSim.exe 1 %START_INDEX% %DLLModel%
:End
