"""The length of each vector's sum with its neighbours' vectors, computed when a document is written.

With it the cosine between a question and the whole neighbourhood is a sum of known cosines:
``cos(q, Σ k_j n_j u_j) = Σ k_j n_j cos(q, u_j) / |Σ k_j n_j u_j|``, where u are unit vectors, n
their lengths before quantising and k the closeness of `core.neighbourhood`.
"""

from bowerbird.core.neighbourhood import REACH, WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.types import Vector


def window_lengths(vectors: "Sequence[Vector]", midpoints: "Sequence[int]") -> list[float]:
    """The length of the sum around each passage of one document, in the order of the passages."""
    if not vectors:
        return []
    import numpy as np  # start-up: a single memory has no neighbours

    block = np.frombuffer(b"".join(vector.values for vector in vectors), dtype=np.int8)
    block = block.reshape(len(vectors), -1).astype(np.float32)
    lengths = np.linalg.norm(block, axis=1, keepdims=True)
    norms = np.array([[vector.norm] for vector in vectors], dtype=np.float32)
    block *= norms / np.maximum(lengths, 1.0)
    sums = block.copy()
    middle = np.array(midpoints, dtype=np.float32)
    for step in range(1, min(WIDTH, len(vectors) - 1) + 1):
        near = np.exp(-(((middle[step:] - middle[:-step]) / REACH) ** 2))[:, None]
        sums[:-step] += near * block[step:]
        sums[step:] += near * block[:-step]
    return [float(length) for length in np.linalg.norm(sums, axis=1)]
