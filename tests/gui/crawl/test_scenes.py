"""All scenes of the till: nothing is cut, every control acts, and once, and no scan leads away.

`make test` looks at some scenes, each in one shape of its own, and at texts that somebody saw cut
or torn; `make faults` and `make screenshots` at all. Programs of their own walk through them, as
each scene has a window and a loop of its own.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import DropDown
from pos_app.cashier.ui.field import FIELD_WIDTH, Field
from pos_app.cashier.ui.panel import Panel
from tests.gui.crawl import __main__ as crawl
from tests.gui.crawl import press
from tests.gui.crawl.checks import Seen
from tests.gui.crawl.scenes import SCENES, SHARES, Scene
from tests.gui.crawl.walk import look_in, loop_of_scene
from tests.gui.pictures import FIFTEEN, LIGHT, Shape
from tests.sweep import sampled

ROOT = Path(__file__).parents[3]


def succeed(*words: str, seconds: float | None = None) -> str:
    """Run Python with these words; it fails where the program does. Returns what went wrong
    without a fault."""
    told = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert told.returncode == 0, told.stdout or told.stderr
    return told.stderr


# --- what is seen --------------------------------------------------------------------------------

SEEN = (
    ("shift-counting", "en-light-1024x768-12mm"),  # "Cheque / s"
    ("shift-counting", "sr-Cyrl-light-1024x768-15mm-150%"),  # "Вауче / ри", "Изброја / на"
    ("settings-rights", "sr-Cyrl-light-1024x768-15mm-150%"),  # "управник · …", "уз одоб…"
    ("settings-removal", "sr-Cyrl-light-1024x768-15mm"),  # "касир · ПИН и з…"
    ("settings-api", "sr-Cyrl-light-1024x768-15mm-150%"),  # "POST /fiscalizati…"
    ("sale-goods_paid", "en-light-1024x768-9mm"),  # "PIB (tax number…"
    ("sale-held", "sr-Cyrl-light-1024x768-15mm-150%"),  # "1.674,72 · Хлеб бели С…"
    ("sale-removed-list", "sr-Cyrl-light-1024x768-15mm"),  # "Хлеб бе…"
    ("sale-large", "sr-Cyrl-light-1024x768-15mm-150%"),  # "бели …"
    ("sale-away", "sr-Cyrl-light-1024x768-15mm-150%"),  # "Пекара…", "Чека издавање ·…"
    ("receipts-offer", "sr-Cyrl-light-1024x768-15mm-150%"),  # "продаја · …"
    ("catalogue-conflicts", "sr-Cyrl-light-1024x768-15mm-150%"),  # "се п…" in the status line
    ("advances-items", "sr-Cyrl-light-1024x768-15mm-150%"),  # "деце…", "Уплаћен / о"
    ("attention-pair", "sr-Cyrl-light-1024x768-15mm-150%"),  # "затвара…"
    ("sign_in-locked", "sr-Cyrl-light-1024x768-15mm-150%"),  # "касир · за…"
    ("sale-create", "sr-Cyrl-light-1024x768-15mm-150%"),  # "Цена са ПДВ-о"
    ("sale-torn", "sr-Cyrl-light-1024x768-15mm-150%"),  # a notice without its last line
    ("sale-removed-list", "sr-Cyrl-light-1024x768-15mm-150%"),  # "…" in place of each name
    ("sale-refused_last", "sr-Latn-light-1024x768-15mm-150%"),  # "… 1.674,72"
    ("receipts-list", "en-light-1366x768-15mm-150%"),  # "Numb…"
    ("receipts-copy_waits", "sr-Cyrl-light-1024x768-15mm-150%"),  # keys lower than a finger
    ("receipts-advance_elsewhere", "sr-Cyrl-light-1366x768-15mm-150%"),  # wider than the screen
    ("refund-long", "sr-Latn-light-1024x768-15mm-150%"),  # "…" in place of price and label
    ("refund-of_advance", "sr-Cyrl-light-1024x768-15mm-150%"),  # "ознака…"
    ("refund-corporate", "sr-Cyrl-light-1366x768-15mm-150%"),  # why the money goes no other way
    ("shift-check", "sr-Cyrl-light-1366x768-15mm-150%"),  # "Закључење сме…"
    ("sign_in-at_work", "sr-Cyrl-light-1366x768-15mm-150%"),  # "маркет Л…"
    ("advances-refused", "sr-Cyrl-light-1024x768-15mm-150%"),  # wider than the screen
    ("advances-done", "sr-Cyrl-light-1024x768-15mm-150%"),  # "Лична карта, крај броја …"
    ("reports-asking", "sr-Cyrl-light-1024x768-15mm-150%"),  # "3.000 од 9.89…"
    ("reports-month", "sr-Cyrl-light-1024x768-15mm-150%"),  # "21.11.2025. – 20.11.20…"
    ("reports-article", "sr-Latn-light-1024x768-15mm-150%"),  # "Хлеб бели Сава 50…"
    ("settings-backup_asked", "sr-Cyrl-light-1024x768-15mm-150%"),  # wider than its page
)
PROGRAM = f"""
SEEN = {SEEN!r}
import sys
sys.modules["hypothesis"] = None
from tests.gui.crawl.__main__ import main
status = main()
if "--share=0" in sys.argv:
    from tests.gui.crawl.scenes import SCENES
    from tests.gui.crawl.walk import work_on
    for title, shape in SEEN:
        (scene,) = (one for one in SCENES if one.title == title)
        (seen,) = (one for one in scene.shapes() if one.name == shape)
        for finding in work_on(title, seen, None)[1]:
            print(title, shape, finding)
            status = 1
sys.exit(status)
"""
"""The walk without what a developer's machine alone has: the installed tree on Windows, which opens
the scenes too, has of the tests' needs only pytest."""


@pytest.mark.parametrize("share", sampled(range(SHARES)))
def test_nothing_is_cut_covered_small_faint_or_unnamed(share: int) -> None:
    options = (f"--share={share}", "--no-pictures", "--jobs=1")
    assert "never awaited" not in succeed("-c", PROGRAM, *options, seconds=280)


IN_BOTH_THEMES = ("sale-large", "payment-mixed", "settings-rights", "reports-article")


def test_the_dark_theme_moves_nothing(qapp: QApplication) -> None:
    for title in IN_BOTH_THEMES:
        (scene,) = (one for one in SCENES if one.title == title)
        dark = next(one for one in scene.shapes() if one.theme == "dark")
        light, other = (_places(qapp, scene, replace(dark, theme=one)) for one in ("light", "dark"))
        assert light == other, title


FORMS = (
    "shift-opening", "shift-drop", "catalogue-name_goes", "catalogue-name_typed_wrong",
    "settings-store", "first_start-store", "refund-hand_closes", "refund-hand_typed",
)  # fmt: skip


def test_the_fields_of_a_form_end_at_one_edge_and_that_is_not_far(qapp: QApplication) -> None:
    for title in FORMS:
        (scene,) = (one for one in SCENES if one.title == title)
        shape = next(one for one in scene.shapes() if one.width == 1366)
        with loop_of_scene(), scene.posed(qapp, shape, scene.name) as window:
            seen = Seen(window, look_in(window))
            columns: dict[Panel, QRect] = {}
            for one in seen.widgets:
                if isinstance(one, Field | DropDown) and (panel := _panel_of(one)) is not None:
                    columns[panel] = columns.get(panel, QRect()).united(seen.rect_of(one))
            assert columns, title
            widest = max(column.width() for column in columns.values())
            assert widest <= seen.metrics.px(FIELD_WIDTH), title


def _panel_of(widget: QWidget | None) -> Panel | None:
    while widget is not None and not isinstance(widget, Panel):
        widget = widget.parentWidget()
    return widget


def _places(qapp: QApplication, scene: Scene, shape: Shape) -> list[tuple[str, QRect, QRectF]]:
    """Each visible text with the place of its widget in the window and its own place in that."""
    with loop_of_scene(), scene.posed(qapp, shape, scene.name) as window:
        seen = Seen(window, look_in(window))
        return [(one.words, seen.rect_of(one.widget), one.rect) for one in seen.texts]


def test_a_filter_that_nothing_matches_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["crawl", str(tmp_path), "--only=payments-"])
    with pytest.raises(SystemExit, match="payments-"):
        crawl.main()


# --- what a press does ---------------------------------------------------------------------------


@pytest.mark.deadline(7200)
@pytest.mark.long
def test_every_control_has_an_effect() -> None:
    succeed("-m", "tests.gui.crawl.press", "--jobs=2")


QUESTIONS = (
    ("attention-pair", "Поништи издато", "Издај поништење"),
    ("attention-goods_left", "Враћена је готовина", "Забележи као исплаћено"),
    ("attention-goods_left", "Решено је друкчије", "Забележи као решено"),
    ("attention-credit_owed", "Исплаћено је", "Забележи као исплаћено"),
    ("attention-prints", "Одштампај поново", "Одштампај поново"),
    ("settings-platform", "Опозови", "Опозови"),
    ("catalogue-variants", "Обриши", "Обриши"),
    ("catalogue-names", "Обриши", "Изаберите"),
    ("catalogue-names", "Споји са другом", "Изаберите"),
)
"""Scenes with a key that asks before something is issued or destroyed, and the word of the act."""


@pytest.mark.parametrize(("title", "asks", "acts"), QUESTIONS)
def test_no_act_comes_under_the_finger_that_asked(
    qapp: QApplication, title: str, asks: str, acts: str
) -> None:
    (scene,) = (one for one in SCENES if one.title == title)
    for shape in (LIGHT, FIFTEEN):
        with loop_of_scene(), scene.posed(qapp, shape, scene.name) as window:
            asking = next(one for one in _keys_in(window) if _word(one) == asks)
            press.focus(asking)
            finger = asking.mapTo(window, asking.rect().center())
            assert press.by_mouse(window, asking) == ""
            risky = _risky_once_asked(window, asking, acts)
            places = [one.rect().translated(one.mapTo(window, QPoint())) for one in risky]
            assert not any(place.contains(finger) for place in places), shape.name


def _risky_once_asked(window: QWidget, asking: QWidget, acts: str) -> list[Button | BigButton]:
    """Wait for the question; return its keys that act, or are red."""
    for _ in range(100):
        press.let_work()
        others = [one for one in _keys_in(window) if one is not asking]
        if any(_word(one).startswith(acts) for one in others):
            press.let_work()  # the question has its place
            return [one for one in others if _word(one).startswith(acts) or _is_red(one)]
    pytest.fail("nothing asks")


def _keys_in(window: QWidget) -> list[Button | BigButton]:
    keys: list[Button | BigButton] = [*window.findChildren(Button), *window.findChildren(BigButton)]
    return [one for one in keys if one.isVisible() and one.window() is window]


def _word(key: Button | BigButton) -> str:
    return key.spec.words if isinstance(key, Button) else key.accessibleName()


def _is_red(key: Button | BigButton) -> bool:
    return key.kind is ButtonKind.DANGER


MOST_ACTS = ("sale-sale", "refund-refund", "payment-mixed", "correction-start")
"""The scenes with the most acts, and with those that issue and give back."""
TWICE = ("-m", "tests.gui.crawl.twice")


def test_some_controls_act_once() -> None:
    succeed(*TWICE, "--only", *MOST_ACTS, "--share=30", "--jobs=1")


PARTS = (
    ("sale-",),
    ("payment-", "refund-", "closing-"),
    ("correction-", "exchange-", "advances-", "shift-"),
    ("attention-", "receipts-"),
    ("settings-",),
    ("catalogue-", "reports-", "first_start-", "sign_in-"),
)
"""The rooms of the scenes, in parts of some half an hour each."""


def test_every_scene_is_in_one_part() -> None:
    for scene in SCENES:
        parts = sum(any(room in scene.title for room in part) for part in PARTS)
        assert parts == (scene.room not in ("look", "display")), scene.title


@pytest.mark.deadline(7200)
@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_every_control_acts_once(part: tuple[str, ...]) -> None:
    succeed(*TWICE, "--only", *part, "--jobs=2")


# --- what a scan does ----------------------------------------------------------------------------

OF_EACH_KIND = ("settings-mail", "first_start-store", "catalogue-edited", "shift-counting")
"""Scenes of each kind of screen in the till's own window: behind the PIN, before the sale, with a
use for an article's code, with a sum."""


def test_a_scan_leads_away_from_nothing_that_is_typed() -> None:
    succeed("-m", "tests.gui.crawl.scans", "--only", *OF_EACH_KIND)


@pytest.mark.deadline(3600)
@pytest.mark.long
def test_no_scan_leads_away_from_any_screen() -> None:
    succeed("-m", "tests.gui.crawl.scans")
