% Fly a vehicle to positions: start `pyrfly sim --vehicles x450` first.
addpath(fileparts(fileparts(mfilename('fullpath'))));
if ~exist('first_port', 'var')
    first_port = 20100;
end
mav = pyrfly_client(1, '127.0.0.1', first_port);
mav.InitMavLoop(0);
mav.InitTrueDataLoop();
mav.initOffboard();
targets = [0 0 -3; 4 0 -3; 4 4 -5];  % m, NED
for i = 1:size(targets, 1)
    mav.SendPosNED(targets(i, 1), targets(i, 2), targets(i, 3), 0);
    started = tic;
    while norm(mav.uavPosNED - targets(i, :)) > 0.2 && toc(started) < 20
        pyrfly_wait(mav, 0.1);
    end
    fprintf('%5.1f s: at %.1f %.1f %.1f\n', mav.trueTimeStmp, mav.uavPosNED);
end
mav.endMavLoop();
