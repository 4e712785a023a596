"""Weights of the features of an instruction, and their precision and recall on held-out prompts.

    .venv/bin/python benchmarks/said.py [DIR]

A logistic regression on the prompts of `tests/data`, by several writers. Prompts in the recorded
sessions below DIR count as no instruction. For a prompt with an instruction, the sentence with the
highest weight counts. Prints precision and recall for each writer with weights fitted on the others,
the share of prompts in each folder below DIR that are accepted with weights fitted on all others, and
the weights fitted on everything.
"""

import sys
from pathlib import Path

import numpy as np

from bowerbird.agent.learn.instruction_features import SIGNS
from bowerbird.agent.learn.sentences import asked_to_keep, ruled, weighable
from bowerbird.agent.learn.standing_instructions import LEAST, form, own_words
from bowerbird.agent.learn.transcript import recorded_session
from bowerbird.core.events import PROMPTED

DATA = Path(__file__).parents[1] / "tests" / "data"
SHRINK, ROUNDS, STEPS = 0.001, 4, 1_500
Prompt = tuple[bool, str, list[list[float]]]


def shown(prompt: str) -> list[list[float]]:
    """The feature rows of a prompt's candidate sentences."""
    return [
        [
            *(float(bool(sign.search(own_words(one)))) for _, sign in SIGNS),
            *form(one, prompt, ruled=ruled(one)),
        ]
        for one in weighable(prompt)
    ]


def fit(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The weights of a regression; the last one is the intercept."""
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


def learned(prompts: list[Prompt]) -> np.ndarray:
    """The weights, when the highest-weighted sentence of a prompt with an instruction counts."""
    weights = np.zeros(0)
    for _ in range(ROUNDS):
        rows, wanted = [], []
        for right, _, some in prompts:
            chosen = some
            if right and weights.size and some:
                chosen = [max(some, key=lambda one: np.r_[one, 1] @ weights)]
            rows += chosen
            wanted += [float(right)] * len(chosen)
        weights = fit(np.array(rows), np.array(wanted))
    return weights


def taken(prompt: Prompt, weights: np.ndarray) -> bool:
    """Whether a prompt is classified as an instruction."""
    _, text, some = prompt
    weighs = bool(some) and max(np.r_[one, 1] @ weights for one in some) >= LEAST
    return weighs or bool(asked_to_keep(text))


def written() -> dict[str, list[Prompt]]:
    """The prompts written for this benchmark, by writer."""
    found: dict[str, list[Prompt]] = {"for the signs": []}
    for name in ("said.tsv", "instructions.tsv"):
        for line in (DATA / name).read_text().splitlines():
            label, *_, text = line.split("\t")
            found["for the signs"].append((label == "+", text, shown(text)))
    for line in (DATA / "prompts.tsv").read_text().splitlines():
        label, writer, _, raw = line.split("\t")
        text = raw.replace("\\n", "\n").replace("\\\\", "\\")
        found.setdefault(f"{writer} writer", []).append((label == "+", text, shown(text)))
    return found


def recorded(folder: Path) -> list[Prompt]:
    """The prompts typed in the sessions of a folder."""
    texts: dict[str, None] = {}
    for path in sorted(folder.rglob("*.jsonl")):
        session = recorded_session(str(path))
        steps = session.steps if session else ()
        texts |= {
            step.event.text: None
            for step in steps
            if step.event.what == PROMPTED and not step.event.sub
        }
    return [(False, text, shown(text)) for text in texts]


def main() -> None:
    """Print the results and the weights."""
    prompts = written()
    folders = (
        sorted(one for one in Path(sys.argv[1]).iterdir() if one.is_dir()) if sys.argv[1:] else []
    )
    prompts |= {one.name: recorded(one) for one in folders}
    for name, own in prompts.items():
        weights = learned([one for other in prompts if other != name for one in prompts[other]])
        found = [one[0] for one in own if taken(one, weights)]
        wanted = sum(right for right, *_ in own)
        summary = f"{name}: {len(own)} prompts, {len(found)} taken"
        if wanted:
            precision, recall = sum(found) / max(1, len(found)), sum(found) / wanted
            summary += f", precision {precision:.2f}, recall {recall:.2f}"
        print(summary)
    weights = learned([one for own in prompts.values() for one in own])
    for folder in folders:
        number = sum(taken(one, weights) for one in prompts[folder.name])
        print(f"{folder.name}: {number} taken by what all gave")
    rest = ["by its form", "ten words", "500 characters of its prompt", "several lines", "begin"]
    for weight, name in zip(weights, [*(sign.pattern for _, sign in SIGNS), *rest], strict=True):
        print(f"{weight:5.1f} {name:.80}")


if __name__ == "__main__":
    main()
