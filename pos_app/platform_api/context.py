"""What the program gives to the platform's HTTP front."""

from __future__ import annotations

from dataclasses import dataclass

from pos_app.clock import Clock
from pos_app.platform_api.database.engine import Database


@dataclass(frozen=True, slots=True)
class PlatformContext:
    """public_url: the address by which callers reach the platform, without a slash at its end;
    "" where it is the one that each caller used."""

    database: Database
    clock: Clock
    version: str
    public_url: str = ""
