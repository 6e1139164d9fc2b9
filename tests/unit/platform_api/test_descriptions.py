"""Descriptions keep nothing that acts, and stay as they are when they come back."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.platform_api.products.description import plain_text, sanitised
from tests.sweep import examples

_PIECES = st.sampled_from(
    [
        "<script>", "</script>", "<p>", "</p>", "<b", ">", "<", "&", "&lt;", "&#60;", "<!--", "-->",
        "<svg onload=x>", "<img src=x onerror=y>", "<a href='javascript:x'>", "</a>", "<style>",
        "<li>", "<br>", "<td>", "<math><mi>", "<noscript>", "<textarea>", "хлеб", " ", "\n", '"',
    ]
)  # fmt: skip


@given(st.lists(_PIECES | st.text(max_size=5), max_size=12).map("".join))
@settings(max_examples=examples(400))
def test_what_was_made_safe_is_safe_and_stays(html: str) -> None:
    safe = sanitised(html)
    assert sanitised(safe) == safe
    lowered = safe.lower()
    for acting in ("<script", "<style", "<svg", "onerror=", "onload=", "<noscript", "<textarea"):
        assert acting not in lowered.replace("&lt;", "")
    assert 'href="javascript' not in lowered
    text = plain_text(safe)
    assert text == text.strip()
    assert "\n\n\n" not in text
