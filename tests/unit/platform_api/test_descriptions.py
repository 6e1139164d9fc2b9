"""Sanitized descriptions contain nothing active, and do not change when sanitized again."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.platform_api.products.description import plain_text, sanitised, why_not
from tests.sweep import each, examples

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
    found = _Found()
    found.feed(safe)
    found.close()
    assert found.elements.isdisjoint({"script", "style", "svg", "noscript", "textarea"})
    assert not any(name.startswith("on") for name, _ in found.attributes)
    assert not any((value or "").startswith("javascript") for _, value in found.attributes)
    text = plain_text(safe)
    assert text == text.strip()
    assert "\n\n\n" not in text


class _Found(HTMLParser):
    """The elements that a browser would find; the text between is read, not run."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes.update(attrs)


@each("opened", ["<table><b id={}></table>", "<table><i lang={0}><u lang={0}></table>"])
def test_elements_that_a_reader_opens_again_after_a_table_are_too_many(opened: str) -> None:
    """64 KB of them became 49 MB, and held a thread for 14 s."""
    html = "".join(opened.format(number) for number in range(150))
    assert why_not(html) == "has more than 100 elements within one another"
    rows = "<tr><td>1<td><b>2</b></tr>" * 20
    assert why_not(f"<table>{rows}</table>" * 60) == "", "tables that end are no depth"
