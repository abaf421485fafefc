function [name, values] = pyrfly_unpack(port, bytes)
%PYRFLY_UNPACK Values of one of RflySim's packets.
%   [NAME, VALUES] = PYRFLY_UNPACK(PORT, BYTES)
%
%   PORT    kind of the port that received it: 'state' (20101) or 'truth' (30101), or of those that
%           a simulator receives on, 'command' (20100) or 'sil' (30100)
%   BYTES   the packet, uint8
%   NAME    name of the packet, a field of PYRFLY_PACKETS; '' where it is none of those of the port
%   VALUES  structure of its fields, rows of double
%
%   See also PYRFLY_PACK, PYRFLY_PACKETS.
packets = pyrfly_packets();
bytes = reshape(bytes, 1, []);
names = candidates(port, numel(bytes));
for i = 1:numel(names)
    layout = packets.(names{i});
    if any(typecast(bytes(layout.key_at), layout.key_class) == layout.known)
        name = names{i};
        values = cell2struct(numbers(layout, bytes), layout.fields(:, 1), 1);
        return
    end
end
name = '';
values = struct();
end

function values = numbers(layout, bytes)
values = cell(numel(layout.at), 1);
for i = 1:numel(values)
    values{i} = double(typecast(bytes(layout.at{i}), layout.fields{i, 2}));
end
end

function names = candidates(port, count)
% Return the names of the packets of a port that have so many bytes.
persistent known
key = sprintf('%s%d', port, count);
if isfield(known, key)
    names = known.(key);
    return
end
packets = pyrfly_packets();
names = fieldnames(packets);
fits = cellfun(@(name) packets.(name).bytes == count && any(strcmp(port, packets.(name).ports)), names);
names = names(fits);
if ~isempty(names)
    known.(key) = names;
end
end
