"""The kinds of cases in Attention; each module has one family."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier.attention.cases import case, doubts, restores, server, till, updates
from pos_app.cashier.attention.cases.catalogue import CatalogueEdits, ComingLabels
from pos_app.cashier.attention.cases.deliveries import Deliveries
from pos_app.cashier.attention.cases.labels import LabelsThatDoNotFit
from pos_app.cashier.attention.cases.public_mode import PublicModes
from pos_app.cashier.attention.cases.sale_source import SaleSource
from pos_app.cashier.services.till_services import TillServices

SOURCES: tuple[Callable[[TillServices], case.Source], ...] = (
    till.Storage,
    updates.ProgramFiles,
    SaleSource,
    till.DrawerSource,
    doubts.ReceiptsOfOthers,
    server.ServerTrouble,
    server.CertificateEnd,
    server.StatusOfProcessor,
    PublicModes,
    restores.Copies,
    server.Alarms,
    Deliveries,
    server.Callers,
    CatalogueEdits,
    ComingLabels,
    LabelsThatDoNotFit,
    updates.NewVersions,
    till.IncompleteArticles,
    till.LabelCodes,
    till.FullDrawers,
    till.BackupTries,
    till.DiskRoom,
)
"""The sources of cases, in the order in which their cases are listed within a group."""
