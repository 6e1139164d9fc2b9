"""Attention shows the drawer that did not open, and the keys of its screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from pos_app.errors import OutcomeUnknown, Refused
from tests.fakes.fiscal_server import Fault
from tests.gui.inside import inside
from tests.gui.parts import page_in_front
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, seen
from tests.gui.window.shop import Shop
from tests.gui.window.test_drawer import WIRED, SlowPapers, papers, sell_bread, wired
from tests.sweep import each, sampled

__all__ = ["papers"]


def shown(widget: QWidget) -> str:
    return " ".join(one.text() for one in widget.findChildren(QLabel) if one.isVisible())


def rows(hands: Hands) -> list[str]:
    side = page_in_front(hands.window.frame, "att.list")
    return [row.accessibleName() for row in side.rows.values()]


async def left_shut(shop: Shop, sell_in: Callable[..., Hands], papers: SlowPapers) -> Hands:
    """Sell for cash while the drawer stays shut, and press the bottom line."""
    papers.free.set()
    hands = sell_in(wired(shop, papers, WIRED))
    await sell_bread(hands)
    await shop.serve()
    await seen()
    hands.tap(hands.window.status)
    await seen()
    assert inside(hands.window).is_in("attention")
    return hands


@pytest.mark.parametrize(
    ("fault", "row"),
    sampled(
        [
            (OutcomeUnknown(what="x"), "Фиока се можда није отворила"),
            (Refused(what="x"), "Фиока се није отворила"),
        ]
    ),
    ids=["unknown", "shut"],
)
async def test_a_drawer_that_stayed_shut_has_a_row(
    shop: Shop, sell_in: Callable[..., Hands], papers: SlowPapers, fault: Exception, row: str
) -> None:
    papers.fault = fault  # type: ignore[assignment]
    hands = await left_shut(shop, sell_in, papers)
    assert rows(hands) == [row]
    assert "Све је у реду" not in shown(inside(hands.window).attention)
    assert "1 ставка" in hands.window.status.accessibleDescription()
    await hands.window.tasks.close()


@pytest.mark.parametrize("way", ["touch", "F10"])
async def test_it_is_opened_from_there(
    shop: Shop, sell_in: Callable[..., Hands], papers: SlowPapers, way: str
) -> None:
    papers.fault = Refused(what="x")
    hands = await left_shut(shop, sell_in, papers)

    async def press() -> None:
        if way == "touch":
            hands.tap_words("Отвори фиоку")
        else:
            hands.press("F10")
        await seen()

    await press()
    assert rows(hands) == ["Фиока се није отворила"]
    case = inside(hands.window).attention.case_view
    assert case is not None
    assert case.news_text().startswith("Фиока се није отворила. Проверите штампач")
    papers.fault = None
    await press()
    assert rows(hands) == []
    assert "Фиока" not in hands.window.status.accessibleDescription()
    assert len(papers.opened) == 3
    await hands.window.tasks.close()


async def test_one_that_was_opened_by_its_key_is_told_no_more(
    shop: Shop, sell_in: Callable[..., Hands], papers: SlowPapers
) -> None:
    papers.fault = Refused(what="x")
    hands = await left_shut(shop, sell_in, papers)
    hands.tap_words("Фиока је отворена")
    await seen()
    assert rows(hands) == []
    assert "Све је у реду" in shown(inside(hands.window).attention)
    assert "Фиока" not in hands.window.status.accessibleDescription()
    hands.press("Esc")
    assert hands.notice() == ""
    assert len(papers.opened) == 1
    await hands.window.tasks.close()


# --- F1 ------------------------------------------------------------------------------------------


async def test_arrows_choose_another_row_as_f1_tells(
    shop: Shop, sell_in: Callable[..., Hands], papers: SlowPapers
) -> None:
    shop.server.faults.extend([Fault.FIX])
    papers.fault = Refused(what="x")
    hands = await left_shut(shop, sell_in, papers)
    model = inside(hands.window).attention.model
    ids = [row.id for row in model.cases]
    inside(hands.window).open_case(ids[0])
    hands.press("Down")
    assert model.current_id == ids[1]
    inside(hands.window).open_case(ids[1])
    hands.press("Up")
    assert model.current_id == ids[0]
    await hands.window.tasks.close()


def f1_shows_the_keys_of_attention_and_esc_goes_one_step_back(hands: Hands) -> None:
    hands.tap(hands.window.status)
    hands.press("F1")
    told = shown(inside(hands.window).attention)
    assert "Тастери овог екрана" in told
    assert "Један корак назад" in told
    assert "Све је у реду" not in told
    hands.press("Esc")
    assert inside(hands.window).is_in("attention")
    assert "Тастери овог екрана" not in shown(inside(hands.window).attention)
    assert "Све је у реду" in shown(inside(hands.window).attention)
    hands.press("Esc")
    assert not inside(hands.window).is_in("attention")


def f1_again_and_the_way_back_by_touch_close_them(hands: Hands) -> None:
    hands.tap(hands.window.status)
    for close in (
        lambda: hands.press("F1"),
        lambda: hands.tap_words("Назад"),
        lambda: hands.press("Enter"),
    ):
        hands.press("F1")
        assert "Тастери овог екрана" in shown(inside(hands.window).attention)
        close()
        assert inside(hands.window).is_in("attention")
        assert "Тастери овог екрана" not in shown(inside(hands.window).attention)


@each(
    "act",
    [
        f1_shows_the_keys_of_attention_and_esc_goes_one_step_back,
        f1_again_and_the_way_back_by_touch_close_them,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


async def test_while_keys_are_shown_enter_presses_nothing_behind_them(
    shop: Shop, sell_in: Callable[..., Hands], papers: SlowPapers
) -> None:
    papers.fault = Refused(what="x")
    hands = await left_shut(shop, sell_in, papers)
    hands.press("F1")
    await seen()
    hands.press("Enter")
    await seen()
    assert len(papers.opened) == 1
    assert rows(hands) == ["Фиока се није отворила"]
    hands.press("F1")
    hands.tap(hands.button("Фиока се није отворила"))
    assert "Тастери овог екрана" not in shown(inside(hands.window).attention)
    await hands.window.tasks.close()


async def test_the_keys_are_gone_at_the_next_visit(hands: Hands) -> None:
    hands.tap(hands.window.status)
    hands.press("F1")
    hands.scan("8609910700134")
    assert not inside(hands.window).is_in("attention")
    assert len(hands.rows()) == 1
    hands.tap(hands.window.status)
    assert "Тастери овог екрана" not in shown(inside(hands.window).attention)
