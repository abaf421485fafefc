function lla = degrees_of(integers)
%DEGREES_OF Latitude, longitude [deg] and height [m] of those in 1e-7 deg and mm.
lla = integers .* [1e-7 1e-7 1e-3];
end
