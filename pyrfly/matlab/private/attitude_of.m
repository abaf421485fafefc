function [is_rate, values] = attitude_of(att, flag)
%ATTITUDE_OF Roll, pitch, yaw [rad], or an angular velocity [rad/s], of SendAttPX4.
%   FLAG is its CtrlFlag; IS_RATE tells which of both.
is_rate = any(flag == [3 4]);
switch flag
    case {0, 4}
        values = att(1:3) * pi / 180;
    case {1, 3}
        values = att(1:3);
    case 2
        values = euler_of(att(1:4) / norm(att(1:4)));
    otherwise
        error('pyrfly:arguments', 'CtrlFlag: expected 0, 1, 2, 3 or 4, got %g', flag);
end
values = reshape(values, 1, []);
end

function euler = euler_of(q)
euler = [atan2(2 * (q(1) * q(2) + q(3) * q(4)), 1 - 2 * (q(2)^2 + q(3)^2)), ...
    asin(max(-1, min(1, 2 * (q(1) * q(3) - q(4) * q(2))))), ...
    atan2(2 * (q(1) * q(4) + q(2) * q(3)), 1 - 2 * (q(3)^2 + q(4)^2))];
end
