"""F9: what has no key of its own, also the language, the theme and the form of the picker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

from pos_app.cashier.sale.actions import WORDS_OF_KEYS
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.choices import ChoicePanel, Choosable
from pos_app.cashier.sale.questions import KeysOfScreen, NewArticle, RemovedLines, SuspendedCarts
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.scan import ScanPurpose

PURPOSES = MappingProxyType({ScanPurpose.SHOW_PRICE: "price", ScanPurpose.TAKE_OFF: "off"})


@dataclass(frozen=True, slots=True)
class MoreActs:
    """What the menu does outside of the sale's model."""

    model: SaleModel
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


def more_panel(acts: MoreActs, texts: Texts, theme: Theme) -> ChoicePanel:
    """The menu."""
    panel = ChoicePanel(acts.model, texts, theme, title=texts("ask.more"))
    panel.fill([*_without_key(acts, texts), *_of_sale(acts, texts), *_of_till(acts, texts)])
    return panel


def _without_key(acts: MoreActs, texts: Texts) -> list[Choosable]:
    return [
        Choosable(texts(f"keys.{key.lower()}"), texts(WORDS_OF_KEYS[key]), act)
        for key, act in acts.without_key()
    ]


def _of_sale(acts: MoreActs, texts: Texts) -> list[Choosable]:
    model, removed = acts.model, len(acts.model.removed_lines)
    made = [
        _purpose(model, texts, ScanPurpose.SHOW_PRICE, "tag"),
        _purpose(model, texts, ScanPurpose.TAKE_OFF, "minus"),
        Choosable(
            texts.count("more.removed_words", removed), texts("more.removed"),
            lambda: model.ask(RemovedLines()), "undo-2",
        ),
        Choosable(
            texts.count("more.held_words", acts.model.suspended_count), texts("more.held"),
            lambda: model.ask(SuspendedCarts()), "pause",
        ),
        _choice(texts, "card", acts.pay_card, "credit-card"),
        _choice(texts, "drop", acts.model.ask_void, "trash-2"),
        _choice(texts, "drawer", acts.open_drawer, "vault"),
        _choice(texts, "receipt", acts.show_receipt, "receipt-text"),
    ]  # fmt: skip
    if model.services.is_manager:
        made.append(_choice(texts, "create", lambda: model.ask(NewArticle()), "plus"))
    return made


def _of_till(acts: MoreActs, texts: Texts) -> list[Choosable]:
    view = "grid" if acts.picker_is_list() else "list"
    theme = "light" if acts.theme_is_dark() else "dark"
    return [
        _choice(texts, "attention", acts.open_attention, "bell"),
        _choice(texts, "keys", lambda: acts.model.ask(KeysOfScreen()), "keyboard"),
        Choosable(
            texts("more.view_words"), texts(f"more.{view}"), acts.flip_picker,
            "layout-grid" if view == "grid" else "list",
        ),
        Choosable(
            texts("more.theme_words"), texts(f"more.theme_{theme}"), acts.flip_theme,
            "sun" if theme == "light" else "moon",
        ),
        *(
            Choosable(texts("more.language"), texts(f"language.{one}"), _speaking(texts, one))
            for one in LANGUAGES
            if one != texts.language
        ),
        _choice(texts, "close", acts.close_till, "x"),
    ]  # fmt: skip


def _choice(texts: Texts, key: str, act: Callable[[], None], icon: str) -> Choosable:
    return Choosable(texts(f"more.{key}_words"), texts(f"more.{key}"), act, icon)


def _purpose(model: SaleModel, texts: Texts, purpose: ScanPurpose, icon: str) -> Choosable:
    """What the next code is for; chosen again, codes are sold again."""
    key = PURPOSES[purpose]
    active = model.purpose is purpose
    label = texts("more.sell_again" if active else f"more.{key}_words")
    wanted = ScanPurpose.ADD if active else purpose
    return Choosable(
        label, texts(f"more.{key}"), lambda: model.answered(lambda: model.set_purpose(wanted)), icon
    )


def _speaking(texts: Texts, language: Language) -> Callable[[], None]:
    return lambda: texts.change(language)
