"""What a text names of code, without backticks."""

from __future__ import annotations

import pytest

from bowerbird.code.naming import spoken_of


@pytest.mark.parametrize(
    "name", ["get_it", "_get_it", "__reset", "_reset", "getIt", "Store.open", "StoreOf"]
)
def test_a_name_in_its_spelling_is_one_of_code(name: str) -> None:
    files, names = spoken_of(f"The desk relies on {name} in the morning")
    assert name in names or name in files
