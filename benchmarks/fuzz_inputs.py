"""Random inputs for `fuzz.py`: valid examples with parts changed."""

from __future__ import annotations

import copy
import json
import random
from typing import TYPE_CHECKING, Any

from fuzz_examples import TEXTS, VALUES

if TYPE_CHECKING:
    from collections.abc import Sequence

# The probability that a value is replaced or left out, and that a transcript has broken syntax.
ODD = 0.15
BROKEN = 0.3


class Inputs:
    """A stream of mutated inputs, determined by a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 the same each time

    def text(self, example: str) -> str:
        """An example with some of its parts duplicated, dropped, swapped or replaced."""
        chance = self.chance
        for _ in range(chance.choice((0, 1, 1, 2, 3, 6))):
            start = chance.randint(0, len(example))
            end = min(len(example), start + chance.choice((0, 1, 1, 2, 8, 40)))
            part = example[start:end]
            new = chance.choice(
                (
                    "",
                    part * chance.choice((2, 3, 60)),
                    part[::-1],
                    chance.choice(TEXTS),
                    chance.choice(TEXTS) * chance.choice((2, 40)),
                    chr(chance.choice((chance.randrange(128), chance.randrange(0x11_0000)))),
                )
            )
            example = example[:start] + new + example[end:]
        return example

    def value(self, example: Any) -> Any:
        """A JSON value with some of its values replaced."""
        example = copy.deepcopy(example)
        for _ in range(self.chance.choice((0, 1, 1, 2, 4))):
            example = self._changed(example)
        return example

    def _changed(self, value: Any) -> Any:
        chance = self.chance
        if chance.random() < ODD:
            return copy.deepcopy(
                chance.choice((*VALUES, chance.choice(TEXTS), [value] * 3, {"text": value}))
            )
        if isinstance(value, dict) and value:
            key = chance.choice(list(value))
            if chance.random() < ODD:
                del value[key]
            else:
                value[key] = self._changed(value[key])
        elif isinstance(value, list) and value:
            place = chance.randrange(len(value))
            value[place] = self._changed(value[place])
        elif isinstance(value, str):
            return self.text(value)
        return value

    def lines(self, records: Sequence[dict[str, Any]]) -> str:
        """A transcript: records in any order, mutated, and sometimes with broken syntax."""
        chosen = [records[0], *self.chance.choices(records, k=self.chance.randint(0, 6))]
        text = "\n".join(json.dumps(self.value(record)) for record in chosen)
        return self.text(text) if self.chance.random() < BROKEN else text
