function varargout = defaults(given, values)
%DEFAULTS Arguments that were given, and values for those that were not.
%   [A, B, ...] = DEFAULTS(GIVEN, VALUES), two cell arrays.
if numel(given) > numel(values)
    error('pyrfly:arguments', 'expected at most %d arguments, got %d', numel(values), numel(given));
end
varargout = values;
varargout(1:numel(given)) = given;
end
