"""Document examples for `fuzz.py`: a small one of each kind."""

from __future__ import annotations

from typing import Any

from fuzz_examples import AT

RST = (
    "=====\nTitle\n=====\n\nText *a*.\n\nPart\n----\n\n.. code::\n\n   x = 1\n\nSub\n~~~~\nMore.\n"
)
ASCIIDOC = (
    "= Title\n:tags: a, b\n\n== Part\n\n----\n== code\n----\n\n|===\n|a |b\n|===\n=== Sub\nText.\n"
)
ORG = "#+TITLE: Plan\n#+FILETAGS: :a:b:\n* TODO [#A] One :x:\nText.\n** Two\n#+begin_src\nx\n#+end_src\n"
HTML = (
    "<!DOCTYPE html><html><head><title>A &amp; b</title><style>p{}</style></head><body>\n<h1>One</h1>"
    "<p class='a' title=\"x>y\">Text &lt; 3<br>more</p><!-- no --><script>var x = '<p>'</script>\n"
    "<ul><li>a<li><p>b</p></ul><table><tr><td>1<td>2</table><pre>\n  x\n</pre><nav>n</nav></body></html>"
)
TABLE = 'name,place,"a, b"\nAna,Graz,"1\n2"\nBo;Wien;3\n'
LINKS = "See [[Note#Part|shown]], ![[x.png]], [a](../b%20c.md#d) and `[[no]]`.\n\n[r]: <e f.md>\n"
NOTEBOOK: dict[str, Any] = {
    "cells": [
        {"cell_type": "markdown", "source": ["# A\n", "\n", "Text"]},
        {
            "cell_type": "code",
            "source": "x = 1\nprint(x)",
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
                {"output_type": "execute_result", "data": {"text/plain": "2", "image/png": "aaaa"}},
                {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]},
            ],
        },
    ],
    "metadata": {"title": "T"},
    "nbformat": 4,
}
CHATGPT: list[dict[str, Any]] = [
    {
        "title": "T",
        "create_time": 1714500000.5,
        "conversation_id": "6f1c",
        "current_node": "c",
        "mapping": {
            "a": {"id": "a", "message": None, "parent": None, "children": ["b"]},
            "b": {
                "id": "b",
                "parent": "a",
                "children": ["c"],
                "message": {
                    "id": "b",
                    "author": {"role": "user"},
                    "create_time": 1714500000.5,
                    "content": {"content_type": "text", "parts": ["Hello", {"text": "x"}]},
                    "metadata": {},
                },
            },
            "c": {
                "id": "c",
                "parent": "b",
                "children": [],
                "message": {
                    "id": "c",
                    "author": {"role": "tool"},
                    "content": {"content_type": "code", "text": "x = 1"},
                },
            },
        },
    }
]
CLAUDE: list[dict[str, Any]] = [
    {
        "uuid": "u",
        "name": "N",
        "current_leaf_message_uuid": "m2",
        "chat_messages": [
            {
                "uuid": "m1",
                "sender": "human",
                "text": "Hi",
                "created_at": AT,
                "content": [{"type": "text", "text": "Hi"}],
                "attachments": [{"file_name": "a.txt", "extracted_content": "text"}],
                "files": [{"file_name": "b.png"}],
            },
            {
                "uuid": "m2",
                "parent_message_uuid": "m1",
                "sender": "assistant",
                "content": [
                    {"type": "tool_use", "name": "n", "input": {"query": "q"}},
                    {"type": "tool_result", "content": [{"type": "text", "text": "r"}]},
                ],
            },
        ],
    }
]
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
DOCX = (
    f'<?xml version="1.0"?><w:document {_W}><w:body><w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r>'
    '<w:t>A</w:t></w:r></w:p><w:p><w:r><w:t>Text</w:t><w:br w:type="page"/><w:tab/><w:t>b</w:t></w:r>'
    "</w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>"
    "</w:body></w:document>"
)
DOCX_STYLES = (
    f'<w:styles {_W}><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>'
)
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>"
    b"endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<<"
    b"/F1 5 0 R>>>>>>endobj\n4 0 obj<</Length 41>>stream\nBT /F1 12 Tf 20 100 Td (Hello page) Tj ET\n"
    b"endstream\nendobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
    b"trailer<</Root 1 0 R/Size 6>>\n%%EOF\n"
)
