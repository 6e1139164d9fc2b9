"""The setup of the customer display by a manager, and what the settings page asks of the display
that runs. Source: till.md (Customer display)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pos_app.lazy_dataclass import dataclass

DisplayTheme = Literal["till", "light", "dark"]
THEMES: tuple[DisplayTheme, ...] = ("till", "light", "dark")
MONITOR, PICTURES, THEME = (
    "customer_display.monitor",
    "customer_display.pictures",
    "customer_display.theme",
)


@dataclass(frozen=True, slots=True)
class DisplaySetup:
    """monitor: the name of the display's monitor, or "" for no display. pictures: a folder, or "".
    theme: "till" takes the till's theme. given_elsewhere: the names of settings that the
    environment gives."""

    monitor: str = ""
    pictures: str = ""
    theme: DisplayTheme = "till"
    given_elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Monitor:
    """A connected monitor. name: unique. width, height: in pixels. is_tills: whether the monitor
    shows the till's own window, or mirrors the one that does."""

    name: str
    width: int
    height: int
    is_tills: bool


class DisplaySettings(Protocol):
    """Saves the setup for later starts."""

    def given_elsewhere(self) -> tuple[str, ...]: ...

    def save(self, setup: DisplaySetup) -> None:
        """Save all but what is given elsewhere. Raises SettingsBroken, NotAllowed,
        DataFolderNotWritable."""


class DisplayControl(Protocol):
    """The display of the till that runs."""

    def monitors(self) -> Sequence[Monitor]:
        """The connected monitors, from left to right."""

    def try_out(self, setup: DisplaySetup) -> None:
        """Show the display as this setup says for some seconds, whatever is saved."""

    def follow_setup(self) -> None:
        """Show the display where the saved setup says."""


@dataclass(slots=True)
class DisplayHere:
    """saved is the setup that a manager saved since the start. It is None if no manager did; then
    the settings count. control is None while there is no window."""

    saved: DisplaySetup | None = None
    control: DisplayControl | None = None
