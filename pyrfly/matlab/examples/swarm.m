% Fly four vehicles on a circle: start `pyrfly sim --vehicles x450:4` first.
addpath(fileparts(fileparts(mfilename('fullpath'))));
if ~exist('first_port', 'var')
    first_port = 20100;
end
if ~exist('seconds', 'var')
    seconds = 30;
end
count = 4;
swarm = cell(1, count);
for i = 1:count
    swarm{i} = pyrfly_client(i, '127.0.0.1', first_port);
    swarm{i}.InitMavLoop(1);  % UDP_Simple: set-points at 30 Hz
    swarm{i}.initOffboard();
    swarm{i}.SendPosNED(0, 0, -3 - i, 0);
end
pyrfly_wait(swarm, 6);
started = tic;
while toc(started) < seconds
    for i = 1:count
        angle = 0.5 * toc(started) + 2 * pi * i / count;
        swarm{i}.SendVelNED(-sin(angle), cos(angle), 0, 0);  % a circle of 2 m
    end
    pyrfly_wait(swarm, 0.05);
end
for i = 1:count
    fprintf('vehicle %d: at %.1f %.1f %.1f\n', i, swarm{i}.uavPosNED);
    swarm{i}.endMavLoop();
end
