"""Palette, font and style sheet of the whole application.

The style sheet draws Qt's own widgets, and the panels and grounds of this package; other widgets
(buttons, keys, fields) paint themselves. It names no font, because sizes come from the
application's font, whose figures are equally wide.
"""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui.metrics import Metrics
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Palette

_MENU = """
QMenu {{ background: {p.surface}; border: 1px solid {p.line_strong}; padding: {m.s1}px;
  border-radius: {m.radius_field}px; }}
QMenu::item {{ color: {p.ink}; background: {p.surface}; padding: 0 {m.s4}px;
  min-height: {m.touch}px; border-radius: {m.radius_field}px; }}
QMenu::item:selected {{ background: {p.tint}; color: {p.ink}; }}
QMenu::item:checked {{ color: {p.accent}; }}
QMenu::item:disabled {{ color: {p.ink_3}; }}
QMenu::separator {{ height: 1px; background: {p.line}; margin: {m.s1}px; }}
QMenu::indicator {{ width: 0; }}
QToolTip {{ background: {p.band}; color: {p.on_band}; border: 0; padding: {m.s2}px; }}
"""

_EDITS = """
QAbstractScrollArea {{ border: 0; }}
QLineEdit {{ background: transparent; border: 0; color: {p.ink}; padding: 0;
  placeholder-text-color: {p.ink_3};
  selection-background-color: {p.hit}; selection-color: {p.ink}; }}
QFileDialog > QLineEdit {{ background: {p.surface}; border: 1px solid {p.line_strong};
  border-radius: {m.radius_field}px; min-height: {inner}px; padding: 0 {m.s3}px; }}
QFileDialog > QLineEdit:focus {{ border: 2px solid {p.focus}; }}
QLineEdit[amount="true"] {{ placeholder-text-color: {p.ink_2}; }}
QLineEdit:disabled {{ color: {p.ink_3}; }}
QPlainTextEdit, QTextEdit {{ background: {p.surface}; color: {p.ink};
  border: 1px solid {p.line_strong}; border-radius: {m.radius_field}px; padding: {m.s2}px;
  selection-background-color: {p.hit}; selection-color: {p.ink}; }}
QPlainTextEdit:focus, QTextEdit:focus {{ border: 2px solid {p.focus}; }}
QPlainTextEdit[wrong="true"] {{ border: 2px solid {p.danger}; }}
QComboBox, QDateEdit, QTimeEdit, QSpinBox {{ background: {p.surface}; color: {p.ink};
  border: 1px solid {p.line_strong}; border-radius: {m.radius_field}px;
  min-height: {inner}px; padding: 0 {m.s3}px; }}
QComboBox:focus, QDateEdit:focus, QTimeEdit:focus, QSpinBox:focus {{
  border: 2px solid {p.focus}; }}
QComboBox:disabled, QSpinBox:disabled {{ background: {p.sunken}; color: {p.ink_3}; }}
QComboBox QAbstractItemView {{ background: {p.surface}; color: {p.ink};
  border: 1px solid {p.line_strong}; selection-background-color: {p.tint};
  selection-color: {p.ink}; }}
QComboBox QAbstractItemView::item {{ min-height: {m.touch}px; }}
"""

_FILES = """
QFileDialog QPushButton {{ background: {p.surface}; color: {p.ink};
  border: 1px solid {p.line_strong}; border-radius: {m.radius_button}px;
  min-height: {inner}px; padding: 0 {m.s3}px; }}
QFileDialog QPushButton:focus {{ border: 2px solid {p.focus}; }}
QFileDialog QPushButton:disabled {{ color: {p.ink_3}; }}
QFileDialog QToolButton {{ min-width: {inner}px; min-height: {inner}px; }}
QFileDialog QListView::item, QFileDialog QTreeView::item {{ min-height: {m.touch}px; }}
QFileDialog QHeaderView::section {{ min-height: {m.touch}px; }}
"""

_VIEWS = """
QListView, QTableView, QTreeView {{ background: {p.surface}; color: {p.ink}; border: 0;
  gridline-color: {p.line}; selection-background-color: {p.tint}; selection-color: {p.ink};
  outline: 0; }}
QTableView::item {{ border-bottom: 1px solid {p.line}; padding: 0 {m.s2}px; }}
QTableView::item:selected {{ background: {p.tint}; color: {p.ink}; }}
QHeaderView {{ background: {p.sunken}; border: 0; }}
QHeaderView::section {{ background: {p.sunken}; color: {p.ink_2}; border: 0;
  border-bottom: 1px solid {p.line}; padding: 0 {m.s2}px; min-height: {m.head}px; }}
QScrollBar:vertical {{ background: transparent; width: {m.s2}px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: {m.s2}px; margin: 0; }}
QScrollBar::handle {{ background: {p.line_strong}; border-radius: 3px; margin: 1px;
  min-height: {m.s6}px; min-width: {m.s6}px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


_PANELS = """
Ground[colour="surface"] {{ background: {p.surface}; }}
Ground[colour="sunken"] {{ background: {p.sunken}; }}
Ground[colour="bg"] {{ background: {p.bg}; }}
Ground[colour="line"] {{ background: {p.line}; }}
Ground[colour="band"] {{ background: {p.band}; border-radius: {m.radius_button}px; }}
Ground[colour="accent"] {{ background: {p.accent}; }}
Ground[colour="info_edge"] {{ background: {p.info_edge}; }}
Ground[colour="warn_edge"] {{ background: {p.warn_edge}; }}
Ground[colour="danger_edge"] {{ background: {p.danger_edge}; }}
Ground[side="TopEdge"] {{ border-top: {m.hair}px solid {p.line}; }}
Ground[side="BottomEdge"] {{ border-bottom: {m.hair}px solid {p.line}; }}
Ground[side="RightEdge"] {{ border-right: {m.hair}px solid {p.line}; }}
Panel {{ border: {m.hair}px solid {p.line}; border-radius: {m.radius_panel}px; }}
Panel[colour="info_ground"] {{ background: {p.info_ground}; border-color: {p.info_edge}; }}
Panel[colour="warn_ground"] {{ background: {p.warn_ground}; border-color: {p.warn_edge}; }}
Panel[colour="danger_ground"] {{ background: {p.danger_ground}; border-color: {p.danger_edge}; }}
Panel[chosen="true"] {{ background: {p.tint}; border: {m.edge}px solid {p.accent}; }}
"""


def style_sheet(palette: Palette, metrics: Metrics) -> str:
    text = _MENU + _EDITS + _VIEWS + _FILES + _PANELS
    return text.format(p=palette, m=metrics, inner=metrics.touch - 2 * metrics.hair)


def qt_palette(palette: Palette) -> QPalette:
    """Return the theme as Qt's palette, for everything that the style sheet does not name."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    made = QPalette()
    for name, value in {
        role.Window: palette.bg,
        role.WindowText: palette.ink,
        role.Base: palette.surface,
        role.AlternateBase: palette.sunken,
        role.Text: palette.ink,
        role.Button: palette.surface,
        role.ButtonText: palette.ink,
        role.BrightText: palette.danger,
        role.PlaceholderText: palette.ink_3,
        role.Highlight: palette.hit,
        role.HighlightedText: palette.ink,
        role.ToolTipBase: palette.band,
        role.ToolTipText: palette.on_band,
        role.Link: palette.accent,
        role.LinkVisited: palette.accent,
        role.Accent: palette.accent,
        role.Light: palette.surface,
        role.Midlight: palette.sunken,
        role.Mid: palette.line,
        role.Dark: palette.line_strong,
        role.Shadow: palette.line_strong,
    }.items():
        made.setColor(name, QColor(value))
    for name in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(group.Disabled, name, QColor(palette.ink_3))
    return made


def set_up_style(application: QApplication, theme: Theme) -> None:
    """Set Qt's plain style without blinking, in a theme."""
    application.setStyle("Fusion")
    application.setCursorFlashTime(0)
    apply_style(application, theme)


def apply_style(application: QApplication, theme: Theme) -> None:
    """Give the application the palette, font and style sheet of a theme, unless it has them. To set
    a style sheet would style every widget anew."""
    sheet, font = style_sheet(theme.palette, theme.metrics), theme.font()
    if application.styleSheet() == sheet and application.font() == font:
        return
    application.setPalette(qt_palette(theme.palette))
    application.setFont(font)
    application.setStyleSheet(sheet)
