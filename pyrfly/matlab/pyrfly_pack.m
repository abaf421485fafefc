function bytes = pyrfly_pack(name, values)
%PYRFLY_PACK Bytes of one of RflySim's packets.
%   BYTES = PYRFLY_PACK(NAME, VALUES) is a row of uint8.
%
%   NAME    name of the packet, a field of PYRFLY_PACKETS
%   VALUES  structure with values of its fields; those that are missing are 0, and those by which
%           the packet is known are what they have to be
%
%   Example: bytes = pyrfly_pack('inOffboardShortData', struct('ctrlMode', 2, 'ctrls', [0 0 -5 0]));
%
%   See also PYRFLY_UNPACK, PYRFLY_PACKETS.
packets = pyrfly_packets();
if ~isfield(packets, name)
    error('pyrfly:name', 'name: expected a field of pyrfly_packets, got ''%s''', name);
end
layout = packets.(name);
given = fieldnames(values);
unknown = given(~ismember(given, layout.fields(:, 1)));
if ~isempty(unknown)
    error('pyrfly:field', '%s: no field ''%s''; it has %s', name, unknown{1}, ...
        strjoin(layout.fields(:, 1)', ', '));
end
bytes = zeros(1, layout.bytes, 'uint8');
for i = 1:size(layout.fields, 1)
    [field, class_name, count, ~, value] = layout.fields{i, :};
    if isfield(values, field)
        value = values.(field);
        check(field, value, class_name, count);
    else
        value = repmat(value, 1, count);
    end
    bytes(layout.at{i}) = typecast(cast(reshape(value, 1, []), class_name), 'uint8');
end
end

function check(field, value, class_name, count)
% Raise an error that names a field whose value does not fit into it.
if ~(isnumeric(value) || islogical(value)) || ~isreal(value) || numel(value) ~= count
    error('pyrfly:value', '%s: expected %d real number(s), got %s of %d', field, count, ...
        class(value), numel(value));
end
value = double(value(:));
if any(strcmp(class_name, {'single', 'double'}))
    bad = value(isfinite(value) & abs(value) > realmax(class_name));
else
    low = double(intmin(class_name));
    high = double(intmax(class_name));
    bad = value(~(value >= low & value <= high & value == fix(value)));
end
if ~isempty(bad)
    error('pyrfly:value', '%s: expected numbers of class %s, got %g', field, class_name, bad(1));
end
end
