"""The name that is proposed for an export is in the language of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.file_chooser import file_stem
from tests.gui.catalogue import screens
from tests.gui.window.hands import Hands

STEMS: dict[Language, list[str]] = {
    "sr-Cyrl": ["artikli", "promene-cena", "racuni", "nalepnice"],
    "sr-Latn": ["artikli", "promene-cena", "racuni", "nalepnice"],
    "en": ["items", "price-changes", "receipts", "labels"],
}


@pytest.mark.qt_log_ignore("This plugin does not support")
async def test_articles_are_proposed_in_the_language_of_the_window(hands: Hands) -> None:
    hands.window.change(language="en")
    screen = screens.opened(hands.shop, hands.window)
    hands.tap(screen.filters.export_button)
    (chooser,) = (one for one in hands.window.findChildren(QFileDialog) if one.isVisible())
    assert [Path(one).stem for one in chooser.selectedFiles()] == ["items"]
    chooser.reject()


@pytest.mark.parametrize("language", STEMS)
def test_each_export_has_a_name_in_each_language(language: Language) -> None:
    texts = Texts(language)
    ids = ("file.items", "rep.title.prices", "file.receipts", "file.labels")
    assert [file_stem(texts(one)) for one in ids] == STEMS[language]
