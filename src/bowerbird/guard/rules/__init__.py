"""What secrets look like: one row a shape, for RE2, which reads any text in linear time.

Written from the formats that providers document. The value is the last group that took part in the
match, or the whole match. Specific rows stand first: where two find the same text, the first names
it. Patterns see UTF-8 as bytes, ignore nothing but case where they say so, and never cross a line
end inside a value, so that lines keep their numbers.

`whole` puts the rows of all modules together, `asked` tells what each asks of a text, without them.
"""
