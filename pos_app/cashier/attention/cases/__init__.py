"""The kinds of cases in Attention; each module has one family."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier.attention.cases import server, till
from pos_app.cashier.attention.cases.case import Source
from pos_app.cashier.attention.cases.catalogue import CatalogueEdits
from pos_app.cashier.attention.cases.deliveries import Deliveries
from pos_app.cashier.attention.cases.doubts import ReceiptsOfOthers
from pos_app.cashier.attention.cases.public_mode import PublicModes
from pos_app.cashier.attention.cases.restores import Copies
from pos_app.cashier.attention.cases.sale_source import SaleSource
from pos_app.cashier.attention.cases.updates import NewVersions
from pos_app.cashier.services import TillServices

SOURCES: tuple[Callable[[TillServices], Source], ...] = (
    till.Storage,
    SaleSource,
    till.DrawerSource,
    ReceiptsOfOthers,
    server.ServerTrouble,
    server.CertificateEnd,
    server.StatusOfProcessor,
    PublicModes,
    Copies,
    server.Alarms,
    Deliveries,
    server.Callers,
    CatalogueEdits,
    NewVersions,
    till.IncompleteArticles,
    till.FullDrawers,
    till.BackupTries,
    till.DiskRoom,
)
"""The sources of cases, in the order in which their cases are listed within a group."""
