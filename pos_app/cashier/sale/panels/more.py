"""F9: the menu of commands, screens and picker type; for those who may not open the settings, of
languages and theme, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType

from pos_app.cashier import commands
from pos_app.cashier.sale.action_bar import ActionBar
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.choices import ChoiceGroup, ChoicePanel, Choosable
from pos_app.cashier.sale.questions import (
    LanguageAndTheme,
    NewArticle,
    RemovedLines,
    SuspendedCarts,
)
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import SCREENS
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.rights import Act, Leave
from pos_app.selling.sale.scan import ScanPurpose

MONEY = screens.RECEIPTS, screens.ADVANCES, screens.SHIFT
SHOP = screens.CATALOGUE, screens.REPORTS
TILL = screens.ATTENTION, screens.SETTINGS
"""The screens of each group of the menu."""
PURPOSES = MappingProxyType({ScanPurpose.SHOW_PRICE: "price", ScanPurpose.TAKE_OFF: "off"})


@dataclass(frozen=True, slots=True)
class Menu:
    """bar: the action bar; the menu has the commands that the bar does not show."""

    model: SaleModel
    frame: Frame
    bar: ActionBar


def more_panel(menu: Menu, texts: Texts, theme: Theme) -> ChoicePanel:
    panel = ChoicePanel(menu.model, texts, theme, title=texts("ask.more"))
    panel.fill_groups(
        [
            ChoiceGroup(texts("more.group.sale"), _of_sale(menu, texts)),
            ChoiceGroup(texts("more.group.money"), _of_money(menu, texts)),
            ChoiceGroup(texts("more.group.shop"), _of_shop(menu, texts)),
            ChoiceGroup(texts("more.group.till"), _of_till(menu, texts)),
        ]
    )
    return panel


def look_panel(menu: Menu, texts: Texts, theme: Theme) -> ChoicePanel:
    panel = ChoicePanel(menu.model, texts, theme, title=texts("more.look"))
    other = "light" if theme.palette.name == "dark" else "dark"
    panel.fill(
        [
            *(
                Choosable(texts("more.language"), texts(f"language.{one}"), _speaking(menu, one))
                for one in LANGUAGES
                if one != texts.language
            ),
            Choosable(
                texts("more.theme_words"),
                texts(f"more.theme_{other}"),
                _chosen(menu, commands.TillCommand.FLIP_THEME),
                "sun" if other == "light" else "moon",
            ),
        ]
    )
    return panel


def _not_on_bar(menu: Menu, texts: Texts) -> list[Choosable]:
    """Return the commands that are not on the bar, by choice or for lack of room."""
    missing = [command for command in commands.FOLDING if not menu.bar.shows(command)]
    keys = {command: commands.key_of(command) for command in missing}
    return [
        Choosable(
            texts(key.help_texts[commands.KeyPage.SALE]),
            texts(key.button),
            _chosen(menu, command),
            key=key.cap_text,
        )
        for command, key in keys.items()
    ]


def _of_sale(menu: Menu, texts: Texts) -> list[Choosable]:
    model, removed = menu.model, len(menu.model.cart.removed_lines)
    return [
        *_not_on_bar(menu, texts),
        _purpose(model, texts, ScanPurpose.SHOW_PRICE, "circle-question-mark"),
        _purpose(model, texts, ScanPurpose.TAKE_OFF, "minus"),
        Choosable(
            texts.count("more.removed_words", removed),
            texts("more.removed"),
            lambda: model.questions.ask(RemovedLines()),
            "undo-2",
        ),
        Choosable(
            texts.count("more.held_words", menu.model.cart.suspended_count),
            texts("more.held"),
            lambda: model.questions.ask(SuspendedCarts()),
            "pause",
        ),
        _with_cart(menu, texts, _item(menu, texts, commands.TillCommand.SUSPEND_NAMED)),
        _with_cart(menu, texts, _choice(texts, "drop", menu.model.cart.ask_void, "trash-2")),
    ]


def _with_cart(menu: Menu, texts: Texts, choice: Choosable) -> Choosable:
    """Return a choice that an empty cart does not allow."""
    is_empty = not menu.model.cart.can_be_dropped
    return replace(choice, why_not=texts("why.empty")) if is_empty else choice


def _of_money(menu: Menu, texts: Texts) -> list[Choosable]:
    return [
        _item(menu, texts, commands.TillCommand.RECEIPT),
        *_screens(menu, texts, MONEY),
        _item(menu, texts, commands.TillCommand.DRAWER),
    ]


def _of_shop(menu: Menu, texts: Texts) -> list[Choosable]:
    model = menu.model
    made = _screens(menu, texts, SHOP)
    if model.context.services.may(Act.CATALOGUE):
        made.append(_choice(texts, "create", lambda: model.questions.ask(NewArticle()), "plus"))
    return made


def _of_till(menu: Menu, texts: Texts) -> list[Choosable]:
    view = "grid" if menu.model.context.screen.as_list else "list"
    model, services = menu.model, menu.model.context.services
    has_settings = services.leave(Act.SETTINGS) is Leave.MAY
    return [
        *_screens(menu, texts, TILL),
        _item(menu, texts, commands.TillCommand.KEYS),
        Choosable(
            texts("more.view_words"),
            texts(f"more.{view}"),
            _chosen(menu, commands.TillCommand.FLIP_PICKER),
            "layout-grid" if view == "grid" else "list",
        ),
        *([] if has_settings else [_look(model, texts)]),
        *([_item(menu, texts, commands.TillCommand.SET_UP)] if services.is_chosen_demo else []),
        _item(menu, texts, commands.TillCommand.CLOSE),
    ]


def _look(model: SaleModel, texts: Texts) -> Choosable:
    return _choice(texts, "look", lambda: model.questions.ask(LanguageAndTheme()), "palette")


def _screens(menu: Menu, texts: Texts, names: Sequence[str]) -> list[Choosable]:
    """Return those of these screens that the person may open."""

    def opening(name: str) -> Callable[[], None]:
        def do() -> None:
            menu.model.questions.put_away()
            menu.frame.open(name)

        return do

    may = menu.model.context.services.may
    entries = [one for one in SCREENS if one.name in names and (not one.act or may(one.act))]
    return [_choice(texts, one.name, opening(one.name), one.icon, one.key) for one in entries]


def _item(menu: Menu, texts: Texts, command: commands.TillCommand) -> Choosable:
    """Return a command's menu item. A press closes the menu first; only the list of keys replaces
    it."""
    item = commands.MENU[command]
    key = commands.own_cap(command, texts)
    if command is commands.TillCommand.KEYS:
        return _choice(texts, item.name, lambda: menu.frame.run(command), item.icon, key)
    return _choice(texts, item.name, _chosen(menu, command), item.icon, key)


def _chosen(menu: Menu, command: commands.TillCommand) -> Callable[[], None]:
    def do() -> None:
        menu.model.questions.put_away()
        menu.frame.run(command)

    return do


def _choice(
    texts: Texts, text_id: str, act: Callable[[], None], icon: str, key: str = ""
) -> Choosable:
    return Choosable(texts(f"more.{text_id}_words"), texts(f"more.{text_id}"), act, icon, key)


def _purpose(model: SaleModel, texts: Texts, purpose: ScanPurpose, icon: str) -> Choosable:
    """Return the item for a purpose of the next code. A second press ends the mode."""
    text_id = PURPOSES[purpose]
    active = model.cart.purpose is purpose
    label = texts("more.sell_again" if active else f"more.{text_id}_words")
    wanted = ScanPurpose.ADD if active else purpose
    return Choosable(
        label,
        texts(f"more.{text_id}"),
        lambda: model.questions.answered(lambda: model.entry.set_purpose(wanted)),
        icon,
    )


def _speaking(menu: Menu, language: Language) -> Callable[[], None]:
    def do() -> None:
        menu.model.questions.put_away()
        menu.frame.set_language(language)

    return do
