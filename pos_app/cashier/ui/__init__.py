"""The look of the till: colours, sizes, fonts, icons, and the widgets made of them.

A `theme.Theme` has colours by name, sizes of `metrics.measure(...)`, fonts and icons; it never
changes. `style.set_up_style(application, theme)` is called once; every widget is given the theme as
its first argument, and is made anew for another. One `focus.FocusRing(theme, window)` a window.
All words come from the caller and are shown as plain text; layout gaps are
`theme.metrics.s1 … s6`.

Widgets by module, with their signals and chief acts:

- `buttons`: `Button` (kinds of `button_face.ButtonKind`), `BigButton`, `ActionKey`: `clicked`,
  `toggled(bool)`; every button has `refuse(reason)` and `allow()`. `KeyCap`.
- `options`: `OptionButton`, label above value: `clicked`; `set_value`.
- `segment`: `Segment`: `chosen(int)`. `chips`: `Chip`, `ChipRow`: `chosen(str)`, the chip's key.
- `field`: `Field`, `SearchField`: `changed(str)`, `entered()`; `set_error(words)`. `Cross`.
- `pad`: `Pad` ("payment" or "count"): `pressed(str)`, a digit, "00", ",", "back" or "clear".
- `keyboard`: `Keyboard`: `typed(str)`, `rubbed_out()`, `entered()`, `hidden()`; its rows are data
  in `keyboard_layout`. `edit`: `LineEdit`, `TextArea` and the key in them that asks for it.
  `finger_scroll`: `FingerScroll`, one for each QWindow: lists and pages are pushed by a finger.
- `notice`: `Notice` (three parts, its buttons are given to it), `ProgressNotice`, `ProgressBar`.
- `banner`: `Banner`, `EmptyState`. `state`: `StateChip`, `Icon`, `Spinner`, `StepNumber`.
- `status_line`: `StatusLine` of `StatusItem`: `clicked`, pressed anywhere.
- `topbar`: `TopBar` with `ShopHead` or `ScreenHead`: `lock_pressed()`, `ScreenHead.back()`.
- `cart_parts`: `LastReceiptStrip`: `clicked`. `CartTotal`.
- `payment_line`: `PaymentLine`: `removed()`, `typed(str)`, `entered()`. `BigFigure`.
- `controls`: `CheckBox`, `Switch`, `RadioCard`: `toggled(bool)`, `clicked`.
- `labels`: `Label`, `ElidedLabel`, `AmountLabel` (never cut).
- `panel`: `Panel`, `Ground`, `Divider`.
- `views`: `RowView`, `TileView`: `tapped(QModelIndex, QPoint)`, Qt's `clicked`. `ListHead`.

Rows are value objects of `rows` (`CartRow`, `Tile`, `ListRow`), given by a model under the role
`delegates.ROW` and painted by `delegates.CartDelegate`, `TileDelegate`, `ListDelegate`. Where a
cart row was tapped is answered by `paint_cart.cart_hits(rect, theme, row, words).at(place)`.
"""
