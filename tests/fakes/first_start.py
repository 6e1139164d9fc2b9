"""The first start of a folder, kept in memory."""

from __future__ import annotations

from pos_app.cashier.texts.lookup import Language
from pos_app.errors import PosError
from pos_app.selling.first_start import FirstStart


class FirstStartInMemory:
    """kept: every state that was kept. refuses: why the demo can't be prepared."""

    def __init__(self, state: FirstStart | None = None) -> None:
        self.state = state or FirstStart()
        self.kept: list[FirstStart] = []
        self.languages: list[str] = []
        self.refuses: PosError | None = None
        self.demos = self.reopened = 0

    def read(self) -> FirstStart:
        return self.state

    def save(self, start: FirstStart) -> None:
        self.state = start
        self.kept.append(start)

    async def prepare_demo(self) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.demos += 1

    def keep_language(self, language: Language) -> None:
        self.languages.append(language)

    def reopen(self, start: FirstStart | None = None) -> None:
        if start is not None:
            self.save(start)
        self.reopened += 1
