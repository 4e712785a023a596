"""The contextual embedder of the package: all-MiniLM-L6-v2 with int8 matrices, run by numpy.

The model reads whole sentences, so it finds texts that share no word with the query. It takes about 10 ms
per query and processes 1,000 tokens per second and core; `static.py` takes 50 µs. Attention, feed-forward
and pooling follow Devlin et al., 2018 and Reimers and Gurevych, 2019: six layers of 12 heads over 384
dimensions; a text's vector is the mean over all tokens.

For each content word, the state after the last layer is stored too, projected onto the directions in
which words differ most: the mean vector does not show how well single words of a query are matched.

`scripts/build_contextual.py` writes the model's files. Compared with float32, the cosine of a text's
vectors is .999 on average, and of 540 paraphrased queries the same number find their memory.
"""

from contextlib import nullcontext
from operator import mul
from os.path import dirname, join
from threading import Lock

from bowerbird.core.memories import Alignment
from bowerbird.core.text import ENGLISH
from bowerbird.core.types import ModelIdentity, Vector
from bowerbird.models.embed.glosses import REVISION, Glosses
from bowerbird.models.embed.tensorfile import TensorFile
from bowerbird.models.embed.tokentable import TokenTable
from bowerbird.models.embed.wordpiece import CHARACTERS_A_TOKEN, WordPiece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import Any, Self

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

WEIGHTS = join(dirname(__file__), "weights")
# Maximum tokens of a text, special tokens included, as in the model's training; the rest is ignored.
LONGEST = 128
# The layers after which a sentence shows best how it is said (`manner`, `told`). A regression on its mean
# vectors found of lasting statements by authors left out, at a precision of .8, .67 after both, .65 after
# one, and .57 after the last layer.
MANNER = (3, 4)
# What `told` says of a sentence: whether it is to last, of which kind it then is, whether it states
# something.
TOLD = ("lasting", "decision", "fact", "gotcha", "preference", "requirement", "stating")
# Ends the names of the two factors of a low-rank product.
_INTO, _OUT_OF = "into", "out_of"
# Of so many words on either side a difference is read as a value.
MOST_DIFFERING = 3
# Tokens of several texts per batch, so that the matrices are converted to floats once for all of them.
# From 512 tokens on the time per token is constant.
TOGETHER = 1_024
# Batches of at most this number of texts are cached after they are computed, up to this number of tokens
# in total (6 MB): a new memory is then computed once for its vector and its words, and the memories that
# it is compared with were often computed shortly before. For a short text this takes 9 ms instead of 38.
KEPT_AT_ONCE = 8
KEPT_TOKENS = 4_096
# Up to this number of tokens a product is computed transposed: OpenBLAS packs the second matrix, which
# takes longer than the product of a few rows. One text of 10 tokens takes 9 ms instead of 12.
FEW_TOKENS = 40
# One in this number of a query's words counts as matched worst.
WORST = 3
# Reference sentences with which two texts are compared: `scripts/build_contextual.py` lists them. Their
# vectors are stored in a file, because a short-lived process would compute them each time.
SAYINGS = ("changed", "happened")
# The sort of reference questions about earlier sessions.
RECALLED = "recalled"
# Prefix of the names of a layer's arrays.
_LAYER = "layer.{}."
# Marks a piece that continues a word.
_INSIDE = "##"
_TINY = 1e-12


class ContextualEmbedder:
    """A transformer over word pieces; `identity` names the model."""

    sentences = True

    @classmethod
    def builtin(cls, *, single: bool = False) -> "Self":
        """The model that ships with the package."""
        words, layers = (join(WEIGHTS, f"minilm-{part}.bin") for part in ("words", "layers"))
        return cls(words, layers, single=single)

    def __init__(self, words: "str | Path", layers: "str | Path", *, single: bool = False) -> None:
        """Map the two files of a model. Raises ModelError if one cannot be read.

        `single`: numpy has, or will have, one thread in this process (see `threads.py`).
        """
        self._tokens = TokenTable(words)
        self._file = TensorFile(layers)
        self._pieces = WordPiece(self._tokens)
        self._glosses = Glosses(lambda word: self._tokens.find(word.encode()) >= 0)
        self._threads = Threads(single=single)
        self._sayings: TensorFile | None = None
        self._comparing: TensorFile | None = None
        self._telling: TensorFile | None = None
        self._kept: dict[str, _Read] = {}
        # Several stores, each in a thread of its own, may share this model.
        self._keeping = Lock()
        self.dims = self._tokens.dims
        self.identity = ModelIdentity(
            provider="builtin",
            name=self._file.name,
            dims=self.dims,
            revision=f"{self._tokens.revision[:6]}{self._file.revision[:6]}{REVISION}",
        )

    def in_english(self, text: str) -> str:
        """A text of another language word by word in English, as this model reads it."""
        return self._glosses.read(text[: LONGEST * CHARACTERS_A_TOKEN])

    def ready(self) -> None:
        """Does nothing: the identity is known as soon as the files are mapped."""

    def embed_query(
        self,
        text: str,
        word_weight: "Callable[[str], float] | None" = None,  # noqa: ARG002 it reads sentences
    ) -> Vector:
        """The vector of one text."""
        return self.embed([text])[0]

    def embed(self, texts: "Sequence[str]") -> list[Vector]:
        """The vectors of many texts, in order. Only the first `LONGEST` tokens of a text are used.

        Texts of other languages are translated word by word (`glosses.py`).
        """
        most = LONGEST * CHARACTERS_A_TOKEN
        texts = [self._glosses.read(text[:most]) for text in texts]
        if len(texts) <= KEPT_AT_ONCE:
            read = self._read(texts) if texts else []
            return [self._vector(one.mean, self._words(one)) for one in read]
        rows = [self._pieces.rows(text, LONGEST) for text in texts]
        vectors: list[Vector] = []
        start = 0
        while start < len(rows):
            end, size = start, 0
            while end < len(rows) and (end == start or size + len(rows[end]) <= TOGETHER):
                size += len(rows[end])
                end += 1
            states, spans = self._states(rows[start:end])
            for some, span in zip(rows[start:end], spans, strict=True):
                words = self._put_together(some, states[span])
                vectors.append(self._vector(states[span].mean(axis=0), words))
            start = end
        return vectors

    def _vector(self, mean: "Floats", words: "tuple[list[str], Floats]") -> Vector:
        """A vector of the mean state, with a unit vector per content word along the stored directions."""
        import numpy as np  # start-up: as above

        names, values = words
        every = [name for name in names if any(map(str.isalnum, name))]
        names_kept = [name for name in every if name not in ENGLISH] or every
        rows = values[[at for at, name in enumerate(names) if name in names_kept]]
        said = _unit_rows(rows @ self._file.array("directions").T)
        return Vector(_quantised(mean), 1.0, np.rint(said * 127).astype(np.int8).tobytes())

    def met(self, question: Vector, words: "Mapping[int, bytes]") -> dict[int, tuple[float, float]]:
        """The alignment of texts with the words of a query, from the word vectors that `embed` computed.

        Per text: the mean over the query's words of the cosine with the nearest word of the text, and the
        mean of the lowest ones. Texts without words are left out.
        """
        import numpy as np  # start-up: as above

        words = {row: said for row, said in words.items() if said}
        if not words or not question.words:
            return {}
        wide = len(self._file.array("directions"))
        asked, every = (
            _unit_rows(np.frombuffer(said, np.int8).reshape(-1, wide).astype(np.float32))
            for said in (question.words, b"".join(words.values()))
        )
        ends = np.cumsum([len(said) // wide for said in words.values()])
        best = np.maximum.reduceat(asked @ every.T, np.concatenate(([0], ends[:-1])), axis=1)
        worst = np.sort(best, axis=0)[: max(1, len(asked) // WORST)]
        means, leasts = best.mean(axis=0).tolist(), worst.mean(axis=0).tolist()
        return dict(zip(words, zip(means, leasts, strict=True), strict=True))

    def aligned(self, new: str, olds: "Sequence[str]") -> list[Alignment]:
        """The alignment of the words of a text with those of each of some others; none is translated."""
        said, *read = self._read((new, *olds))
        names, values = self._words(said)
        nearest = self._nearest(said)
        met = []
        for one in read:
            theirs, rows = self._words(one)
            cosines = rows @ values.T
            before = self._nearest(one)
            nearer = {sort: nearest[sort] - before[sort] for sort in SAYINGS}
            old = tuple(zip(theirs, cosines.max(axis=1).tolist(), strict=True))
            new_words = tuple(zip(names, cosines.max(axis=0).tolist(), strict=True))
            sort = self._of_one_sort(theirs, names)
            compared = self._compared(one, said)
            met.append(Alignment(old, new_words, **nearer, **compared, of_one_sort=sort))
        return met

    def _of_one_sort(self, old: list[str], new: list[str]) -> float:
        """The cosine of the words in which two texts differ, read by themselves; 1 if those are many.

        After the last layer the words of two statements are near if these are about the same; in the
        middle, if they name the same sort of thing: “red” and “blue”, not “red” and “heavy”.
        """
        ours = [word for word in old if word not in new]
        theirs = [word for word in new if word not in old]
        if not (0 < len(ours) <= MOST_DIFFERING and 0 < len(theirs) <= MOST_DIFFERING):
            return 1.0
        one, other = self.manner([" ".join(ours), " ".join(theirs)])
        last = slice(-self.dims, None)
        cosine: float = sum(map(mul, one[last], other[last]))
        return cosine

    def manner(self, texts: "Sequence[str]") -> list[list[float]]:
        """How each of a few texts is said: the mean states after the layers `MANNER`, each of length 1.

        The last layer tells best what a sentence is about; whether it is a rule, a wish or a report is
        plainer in the middle.
        """
        import numpy as np  # start-up: as above

        if not texts:
            return []
        most = LONGEST * CHARACTERS_A_TOKEN
        rows = [self._pieces.rows(self._glosses.read(text[:most]), LONGEST) for text in texts]
        states, spans = self._after(rows, MANNER)
        means = [
            _unit_rows(np.stack([layer[span].mean(axis=0) for span in spans])) for layer in states
        ]
        found: list[list[float]] = np.concatenate(means, axis=1).tolist()
        return found

    def told(self, sentences: "Sequence[str]") -> list[list[float]]:
        """What the sentences of one text do, each in its context: the log odds of `TOLD`, in that order.

        Attention pooling over the tokens of each sentence, after layers to which low-rank products are
        added (Hu et al., 2021); `benchmarks/said.py` fits them.
        """
        import numpy as np  # start-up: as above

        if self._telling is None:
            self._telling = TensorFile(join(WEIGHTS, "minilm-telling.bin"))
        file = self._telling
        found: list[list[float]] = []
        for texts in self._windows(sentences):
            first, last = self._pieces.rows("", LONGEST)
            rows = [first, *(one for some in texts for one in some), last]
            layers, _ = self._after([rows], MANNER, file)
            x = np.concatenate(layers, axis=1)
            odds = x @ file.floats("queries").T
            end = 1
            for some in texts:
                span = slice(end, end := end + len(some))
                shares = np.exp(odds[span] - odds[span].max(axis=0))
                shares /= shares.sum(axis=0)
                pooled = (shares.T @ x[span]).ravel()
                found.append((file.floats("heads") @ pooled + file.array("bias")).tolist())
        return found

    def _windows(self, sentences: "Sequence[str]") -> "Iterator[list[list[int]]]":
        """Yield the rows of sentences, as many at a time as the model reads together."""
        most = LONGEST * CHARACTERS_A_TOKEN
        some: list[list[int]] = []
        for sentence in sentences:
            _, *rows, last = self._pieces.rows(self._glosses.read(sentence[:most]), LONGEST)
            if some and sum(map(len, some)) + len(rows) > LONGEST - 2:
                yield some
                some = []
            # Of a sentence without any token the end stands for it.
            some.append(rows or [last])
        if some:
            yield some

    def recalls(self, question: Vector) -> float:
        """The cosine of a question with the nearest reference one about earlier sessions."""
        import numpy as np  # start-up: as above

        mean = _unit(np.frombuffer(question.values, np.int8).astype(np.float32))
        return float((self._said().array(RECALLED) @ mean).max())

    def _said(self) -> TensorFile:
        """The reference sentences. Raises ModelError."""
        if self._sayings is None:
            self._sayings = TensorFile(join(WEIGHTS, "minilm-sayings.bin"))
        return self._sayings

    def _nearest(self, read: "_Read") -> dict[str, float]:
        """The cosine of a text with the nearest reference sentence of each sort. Raises ModelError."""
        mean, said = _unit(read.mean), self._said()
        return {sort: float((said.array(sort) @ mean).max()) for sort in SAYINGS}

    def _compared(self, old: "_Read", new: "_Read") -> dict[str, float]:
        """The cosine of two texts, and the log odds of two regressions on their vectors.

        They estimate that the newer text alone says that the older one no longer holds, and that the two
        cannot both hold. Raises ModelError.
        """
        import numpy as np  # start-up: as above

        if self._comparing is None:
            self._comparing = TensorFile(join(WEIGHTS, "minilm-comparing.bin"))
        before, after = _unit(old.mean), _unit(new.mean)
        numbers = {
            "announced": np.concatenate((after, after - before)),
            "opposed": np.concatenate(
                (after, after - before, np.abs(after - before), after * before)
            ),
        }
        weights = {name: self._comparing.array(name) for name in numbers}
        odds = {
            name: float(weights[name][:-1] @ every + weights[name][-1])
            for name, every in numbers.items()
        }
        return {"near": float(after @ before), **odds}

    def _read(self, texts: "Sequence[str]") -> "list[_Read]":
        """The hidden states of a few texts; those computed shortly before are cached."""
        with self._keeping:
            found = {text: self._kept.pop(text) for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            rows = [self._pieces.rows(text, LONGEST) for text in missing]
            states, spans = self._states(rows)
            for text, some, span in zip(missing, rows, spans, strict=True):
                found[text] = _Read(some, states[span].copy())
        with self._keeping:
            # Most recently used last.
            self._kept |= found
            tokens = sum(len(one.rows) for one in self._kept.values())
            while tokens > KEPT_TOKENS:
                tokens -= len(self._kept.pop(next(iter(self._kept))).rows)
        return [found[text] for text in texts]

    def words(self, text: str) -> "Floats":
        """A unit vector for each word of a text."""
        (read,) = self._read([text])
        return self._words(read)[1]

    def _words(self, read: "_Read") -> "tuple[list[str], Floats]":
        """The words of a text, joined from their pieces, and a unit vector for each."""
        # Another thread may release them as soon as it has set the words.
        states = read.states
        if read.words is None:
            read.words = self._put_together(read.rows, states)
            read.states = states[:0].copy()
        return read.words

    def _put_together(self, rows: "list[int]", states: "Floats") -> "tuple[list[str], Floats]":
        import numpy as np  # start-up: as above

        names: list[str] = []
        positions: list[int] = []
        for row in rows[1:-1]:
            piece = self._tokens.piece(row)
            if names and piece.startswith(_INSIDE):
                names[-1] += piece.removeprefix(_INSIDE)
            else:
                names.append(piece)
            positions.append(len(names) - 1)
        sums = np.zeros((len(names), self.dims), np.float32)
        np.add.at(sums, positions, states[1 : 1 + len(positions)])
        kept = [at for at, name in enumerate(names) if any(map(str.isalnum, name))]
        kept = kept or list(range(len(names)))
        if not kept:  # no word: the special tokens at both ends stand for it
            return [""], states[:1] / np.linalg.norm(states[:1])
        return [names[at] for at in kept], _unit_rows(sums[kept])

    def _states(self, rows: "list[list[int]]") -> "tuple[Floats, list[slice]]":
        """The tokens of texts after the last layer, and the slice of each text."""
        layers, _ = (int(one) for one in self._file.array("shape"))
        (states,), spans = self._after(rows, (layers,))
        return states, spans

    def _after(
        self, rows: "list[list[int]]", wanted: "Sequence[int]", adapted: TensorFile | None = None
    ) -> "tuple[list[Floats], list[slice]]":
        """The tokens of texts after each of some layers, and the slice of each text.

        With `adapted` low-rank products are added to those matrices for which it has some.
        """
        import numpy as np  # start-up: as above

        file, dims = self._file, self.dims
        every = np.concatenate([np.array(some, np.intp) for some in rows])
        lengths = [len(some) for some in rows]
        ends = np.cumsum(lengths)
        spans = [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]
        table = np.frombuffer(self._tokens.table, np.int8).reshape(-1, dims)
        scales: Floats = np.asarray(self._tokens.scales)
        at = np.concatenate([np.arange(length) for length in lengths])
        x = table[every] * scales[every][:, None] + file.array("positions")[at]
        x = self._norm(x, "norm")
        _, heads = (int(one) for one in file.array("shape"))
        found = []
        with self._threads.one():
            for number in range(max(wanted)):
                x = self._layer(x, _LAYER.format(number), heads, spans, adapted)
                if number + 1 in wanted:
                    found.append(x)
        return found, spans

    def _layer(
        self,
        x: "Floats",
        name: str,
        heads: int,
        spans: "list[slice]",
        adapted: TensorFile | None,
    ) -> "Floats":
        """One layer on the tokens of several texts; a token attends to those of its own text only."""
        import numpy as np  # start-up: as above

        mixed = self._linear(x, f"{name}qkv", adapted)
        seen = np.empty_like(x)
        wide = self.dims // heads
        for span in spans:
            query, key, value = mixed[span].reshape(-1, 3, heads, wide).transpose(1, 2, 0, 3)
            odds = query @ key.transpose(0, 2, 1) / np.float32(wide**0.5)
            odds = np.exp(odds - odds.max(axis=-1, keepdims=True))
            odds /= odds.sum(axis=-1, keepdims=True)
            seen[span] = (odds @ value).transpose(1, 0, 2).reshape(-1, self.dims)
        x = self._norm(x + self._linear(seen, f"{name}out", adapted), f"{name}norm1")
        inner = _gelu(self._linear(x, f"{name}up", adapted))
        return self._norm(x + self._linear(inner, f"{name}down", adapted), f"{name}norm2")

    def _linear(self, x: "Floats", name: str, adapted: TensorFile | None = None) -> "Floats":
        """``x Wᵀ + b``, where each row of W is int8 values times a scale."""
        import numpy as np  # start-up: as above

        weights = self._file.array(name).astype(np.float32)
        products = (weights @ x.T).T if len(x) <= FEW_TOKENS else x @ weights.T
        result: Floats = np.multiply(products, self._file.array(f"{name}.scales"), order="C")
        result += self._file.array(f"{name}.bias")
        if adapted is not None and adapted.has(f"{name}.{_INTO}"):
            result += (x @ adapted.floats(f"{name}.{_INTO}").T) @ adapted.floats(
                f"{name}.{_OUT_OF}"
            ).T
        return result

    def _norm(self, x: "Floats", name: str) -> "Floats":
        """Layer normalisation (Ba et al., 2016)."""
        import numpy as np  # start-up: as above

        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt(np.einsum("ij,ij->i", x, x)[:, None] / self.dims + _TINY)
        result: Floats = x * self._file.array(f"{name}.scale") + self._file.array(f"{name}.shift")
        return result


class _Read:
    """A text after the last layer: its pieces, their mean state, and its words on request.

    The states are released when the words have been computed.
    """

    __slots__ = ("mean", "rows", "states", "words")

    def __init__(self, rows: "list[int]", states: "Floats") -> None:
        self.rows = rows
        self.states = states
        self.mean: Floats = states.mean(axis=0)
        self.words: tuple[list[str], Floats] | None = None


def _unit_rows(values: "Floats") -> "Floats":
    """The rows scaled to length 1."""
    import numpy as np  # start-up: as above

    rows: Floats = values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), _TINY)
    return rows


def _unit(values: "Floats") -> "Floats":
    """A vector scaled to length 1."""
    import numpy as np  # start-up: as above

    return values / np.float32(max(float(np.linalg.norm(values)), _TINY))


def _gelu(x: "Floats") -> "Floats":
    """The tanh approximation of x Φ(x) (Hendrycks and Gimpel, 2016): within .0005 of the exact value."""
    import numpy as np  # start-up: as above

    inner = np.float32(0.7978845608) * (x + np.float32(0.044715) * x * x * x)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    result: Floats = inner
    return result


def _quantised(row: "Floats") -> bytes:
    """A row of floats as int8 values; all rows get the same norm."""
    import numpy as np  # start-up: as above

    scale = np.float32(127 / max(float(np.abs(row).max()), _TINY))
    values: bytes = np.rint(row * scale).astype(np.int8).tobytes()
    return values


class Threads:
    """Limits products of small matrices to one thread, once numpy is loaded.

    OpenBLAS, which numpy uses, splits each product among one thread per core, which busy-wait for each
    other. For one sentence that never pays: on two idle cores it takes three times the CPU, and beside
    other work 20 times the CPU and time.
    """

    def __init__(self, *, single: bool) -> None:
        """`single`: the process was limited to one thread before numpy was loaded."""
        self._single = single
        self._controller: Any = None

    def one(self) -> "AbstractContextManager[Any]":
        """A context in which matrix products run in the calling thread only."""
        if self._single:
            return nullcontext()
        if self._controller is None:
            import threadpoolctl  # start-up: the command has set the variable

            self._controller = threadpoolctl.ThreadpoolController()
        limited: AbstractContextManager[Any] = self._controller.limit(limits=1, user_api="blas")
        return limited
