function [vector, one] = vector_and_one(given)
%VECTOR_AND_ONE Three numbers and a fourth of up to four arguments; NaN for those left out.
[x, y, z, one] = defaults(given, {NaN, NaN, NaN, NaN});
vector = [x y z];
end
