"""F9: what has no key of its own, also the language, the theme and the form of the picker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

from pos_app.cashier.look.look import Look
from pos_app.cashier.sale.actions import WORDS_OF_KEYS
from pos_app.cashier.sale.asking import HeldCarts, KeysOfScreen, NewArticle, RemovedLines
from pos_app.cashier.sale.carts import CartActs
from pos_app.cashier.sale.lines import LineActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.choices import ChoicePanel, Choosable
from pos_app.cashier.texts import LANGUAGES, Language, Words
from pos_app.selling.scan import Purpose

PURPOSES = MappingProxyType({Purpose.SHOW_PRICE: "price", Purpose.TAKE_OFF: "off"})


@dataclass(frozen=True, slots=True)
class MoreActs:
    """What the menu does outside of the sale's model."""

    model: SaleModel
    lines: LineActs
    carts: CartActs
    pay_card: Callable[[], None]
    open_drawer: Callable[[], None]
    show_receipt: Callable[[], None]
    open_attention: Callable[[], None]
    close_till: Callable[[], None]
    flip_picker: Callable[[], None]
    flip_theme: Callable[[], None]
    picker_is_list: Callable[[], bool]
    theme_is_dark: Callable[[], bool]
    without_key: Callable[[], tuple[tuple[str, Callable[[], None]], ...]] = tuple
    """Action keys that are not on the bar now ("F3"), and what they do."""


def more_panel(acts: MoreActs, words: Words, look: Look) -> ChoicePanel:
    """The menu."""
    panel = ChoicePanel(acts.model, words, look, title=words("ask.more"))
    panel.fill([*_without_key(acts, words), *_of_sale(acts, words), *_of_till(acts, words)])
    return panel


def _without_key(acts: MoreActs, words: Words) -> list[Choosable]:
    return [
        Choosable(words(f"keys.{key.lower()}"), words(WORDS_OF_KEYS[key]), act)
        for key, act in acts.without_key()
    ]


def _of_sale(acts: MoreActs, words: Words) -> list[Choosable]:
    model, removed = acts.model, len(acts.lines.removed)
    made = [
        _purpose(model, words, Purpose.SHOW_PRICE, "tag"),
        _purpose(model, words, Purpose.TAKE_OFF, "minus"),
        Choosable(
            words.count("more.removed_words", removed), words("more.removed"),
            lambda: model.ask(RemovedLines()), "undo-2",
        ),
        Choosable(
            words.count("more.held_words", acts.carts.held_count), words("more.held"),
            lambda: model.ask(HeldCarts()), "pause",
        ),
        _choice(words, "card", acts.pay_card, "credit-card"),
        _choice(words, "drop", acts.carts.ask_drop, "trash-2"),
        _choice(words, "drawer", acts.open_drawer, "vault"),
        _choice(words, "receipt", acts.show_receipt, "receipt-text"),
    ]  # fmt: skip
    if model.counter.is_manager:
        made.append(_choice(words, "create", lambda: model.ask(NewArticle()), "plus"))
    return made


def _of_till(acts: MoreActs, words: Words) -> list[Choosable]:
    view = "grid" if acts.picker_is_list() else "list"
    theme = "light" if acts.theme_is_dark() else "dark"
    return [
        _choice(words, "attention", acts.open_attention, "bell"),
        _choice(words, "keys", lambda: acts.model.ask(KeysOfScreen()), "keyboard"),
        Choosable(
            words("more.view_words"), words(f"more.{view}"), acts.flip_picker,
            "layout-grid" if view == "grid" else "list",
        ),
        Choosable(
            words("more.theme_words"), words(f"more.theme_{theme}"), acts.flip_theme,
            "sun" if theme == "light" else "moon",
        ),
        *(
            Choosable(words("more.language"), words(f"language.{one}"), _speaking(words, one))
            for one in LANGUAGES
            if one != words.language
        ),
        _choice(words, "close", acts.close_till, "x"),
    ]  # fmt: skip


def _choice(words: Words, key: str, act: Callable[[], None], icon: str) -> Choosable:
    return Choosable(words(f"more.{key}_words"), words(f"more.{key}"), act, icon)


def _purpose(model: SaleModel, words: Words, purpose: Purpose, icon: str) -> Choosable:
    """What the next code is for; chosen again, codes are sold again."""
    key = PURPOSES[purpose]
    active = model.purpose is purpose
    label = words("more.sell_again" if active else f"more.{key}_words")
    wanted = Purpose.ADD if active else purpose
    return Choosable(
        label, words(f"more.{key}"), lambda: model.answered(lambda: model.set_purpose(wanted)), icon
    )


def _speaking(words: Words, language: Language) -> Callable[[], None]:
    return lambda: words.change(language)
