"""The search of the settings: parts are found by their words, and one Enter opens them."""

from __future__ import annotations

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.ui.panel import EmptyState
from tests.fakes.services_in_memory import BackupsInMemory
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page
from tests.gui.window.hands import Hands


def found(screen: SettingsScreen) -> list[str]:
    """The words of the findings, without their pages."""
    return [row.accessibleName().rpartition(", ")[0] for row in screen.finder.rows]


def focused(hands: Hands) -> str:
    focus = hands.window.focusWidget()
    return focus.accessibleName() if focus is not None else ""


async def test_what_is_found_by_its_words(hands: Hands) -> None:
    """Values in either script, pages by their names."""
    screen, _ = await at_page(hands, PageName.PROCESSOR)
    await search(hands, screen, "rolni")
    for step in (
        each_page_is_found_by_its_name_and_what_is_nowhere_says_so,
        what_is_called_so_stands_before_what_only_speaks_of_it,
        arrows_go_through_what_was_found_and_a_press_opens_it,
        enter_leads_to_a_page_and_presses_nothing_there,
        letters_after_one_enter_are_typed_on_the_page,
        a_value_is_found_in_either_script_and_enter_leads_to_its_field,
    ):
        await step(hands, screen)


async def search(hands: Hands, screen: SettingsScreen, typed: str) -> None:
    hands.press("F2")
    await until(screen.finder.field.edit.hasFocus)
    screen.finder.field.edit.selectAll()
    hands.type(typed)
    await until(lambda: screen.finder.field.text() == typed and bool(screen.finder.rows))


async def each_page_is_found_by_its_name_and_what_is_nowhere_says_so(
    hands: Hands, screen: SettingsScreen
) -> None:
    for name in PageName:
        title = hands.window.texts(f"set.page.{name}")
        screen.finder.field.set_text(title)
        assert title in found(screen)
    for typed in ("skener", "vaga", "вага"):
        screen.finder.field.set_text(typed)
        assert found(screen)[0] == "Скенер"
    screen.finder.field.set_text("limit")
    assert found(screen)[0] == "Највише готовине у фиоци, у динарима"
    hands.press("F2")
    screen.finder.field.edit.selectAll()
    hands.type("qqq")
    await until(lambda: screen.finder.field.text() == "qqq" and not screen.finder.rows)
    assert screen.finder.area.isVisible()
    nothing = screen.finder.area.findChildren(EmptyState)[-1]
    assert nothing.button is not None
    await until(nothing.button.isVisible)
    hands.press("Tab")
    assert hands.window.focusWidget() is nothing.button
    hands.tap(nothing.button)
    await until(lambda: not screen.finder.is_searching)


async def what_is_called_so_stands_before_what_only_speaks_of_it(
    hands: Hands, screen: SettingsScreen
) -> None:
    await search(hands, screen, "kopij")
    words = found(screen)
    assert words.index("Копија коју купац потписује") < words.index("Примерака сваког рачуна")


async def arrows_go_through_what_was_found_and_a_press_opens_it(
    hands: Hands, screen: SettingsScreen
) -> None:
    await search(hands, screen, "refund")
    rows = screen.finder.rows
    assert len(rows) > 2
    await until(rows[-1].isVisible)
    hands.press("Down")
    await until(rows[0].hasFocus)
    hands.press("Down")
    await until(rows[1].hasFocus)
    hands.press("End")
    await until(rows[-1].hasFocus)
    hands.press("Home")
    await until(rows[0].hasFocus)
    hands.press("Up")
    await until(screen.finder.field.edit.hasFocus)
    hands.tap(rows[-1])
    await until(lambda: screen.model.page is not PageName.PROCESSOR)


async def enter_leads_to_a_page_and_presses_nothing_there(
    hands: Hands, screen: SettingsScreen
) -> None:
    """The main button of the page of backups would make one."""
    await search(hands, screen, "rezervna")
    hands.press("Enter")
    await until(lambda: screen.model.page is PageName.BACKUP)
    assert screen.model.backup.work is None
    backups = hands.shop.services.backups
    assert isinstance(backups, BackupsInMemory)
    assert backups.begun == []


async def letters_after_one_enter_are_typed_on_the_page(
    hands: Hands, screen: SettingsScreen
) -> None:
    """Also after a part of it that is hidden yet, such as the form of a new customer."""
    for typed in ("kupci", "novi kupac"):
        screen.model.choose(PageName.LOOK)
        screen.show_model()
        await search(hands, screen, typed)
        hands.press("Enter")
        await until(lambda: screen.model.page is PageName.BUYERS)
        hands.type("mer")
        await until(lambda: screen.model.buyers.query == "mer")
        screen.model.buyers.search("")
    screen.finder.clear()


async def a_value_is_found_in_either_script_and_enter_leads_to_its_field(
    hands: Hands, screen: SettingsScreen
) -> None:
    await search(hands, screen, "rolni")
    assert found(screen) == ["Кованица у ролни"]
    hands.press("Enter")
    await until(lambda: screen.model.page is PageName.SHIFT)
    await until(lambda: focused(hands) == "Кованица у ролни")
    hands.press("Esc")
    assert not screen.finder.is_searching
    assert not hands.window.frame.is_home, "the first Esc ends the search alone"
    hands.press("Esc")
    assert hands.window.frame.is_home
    await until(lambda: not screen.model.processor.running)


async def test_the_list_of_pages_is_one_stop_of_tab(hands: Hands) -> None:
    screen, _ = await at_page(hands, PageName.LOOK)
    screen.list.focus_current()
    for _ in range(2):
        hands.press("Down")
    at = hands.window.focusWidget()
    assert at is screen.list.rows[screen.model.page]
    hands.press("Tab")
    assert hands.window.focusWidget() not in screen.list.rows.values()
    hands.press("Shift+Tab")
    assert hands.window.focusWidget() is at
    hands.press("Shift+Tab")
    assert hands.window.focusWidget() is screen.finder.field.edit, "it stands above the list"
    hands.press("Tab")
    assert hands.window.focusWidget() is at
    pages = [*screen.list.rows]
    for key, page in (("End", pages[-1]), ("Home", pages[0])):
        hands.press(key)
        assert screen.model.page is page
        assert hands.window.focusWidget() is screen.list.rows[page]
    await until(lambda: not hands.window.frame.tasks.names)  # the last page tests the till
