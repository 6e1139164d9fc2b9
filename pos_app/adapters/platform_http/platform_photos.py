"""Photos between `catalogue.db` and a platform: those that a manager chose here, and the platform's
that a person sees."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import apsw

from pos_app.adapters.platform_http.client import PlatformClient
from pos_app.adapters.platform_http.pictures import fetch_pictures, too_many
from pos_app.adapters.sqlite.catalogue import lists
from pos_app.adapters.sqlite.catalogue.rows import FILES, SEEN
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.domain.product import Product
from pos_app.selling.synchronisation.catalogue_edits import photos_of

MOST_BYTES = 200_000_000
"""The limit for all photos that were brought from the platform; the oldest go first."""
_AT_ONCE = 8


class OwnPhotos:
    """Photos that a manager chose at this till. folder: that of `catalogue.db`."""

    def __init__(self, connection: apsw.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder / FILES

    def path_of(self, file_id: str) -> Path | None:
        """Return the path of a photo, or None where it is not of this till, or came from the
        platform."""
        name = lists.own_picture(self._connection, file_id)
        return None if name is None else self._folder / name

    def of(self, product: Product) -> dict[str, Path]:
        found = {one: self.path_of(one) for one in photos_of(product)}
        return {one: path for one, path in found.items() if path is not None}

    def uploaded(self, file_id: str, theirs: str) -> None:
        """Note that a photo of ours has its id at the platform: a retry sends it no more."""
        path = self.path_of(file_id)
        if path is not None and theirs:
            kept = path.with_name(f"{SEEN}{path.name}")
            if not kept.exists():
                shutil.copyfile(path, kept)
            lists.rename_photo(self._connection, file_id, theirs, name=kept.name)


def bring_missing(client: PlatformClient, catalogue: Path, product_ids: Sequence[str]) -> int:
    """Bring the photos of these products that are not beside `catalogue`, and return their number.

    Raises what the catalogue raises, OSError of the folder.
    """
    folder = catalogue.parent / FILES
    came = 0
    connection = open_writer(catalogue, durable=False)
    try:
        files = lists.missing_covers(connection, product_ids)
        for start in range(0, len(files), _AT_ONCE):  # so that the first are seen soon
            some = tuple(fetch_pictures(client, files[start : start + _AT_ONCE], into=folder))
            lists.note_pictures(connection, some)
            came += len(some)
        over = too_many(folder, most=MOST_BYTES) if came else []
        lists.forget_pictures(connection, [one.name for one in over])
        for one in over:
            one.unlink(missing_ok=True)
    finally:
        connection.close()
    return came
