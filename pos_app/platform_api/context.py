"""What the program gives to the platform's HTTP front."""

from __future__ import annotations

from dataclasses import dataclass, field

from pos_app.clock import Clock
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.files.store import FileStore
from pos_app.platform_api.metrics import Metrics


@dataclass(frozen=True, slots=True)
class PlatformContext:
    """public_url: the address by which callers reach the platform, without a slash at its end;
    "" where it is the one that each caller used. metrics_token: "" where nobody reads /metrics."""

    database: Database
    clock: Clock
    version: str
    files: FileStore
    public_url: str = ""
    metrics_token: str = ""
    metrics: Metrics = field(default_factory=Metrics)
