"""The words about the server itself: why it can't start, and who answers in its place."""

from __future__ import annotations

from pos_app.cashier.texts import Told, Words
from pos_app.selling.link import ServerView


def server_words(view: ServerView, words: Words) -> Told:
    """The three parts of the notice: the fault's own, and that no sale is lost by it."""
    if view.fault is None:
        kind = _stranger(view, words)
        happened, press = f"att.stranger.{kind}", f"att.stranger.{kind}.do"
        return Told(words(happened), words("att.safe.server"), words(press))
    told = words.error(view.fault)
    safe = f"{words('att.safe.server')} {told.safe}".strip()
    return Told(_sentence(told.happened), safe, _sentence(told.press))


def _stranger(view: ServerView, words: Words) -> str:
    code = view.reason.code if view.reason else ""
    return code if words.has(f"att.stranger.{code}") else "foreign"


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?…" else f"{text}."
