"""The JSON of a file, such as a product's photo. Source: platform-api.md (File)."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

from pydantic import Field

from pos_app.domain.article.product import File
from pos_app.errors import Invalid
from pos_app.wire.moment import instant_text, moment
from pos_app.wire.number import LARGEST_INTEGER, Number
from pos_app.wire.reading import Shape, read


class FileShape(Shape):
    """A file as the wire carries it."""

    id: Annotated[str, Field(min_length=1)]
    filename: str = ""
    original_filename: str | None = None
    mimetype_filename: str | None = None
    size: Number | None = None
    reference: str | None = None
    reference_id: str | None = None
    private: bool = False
    urls: dict[str, str] = Field(default_factory=dict)
    created_at: str | None = None
    updated_at: str | None = None
    deleted_at: str | None = None


def file_of(shape: FileShape, path: str) -> File:
    """The file that a read shape describes; `path` goes before the name of a field at fault."""
    return File(
        id=shape.id,
        filename=shape.filename,
        original_filename=shape.original_filename,
        mimetype_filename=shape.mimetype_filename,
        size=whole(f"{path}size", shape.size),
        reference=shape.reference,
        reference_id=shape.reference_id,
        private=shape.private,
        urls=tuple(shape.urls.items()),
        created_at=moment(f"{path}createdAt", shape.created_at),
        updated_at=moment(f"{path}updatedAt", shape.updated_at),
        deleted_at=moment(f"{path}deletedAt", shape.deleted_at),
    )


def file_from_json(document: object) -> File:
    """A file as a platform answers it. Raises Invalid naming the field."""
    return file_of(read(FileShape, document), "")


def whole(field: str, number: Decimal | None) -> int | None:
    """A number that has no fraction, as int. Raises Invalid naming `field`."""
    if number is None:
        return None
    if number != number.to_integral_value():
        raise Invalid("integer", field=field)
    if not 0 <= number <= LARGEST_INTEGER:
        raise Invalid("between", field=field, largest_integer=LARGEST_INTEGER)
    return int(number)


def file_to_json(file: File) -> dict[str, Any]:
    """A file as a platform answers it, every member present."""
    return {
        "id": file.id,
        "filename": file.filename,
        "originalFilename": file.original_filename,
        "mimetypeFilename": file.mimetype_filename,
        "size": file.size,
        "reference": file.reference,
        "referenceId": file.reference_id,
        "private": file.private,
        "urls": dict(file.urls),
        "createdAt": instant_text(file.created_at),
        "updatedAt": instant_text(file.updated_at),
        "deletedAt": instant_text(file.deleted_at),
    }
