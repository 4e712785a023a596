"""Exports of ChatGPT and Claude: a document a conversation."""

from __future__ import annotations

import json
from typing import Any

from bowerbird.ingest.chunk import Size
from bowerbird.ingest.sources.reading import Material, Part
from bowerbird.ingest.sources.registry import source_for

SIZE = Size(400, 0)


def parts(export: Any, *, indent: int | None = None) -> list[Part]:
    material = Material("/x/conversations.json", json.dumps(export, indent=indent))
    return list(source_for(material).read(material, SIZE).parts)


def said(part: Part) -> list[tuple[str, str]]:
    return [(piece.speaker, piece.text) for piece in part.reading.pieces]


def node(id: str, parent: str | None, children: list[str], role: str, text: str) -> dict[str, Any]:
    message = {
        "id": id,
        "author": {"role": role},
        "create_time": 1714500000.5,
        "content": {"content_type": "text", "parts": [text]},
        "metadata": {},
    }
    return {"id": id, "parent": parent, "children": children, "message": message}


def chat(id: str, last: str, *nodes: dict[str, Any]) -> dict[str, Any]:
    root = {"id": "root", "parent": None, "children": ["a"], "message": None}
    mapping = {one["id"]: one for one in (root, *nodes)}
    return {"title": "Bread", "conversation_id": id, "current_node": last, "mapping": mapping}


BREAD = chat(
    "6f1c",
    "d",
    node("a", "root", ["b", "c"], "user", "How long does it proof?"),
    node("b", "a", [], "assistant", "Two minutes."),
    node("c", "a", ["d"], "assistant", "Eight hours."),
    node("d", "c", [], "user", "And in the cold?"),
)


def test_the_branch_that_was_open_last_is_read() -> None:
    (part,) = parts([BREAD])
    assert (part.key, part.reading.title, part.reading.session) == ("6f1c", "Bread", "6f1c")
    assert said(part) == [
        ("user", "How long does it proof?"),
        ("assistant", "Eight hours."),
        ("user", "And in the cold?"),
    ]
    assert part.reading.left_out == "1 message of branches that are not the open one"
    assert part.reading.pieces[0].context == "Bread · Tuesday 30 April 2024"
    assert part.reading.pieces[0].occurred == 1_714_500_000_500


def test_the_line_of_a_turn_is_that_of_its_text() -> None:
    text = json.dumps([BREAD], indent=1)
    rows = text.split("\n")
    for piece in parts([BREAD], indent=1)[0].reading.pieces:
        assert piece.text in rows[piece.start_line - 1]


def test_what_was_hidden_or_thought_is_left_out() -> None:
    hidden = node("h", "root", ["t"], "user", "standing instruction")
    hidden["message"]["metadata"] = {"is_visually_hidden_from_conversation": True}
    thought = node("t", "h", ["s"], "assistant", "")
    thought["message"]["content"] = {"content_type": "thoughts", "thoughts": [{"content": "hm"}]}
    system = node("s", "t", ["c"], "system", "You are ChatGPT")
    code = node("c", "s", [], "assistant", "")
    code["message"]["content"] = {"content_type": "code", "text": "print(1)"}
    (part,) = parts([chat("x", "c", hidden, thought, system, code)])
    assert said(part) == [("assistant", "print(1)")]


def test_messages_that_lead_in_a_circle_end() -> None:
    (part,) = parts(
        [chat("x", "b", node("a", "b", ["b"], "user", "one"), node("b", "a", [], "user", "two"))]
    )
    assert [text for _, text in said(part)] == ["one", "two"]


def test_conversations_are_told_apart() -> None:
    odd = {"title": "no mapping"}
    found = parts([BREAD, BREAD, odd, chat("../../etc", "a", node("a", "root", [], "user", "Hi"))])
    assert [part.key for part in found] == ["6f1c", "6f1c-2", "3", "etc"]
    assert [part.reading.unknown for part in found] == [0, 0, 1, 0]
    assert found[0].hash == found[1].hash != found[3].hash


def claude(**fields: Any) -> dict[str, Any]:
    messages = [
        {
            "uuid": "m1",
            "sender": "human",
            "text": "Where to kayak?",
            "content": [{"type": "text", "text": "Where to kayak?"}],
            "created_at": "2024-06-01T10:00:00Z",
            "attachments": [{"file_name": "gear.txt", "extracted_content": "paddle"}],
            "files": [{"file_name": "map.png"}],
        },
        {
            "uuid": "m2",
            "sender": "assistant",
            "text": "The Soča.",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "tool_use", "name": "web_search", "input": {"query": "rivers"}},
                {"type": "text", "text": "The Soča."},
            ],
            "created_at": "2024-06-01T10:00:05Z",
        },
    ]
    return {"uuid": "u1", "name": "Trip", "chat_messages": messages, **fields}


def test_a_conversation_with_claude() -> None:
    (part,) = parts([claude()])
    assert said(part) == [
        ("user", "Where to kayak?\n\n[attached gear.txt]\npaddle\n\n[attached map.png]"),
        ("assistant", "[tool web_search: rivers]\n\nThe Soča."),
    ]
    assert (part.key, part.reading.title) == ("u1", "Trip")


def test_of_the_branches_with_claude_the_open_one_is_read() -> None:
    record = claude(current_leaf_message_uuid="m2")
    record["chat_messages"][1]["parent_message_uuid"] = "m3"
    record["chat_messages"].append({"uuid": "m3", "sender": "human", "text": "Edited?"})
    (part,) = parts([record])
    assert [speaker for speaker, _ in said(part)] == ["user", "assistant"]
    assert said(part)[0] == ("user", "Edited?")
    assert part.reading.left_out == "1 message of branches that are not the open one"


def test_another_list_is_no_export() -> None:
    assert source_for(Material("/x/a.json", '[{"mapping": 1}]')).name == "text"
    assert source_for(Material("/x/a.json", '{"chat_messages": [], "uuid": 1}')).name == "text"
