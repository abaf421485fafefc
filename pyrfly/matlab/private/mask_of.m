function mask = mask_of(fields)
%MASK_OF Mask of a position set-point that ignores all but some fields.
%   MASK = MASK_OF(FIELDS), of 'pos', 'vel', 'acc', 'yaw', 'yawrate'; others have no effect.
bits = struct('pos', 7, 'vel', 56, 'acc', 448 + 512, 'yaw', 1024, 'yawrate', 2048);
mask = 4095;
for i = 1:numel(fields)
    if isfield(bits, fields{i})
        mask = mask - bits.(fields{i});
    end
end
end
