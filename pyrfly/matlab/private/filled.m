function row = filled(values, count)
%FILLED Numbers as a row of COUNT, with 0 in place of those that are missing.
if numel(values) > count
    error('pyrfly:arguments', 'expected at most %d numbers, got %d', count, numel(values));
end
row = zeros(1, count);
row(1:numel(values)) = double(values(:));
end
