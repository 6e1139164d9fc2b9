"""Everybody sees in each shape who works at the till: on the sale, and on what lies over it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.parts import words_on
from tests.gui.pictures import SHAPES, Shape
from tests.gui.sign_in.screens import MORE, SCENES
from tests.gui.window.posed import window_posed
from tests.sweep import sampled

SCENE_NAMES = {"at_work": MORE[2], "lifted": "Драгана Петровић"}


@pytest.mark.parametrize("scene", SCENE_NAMES)
@pytest.mark.parametrize("shape", sampled(SHAPES[::-1]), ids=lambda shape: shape.name)
def test_the_persons_name_is_seen(qapp: QApplication, shape: Shape, scene: str) -> None:
    """A name without room is cut at its end, behind the first name at the earliest."""
    with window_posed(qapp, shape, SCENES[scene]) as window:
        seen = [one for one in window.findChildren(QWidget) if one.isVisible()]
        said = [words for one in seen for words in words_on(one)]
        first = SCENE_NAMES[scene].split()[0]
        assert any(words.startswith(first) for words in said), said


def test_nobody_is_told_while_the_till_is_locked(qapp: QApplication) -> None:
    with window_posed(qapp, SHAPES[2], SCENES["at_work"]) as window:
        assert MORE[2].split()[0] in " ".join(words_on(window.status))
        window.lock()
        assert MORE[2].split()[0] not in " ".join(words_on(window.status))
