"""Where the customer display stands and what it shows, as a manager sets it up; and what the page
of the settings asks of the display that is there. Source: till.md (Customer display).
"""

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
"""The settings that hold it."""


@dataclass(frozen=True, slots=True)
class DisplaySetup:
    """monitor: the name of one, "" for no display. pictures: a folder, "" for none. theme: "till"
    is that of the till. given_elsewhere: settings that the environment gives, by name."""

    monitor: str = ""
    pictures: str = ""
    theme: DisplayTheme = "till"
    given_elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Monitor:
    """A monitor that is connected. name: unlike that of any other. width, height: in pixels.
    is_tills: whether the till's own window stands there, or it shows the same as that one."""

    name: str
    width: int
    height: int
    is_tills: bool


class DisplaySettings(Protocol):
    """Keeps it for the starts to come."""

    def given_elsewhere(self) -> tuple[str, ...]: ...

    def keep(self, setup: DisplaySetup) -> None:
        """All but what is given elsewhere. Raises SettingsBroken, NotAllowed,
        DataFolderNotWritable."""


class DisplayControl(Protocol):
    """The display of the till that runs."""

    def monitors(self) -> Sequence[Monitor]:
        """Those that are connected now, from left to right."""

    def try_out(self, setup: DisplaySetup) -> None:
        """Stand there for some seconds, whatever is set up."""

    def follow_setup(self) -> None:
        """It was saved: stand where it says."""


@dataclass(slots=True)
class DisplayHere:
    """saved: as a manager saved it since the start; None: as the settings say. control: None while
    no window stands."""

    saved: DisplaySetup | None = None
    control: DisplayControl | None = None
