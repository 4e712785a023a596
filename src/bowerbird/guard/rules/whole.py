"""All rules in order, for code that needs the complete table; a text loads only what it needs."""

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

MODULES = (
    *(cloud, code, intelligence, messages, payments, data, watching, identity, business, chain),
    *(transport, commands, placed, assigned, spoken),
)
RULES = tuple(rule for module in MODULES for rule in module.SHAPES)
