"""A base class of objects that the end of a `with` closes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self


class ClosedAtExit(ABC):
    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
