@echo off
REM SET /P PosXStr=North:
SET PosXStr=1.5,0,-2
SET PosYStr=0,4,4.25
SET YawStr=0,90,-90
SET /a START_INDEX=1
set DLLModel=0
set SimMode=3
SET UDPSIMMODE=0
SET string=%PosXStr%
:Split
    for /f "tokens=1,* delims=," %%i in ("%string%") do (
        set xPos=%%i
        set string=%%j
    )
    start /realtime CopterSim.exe 1 %id% 3 %DLLModel% %SimMode% 1 0 %xPos%
if not "%string%"=="" goto Split
