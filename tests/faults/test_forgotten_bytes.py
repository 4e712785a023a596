"""What was forgotten is in no byte of a closed store, once it is removed and the words are built anew."""

from __future__ import annotations

from pathlib import Path

from bowerbird import Bowerbird

DAY = 86_400_000
WORD = b"xylophonist"


def test_no_byte_is_left_once_the_words_are_built_again(store_path: str) -> None:
    now = 1_767_225_600_000

    def opened() -> Bowerbird:
        return Bowerbird.open(store_path, project="shop", clock=lambda: now)

    def held() -> bool:
        files = Path(store_path).parent.glob(Path(store_path).name + "*")
        return any(WORD in file.read_bytes().lower() for file in files)

    with opened() as bird:
        for number in range(40):
            bird.remember(f"The depot {number} lies behind hall {number * 7} of the harbour")
        id = bird.remember("The xylophonist keeps the key of the depot").id
        bird.forget(id)
    assert held()
    now += 31 * DAY
    with opened() as bird:
        assert [one.becomes for one in bird.prune().leaving] == ["removed"]
        bird.admin.reindex_words()
    assert not held()
