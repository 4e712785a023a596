"""What each sign of an instruction weighs, and how right that is on prompts it was not worked out by.

    .venv/bin/python benchmarks/said.py

A logistic regression on `tests/data/said.tsv` and `tests/data/instructions.tsv`. Of a prompt with an
instruction the sentence counts that weighs most. Told are precision and recall of six parts, each weighed
by what the other five gave, and the weights that all of them give.
"""

from pathlib import Path

import numpy as np

from bowerbird.agent.learn import sentences
from bowerbird.agent.learn.passing import LEAST, leads_off
from bowerbird.agent.learn.signs import SIGNS

DATA = Path(__file__).parents[1] / "tests" / "data"
FEWEST_WORDS = 4
PARTS, SHRINK, ROUNDS, STEPS = 6, 0.002, 4, 1_500


def shown(prompt: str) -> list[list[float]]:
    """A row of signs for each sentence of a prompt that may be weighed."""
    own = [sentences._sentence(raw) for raw in sentences._typed(prompt)]  # noqa: SLF001 what is measured
    rules = sentences._ruled  # noqa: SLF001
    whole = [one for one in own if len(one.split()) >= FEWEST_WORDS and not leads_off(one)]
    return [[*(float(bool(sign.search(one))) for _, sign in SIGNS), rules(one)] for one in whole]


def fit(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The weights of a regression, the last one where it begins."""
    wide = np.c_[rows, np.ones(len(rows))]
    weights = np.zeros(wide.shape[1])
    rate = 1 / (np.linalg.norm(wide, 2) ** 2 / 4 / len(rows) + SHRINK)
    ahead, pace = weights.copy(), 1.0
    for _ in range(STEPS):
        slope = wide.T @ (1 / (1 + np.exp(-wide @ ahead)) - wanted) / len(rows)
        slope += SHRINK * np.r_[ahead[:-1], 0]
        new, faster = ahead - rate * slope, (1 + (1 + 4 * pace * pace) ** 0.5) / 2
        ahead, weights, pace = new + (pace - 1) / faster * (new - weights), new, faster
    return weights


def learned(prompts: list[tuple[bool, list[list[float]]]]) -> np.ndarray:
    """The weights, where of a prompt with an instruction the sentence counts that weighs most."""
    weights = np.zeros(0)
    for _ in range(ROUNDS):
        rows, wanted = [], []
        for right, some in prompts:
            chosen = some
            if right and weights.size and some:
                chosen = [max(some, key=lambda one: np.r_[one, 1] @ weights)]
            rows += chosen
            wanted += [float(right)] * len(chosen)
        weights = fit(np.array(rows), np.array(wanted))
    return weights


def main() -> None:
    """Print the figures and the weights."""
    lines = [(DATA / name).read_text().splitlines() for name in ("said.tsv", "instructions.tsv")]
    told = [line.split("\t") for some in lines for line in some]
    prompts = [(one[0] == "+", shown(one[-1])) for one in told]
    order = np.random.default_rng(0).permutation(len(prompts))
    right = wrong = 0
    for part in range(PARTS):
        out = {*order[part::PARTS].tolist()}
        weights = learned([one for at, one in enumerate(prompts) if at not in out])
        for at in out:
            some = prompts[at][1]
            taken = bool(some) and max(np.r_[one, 1] @ weights for one in some) >= LEAST
            right += taken and prompts[at][0]
            wrong += taken and not prompts[at][0]
    wanted = sum(one for one, _ in prompts)
    print(
        f"{len(prompts)} prompts: precision {right / (right + wrong):.2f}, recall {right / wanted:.2f}"
    )
    names = [*(f"{used} {sign.pattern:.80}" for used, sign in SIGNS), "by its form", "begin"]
    for weight, name in zip(learned(prompts), names, strict=True):
        print(f"{weight:5.1f} {name}")


if __name__ == "__main__":
    main()
