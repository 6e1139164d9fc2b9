"""The name that is proposed for an export is in the language of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.file_chooser import file_stem
from tests.gui.catalogue import screens
from tests.gui.window.hands import Hands

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.mark.parametrize(
    ("language", "name"), [("sr-Cyrl", "artikli"), ("sr-Latn", "artikli"), ("en", "items")]
)
async def test_articles_are_proposed_in_the_language_of_the_window(
    hands: Hands, language: Language, name: str
) -> None:
    hands.window.change(language=language)
    screen = screens.opened(hands.shop, hands.window)
    hands.tap(screen.filters.export_button)
    (chooser,) = (one for one in hands.window.findChildren(QFileDialog) if one.isVisible())
    assert [Path(one).stem for one in chooser.selectedFiles()] == [name]
    chooser.reject()


@pytest.mark.parametrize(
    ("language", "stems"),
    [
        ("sr-Cyrl", ["promene-cena", "racuni", "nalepnice"]),
        ("sr-Latn", ["promene-cena", "racuni", "nalepnice"]),
        ("en", ["price-changes", "receipts", "labels"]),
    ],
)
def test_each_export_has_a_name_in_each_language(language: Language, stems: list[str]) -> None:
    texts = Texts(language)
    ids = ("rep.title.prices", "file.receipts", "file.labels")
    assert [file_stem(texts(one)) for one in ids] == stems
