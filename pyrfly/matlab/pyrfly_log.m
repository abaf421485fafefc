function log = pyrfly_log(path)
%PYRFLY_LOG Read a flight log of pyrfly: a .csv of pyrfly fly, Log.save or pyrfly export.
%   LOG = PYRFLY_LOG(PATH) is a structure:
%   time        seconds, T rows
%   copter_ids  CopterIDs, k columns
%   NAME        a matrix (T, k) of each column of the file, such as pos_north [m] or rate_x [rad/s];
%               NaN where a vehicle has none
%
%   Example: log = pyrfly_log('flight.csv'); plot(log.time, -log.pos_down)
text = fileread(path);
first = find(text == sprintf('\n'), 1);
if isempty(first)
    error('pyrfly:log', '%s: expected a .csv with a line of names, got none', path);
end
names = strsplit(strrep(strtrim(text(1:first)), '"', ''), ',');
if ~isequal(names(1:min(2, end)), {'time', 'copter_id'})
    error('pyrfly:log', '%s: expected a table of time, copter_id, ..., got %s', path, names{1});
end
text = strrep(strrep(lower(text(first + 1:end)), 'true', '1'), 'false', '0');
numbers = sscanf(strrep(text, ',', ' '), '%f');
if numel(numbers) ~= numel(names) * sum(text == sprintf('\n'))
    error('pyrfly:log', '%s: expected %d numbers in each row', path, numel(names));
end
table = reshape(numbers, numel(names), [])';
[log.time, ~, row] = unique(table(:, 1));
[ids, ~, column] = unique(table(:, 2));
log.copter_ids = reshape(ids, 1, []);
at = sub2ind([numel(log.time), numel(ids)], row, column);
for i = 3:numel(names)
    values = NaN(numel(log.time), numel(ids));
    values(at) = table(:, i);
    log.(names{i}) = values;
end
end
