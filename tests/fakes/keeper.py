"""A keeper of the server that only notes the requests of a person."""

from __future__ import annotations


class NotingKeeper:
    """The port ServerKeeper. asked: how often a start was asked for."""

    port = 9999

    def __init__(self) -> None:
        self.asked = 0

    def try_again(self) -> None:
        self.asked += 1
