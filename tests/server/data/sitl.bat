@ECHO OFF

REM Needs administrator rights for the priorities of processes
NET SESSION >nul 2>&1 || powershell -Command "Start-Process cmd -Verb RunAs" && exit /b

REM 仿真工具的位置 (where the tools are)
if not defined PSP_PATH (
    SET PSP_PATH=D:\Tools\PX4PSP
    SET PSP_PATH_LINUX=/mnt/d/Tools/PX4PSP
)

:: first number, and how many there are on all computers
SET /a START_INDEX=1
REM SET /a TOTOAL_COPTER=12

SET /a CLASS_3D_ID=-1
set DLLModel=0

REM a model of one's own is copied
SET /A DLLModelVal=DLLModel
if %DLLModelVal% NEQ %DLLModel% (
    copy /Y "%~dp0"\%DLLModel%.dll %PSP_PATH%\CopterSim\external\model\%DLLModel%.dll
)

set SimMode=2
set PX4SitlFrame=iris
SET UE4_MAP=Grasslands

SET /a ORIGIN_POS_X=10
SET /a ORIGIN_POS_Y=-4
SET /a ORIGIN_YAW=90
SET /a VEHICLE_INTERVAL=3

SET IS_BROADCAST=0
SET UDPSIMMODE=UDP_Full

:Ask
ECHO.
SET /a MAX_VEHICLE=50
SET /P VehicleNum=How many vehicles:
SET /A Number=VehicleNum
if %Number% EQU %VehicleNum% (
    IF %VehicleNum% GTR 0 (
        IF %VehicleNum% GTR %MAX_VEHICLE% (
            ECHO That is too many for one computer
            pause
        )
        GOTO Start
    )
    ECHO Not positive
    GOTO Ask
) ELSE (
    ECHO Not a number
    GOTO Ask
)
:Start

SET /A Last=%VehicleNum% + %START_INDEX% - 1
if not defined TOTOAL_COPTER (
    SET /A TOTOAL_COPTER=%Last%
)

set /a sqrtNum=1
set /a square=1
:Side
set /a square=%sqrtNum% * %sqrtNum%
if %square% EQU %TOTOAL_COPTER% (
    goto SideKnown
)
if %square% GTR %TOTOAL_COPTER% (
    goto SideKnown
)
set /a sqrtNum=%sqrtNum%+1
goto Side
:SideKnown

cd /d %PSP_PATH%\CopterSim
tasklist|find /i "CopterSim.exe" && taskkill /im "CopterSim.exe"

set /a id=%START_INDEX%
set /a end=%Last%+1
:Next
set /a PosXX=((%id%-1) / %sqrtNum%)*%VEHICLE_INTERVAL% + %ORIGIN_POS_X%
set /a PosYY=((%id%-1) %% %sqrtNum%)*%VEHICLE_INTERVAL% + %ORIGIN_POS_Y%
start /realtime CopterSim.exe 1 %id% %CLASS_3D_ID% %DLLModel% %SimMode% %UE4_MAP% %IS_BROADCAST% %PosXX% %PosYY% %ORIGIN_YAW% 1 %UDPSIMMODE%
set /a id=%id%+1
if %id% EQU %end% goto Done
goto Next
:Done

REM PX4 takes another form of it
if "%IS_BROADCAST%" == "0" (
    SET IS_BROADCAST=0
) else (
    SET IS_BROADCAST=1
)
wsl -d RflySim-20.04 cd %PSP_PATH_LINUX%/Firmware; ./Tools/sitl_multiple_run_rfly.sh %VehicleNum% %START_INDEX% %PX4SitlFrame%
