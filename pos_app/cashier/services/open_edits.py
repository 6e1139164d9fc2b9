"""Panels for edits on their way to the platform: a product's above its fields, a store's above its
page. A panel shows why the edit waits, the two values of a field that both sides changed, and what
can be done.

Source: look.md (Components, Table; Screens, 6).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.edit_panel import EditPanel, TwoSides
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.panel import clear_layout
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState

SIDES = (EditSide.OURS, EditSide.THEIRS)
"""The sides in the order of their buttons, from the left."""
_LOOKS: Mapping[EditState, tuple[NoticeKind, str]] = MappingProxyType(
    {
        EditState.CONFLICT: (NoticeKind.WARN, "git-compare"),
        EditState.REFUSED: (NoticeKind.DANGER, "circle-alert"),
    }
)
_WAITS = (NoticeKind.INFO, "clock")


@dataclass(frozen=True, slots=True)
class TwoValues:
    """A field that both sides changed. name: in words. ours, theirs: the source of the value, and
    the value."""

    field: str
    name: str
    ours: tuple[str, str]
    theirs: tuple[str, str]


@dataclass(frozen=True, slots=True)
class OpenEditAct:
    """icon: "" for none."""

    words: str
    icon: str
    act: Callable[[], object]


@dataclass(frozen=True, slots=True)
class OpenEdit:
    """One edit in words, and its acts; an act is None where the edit does not have it. said: the
    platform's own line, or "". more: acts of this edit alone."""

    state: EditState
    head: str
    words: str
    fields: Sequence[TwoValues]
    decide: Callable[[str, EditSide], None]
    send_again: Callable[[], object] | None
    withdraw: Callable[[], object] | None
    add_again: Callable[[], object] | None = None
    said: str = ""
    more: Sequence[OpenEditAct] = ()


def meanwhile(
    fields: Sequence[TwoValues], decide: Callable[[str, EditSide], None], texts: Texts
) -> OpenEdit:
    """Fields that somebody else changed while a manager typed in them; they are not saved yet."""
    return OpenEdit(
        EditState.CONFLICT,
        texts("cat.meanwhile"),
        texts("cat.edit.conflict_words"),
        fields,
        decide=decide,
        send_again=None,
        withdraw=None,
    )


class OpenEditPanels(QWidget):
    """A panel for each edit; hidden where there is none."""

    def __init__(self, ui: UiContext, *, otherwise: Callable[[], None]) -> None:
        """otherwise: puts the focus where a manager goes on once nothing is left to decide."""
        super().__init__()
        self._ui, self._otherwise = ui, otherwise
        self._buttons: list[QAbstractButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(ui.theme.metrics.s2)
        self.hide()

    def show_edits(self, edits: Sequence[OpenEdit]) -> None:
        """Show these edits instead of the last ones. The focus stays on the button with the same
        number."""
        at = next((n for n, button in enumerate(self._buttons) if button.hasFocus()), None)
        panels = [self._panel(edit) for edit in edits]
        self._buttons = [button for panel in panels for button in panel.buttons]
        clear_layout(self._column)
        for panel in panels:
            self._column.addWidget(panel)
            panel.show()
        self.setVisible(bool(panels))
        if at is not None and self._buttons:
            self._buttons[min(at, len(self._buttons) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)
        elif at is not None:
            self._otherwise()

    def focus_first(self) -> None:
        if self._buttons:
            self._buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    # --- parts -----------------------------------------------------------------------------------

    def _panel(self, edit: OpenEdit) -> EditPanel:
        kind, icon = _LOOKS.get(edit.state, _WAITS)
        return EditPanel(
            self._ui.theme,
            kind,
            edit.head,
            edit.words,
            icon=icon,
            acts=self._acts(edit),
            fields=[self._sides(edit, one) for one in edit.fields],
            details=Details(self._ui.theme, self._ui.texts("details"), edit.said)
            if edit.said
            else None,
        )

    def _acts(self, edit: OpenEdit) -> list[Button]:
        texts, acts = self._ui.texts, list[Button]()
        if edit.send_again is not None:
            acts.append(self._button(texts("cat.edit.again"), "refresh-cw", edit.send_again))
        if edit.withdraw is not None:
            acts.append(self._button(texts("cat.edit.withdraw"), "undo-2", edit.withdraw))
        if edit.add_again is not None:
            acts.append(self._button(texts("cat.went.add"), "plus", edit.add_again))
        acts += [self._button(one.words, one.icon, one.act) for one in edit.more]
        return acts

    def _button(self, words: str, icon: str, act: Callable[[], object]) -> Button:
        button = Button(self._ui.theme, words, icon=icon)
        button.clicked.connect(lambda _=False: act())
        return button

    def _sides(self, edit: OpenEdit, two_values: TwoValues) -> TwoSides:
        return TwoSides(
            self._ui.theme,
            two_values.name,
            (two_values.ours, two_values.theirs),
            lambda number: edit.decide(two_values.field, SIDES[number]),
        )
