"""`pos-app sync --pictures`: the photos of products that somebody sees, named on standard input."""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.adapters.platform_http.pictures import fetch_pictures, too_many
from pos_app.adapters.sqlite.catalogue.catalogue import catalogue_file
from pos_app.adapters.sqlite.catalogue.lists import forget_pictures, missing_covers, note_pictures
from pos_app.adapters.sqlite.catalogue.rows import FILES
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.bootstrap.synchronisation.platform_sync import open_client
from pos_app.settings import Settings

MOST_BYTES = 200_000_000
"""Of all photos that were brought so; the oldest go first."""
_AT_ONCE = 8


def bring_pictures(settings: Settings, product_ids: Sequence[str]) -> int:
    """Bring the photos of these products that are not here; how many came.

    Raises SettingsBroken, and what the catalogue raises.
    """
    path = catalogue_file(settings.data)
    folder = path.parent / FILES
    came = 0
    with open_client(settings) as client:
        connection = open_writer(path, durable=False)
        try:
            files = missing_covers(connection, product_ids)
            for start in range(0, len(files), _AT_ONCE):  # so that the first are soon seen
                some = tuple(fetch_pictures(client, files[start : start + _AT_ONCE], into=folder))
                note_pictures(connection, some)
                came += len(some)
            over = too_many(folder, most=MOST_BYTES) if came else []
            forget_pictures(connection, [one.name for one in over])
            for one in over:
                one.unlink(missing_ok=True)
        finally:
            connection.close()
    return came
