"""The language of papers, receipts, the customer display and of ready-made words that are kept: the
store's own, whatever language the window has."""

from __future__ import annotations

from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.domain.article.store import ReceiptLanguage, Store

_LANGUAGES: dict[ReceiptLanguage, Language] = {
    ReceiptLanguage.CYRILLIC: "sr-Cyrl",
    ReceiptLanguage.LATIN: "sr-Latn",
}


def language_for(store: Store | None, interface: Language) -> Language:
    """The store's own language, which its receipts have, too; without a store the interface's."""
    return interface if store is None else _LANGUAGES[store.language]


def texts_for(store: Store | None, window: Texts) -> Texts:
    """The words for what is printed, signed or filed. Without a store they are in Serbian, never in
    the language of a window that shows English."""
    language = language_for(store, "sr-Cyrl" if window.language == "en" else window.language)
    return window if language == window.language else Texts(language)
