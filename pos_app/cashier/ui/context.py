"""The present colours, sizes and words as one value, which every view takes.

A view never changes the value. Another theme, language or width makes another value, and the window
makes its content anew with it.
"""

from __future__ import annotations

from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.ui.metrics import Metrics
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import ThemeName
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UiContext:
    theme: Theme
    texts: Texts

    def changed(
        self,
        *,
        theme: ThemeName | None = None,
        metrics: Metrics | None = None,
        language: Language | None = None,
    ) -> UiContext:
        """Return a context with the given values, or this one if nothing differs."""
        texts = self.texts
        if language is not None and language != texts.language:
            texts = Texts(language)
        made = self.theme.changed_to(theme=theme, metrics=metrics)
        if (made, texts) == (self.theme, self.texts):
            return self
        return UiContext(made, texts)

    def with_field_words(self, keyboard_name: str) -> UiContext:
        """Return a context with the words of fields in its language. keyboard_name: of the button
        that opens the on-screen keyboard; "" for no button."""
        only = self.texts("number.only")
        made = self.theme.changed_to(keyboard_name=keyboard_name, number_only=only)
        return UiContext(made, self.texts)
