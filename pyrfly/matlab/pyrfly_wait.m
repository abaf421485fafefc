function pyrfly_wait(vehicles, seconds)
%PYRFLY_WAIT Let real time pass while vehicles are heard and their set-points repeated.
%   PYRFLY_WAIT(VEHICLES, SECONDS)
%
%   VEHICLES  a PYRFLY_CLIENT, or a cell array of them
%   SECONDS   how long [s]; 0 updates them once
%
%   MATLAB and Octave do nothing beside a pause: wait with this in place of it.
if ~iscell(vehicles)
    vehicles = {vehicles};
end
started = tic;
while true
    for i = 1:numel(vehicles)
        vehicles{i}.update();
    end
    left = seconds - toc(started);
    if left <= 0
        return
    end
    pause(min(left, 0.01));
end
end
