"""What secrets look like: one row a shape, for RE2, which reads any text in linear time.

Written from the formats that providers document. The value is the last group that took part in the
match, or the whole match. Specific rows stand first: where two find the same text, the first names
it. Patterns see UTF-8 as bytes, ignore nothing but case where they say so, and never cross a line
end inside a value, so that lines keep their numbers.
"""

from bowerbird.guard.rules import (
    assigned,
    business,
    chain,
    cloud,
    code,
    commands,
    data,
    identity,
    intelligence,
    messages,
    payments,
    placed,
    spoken,
    transport,
    watching,
)

RULES = (
    *cloud.SHAPES,
    *code.SHAPES,
    *intelligence.SHAPES,
    *messages.SHAPES,
    *payments.SHAPES,
    *data.SHAPES,
    *watching.SHAPES,
    *identity.SHAPES,
    *business.SHAPES,
    *chain.SHAPES,
    *transport.SHAPES,
    *commands.SHAPES,
    *placed.SHAPES,
    *assigned.SHAPES,
    *spoken.SHAPES,
)
