"""The JSON of a platform's keys and clients. We defined it, in the style of stores and products.

Source: platform-contract.md 1 and 5.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field, PlainValidator

from pos_app.domain.setup.platform_key import KeyScope, KeyTerms
from pos_app.domain.setup.platform_setup import PlatformKey
from pos_app.wire.input import Input, at_most, one_line, one_of, read_input
from pos_app.wire.moment import instant_text
from pos_app.wire.reading import seen
from pos_app.wire.records import from_json

_LONGEST_NAME = 100
_ShortName = Annotated[
    str, AfterValidator(at_most(_LONGEST_NAME)), AfterValidator(seen), AfterValidator(one_line)
]
_OF_CLIENT = frozenset({"id", "storeId", "version", "createdAt", "updatedAt", "lastSeenAt"})


class AccountInput(Input):
    name: _ShortName


class SeenInput(Input):
    """The person who handled a warning."""

    by: _ShortName


class KeyInput(Input):
    """The body of making a key."""

    name: _ShortName
    scopes: Annotated[list[Annotated[str, PlainValidator(one_of(*KeyScope))]], Field(min_length=1)]
    each_order_is_a_sale: bool = False
    one_client: bool = False


class ClientInput(Input):
    """The body of renaming a client."""

    name: _ShortName = ""


def read_key(document: object) -> KeyTerms:
    """A key to be made. Raises Invalid."""
    shape = read_input(KeyInput, document, required=("name", "scopes"))
    scopes = frozenset(map(KeyScope, shape.scopes))
    return KeyTerms(shape.name, scopes, shape.each_order_is_a_sale, shape.one_client)


def read_account_name(name: str) -> str:
    """The name of an account to be made. Raises Invalid."""
    return read_input(AccountInput, {"name": name}).name


def read_seen_by(by: str) -> str:
    """The name of the person who handled a warning. Raises Invalid."""
    return read_input(SeenInput, {"by": by}).by


def read_client_name(document: object) -> str | None:
    """The new name of a client, or None where the body lacks it. Raises Invalid."""
    shape = read_input(ClientInput, document, ignored=_OF_CLIENT)
    return shape.name or None


def terms_to_json(terms: KeyTerms) -> dict[str, Any]:
    """The body that asks for a new key. Other makers' platforms know only name and scopes, so the
    further members are sent only where they are true."""
    always = {
        "name": terms.name,
        "scopes": [scope.value for scope in KeyScope if scope in terms.scopes],
    }
    wanted = {"eachOrderIsASale": terms.each_order_is_a_sale, "oneClient": terms.one_client}
    return always | {name: is_wanted for name, is_wanted in wanted.items() if is_wanted}


def key_from_json(document: object) -> PlatformKey:
    """A key as a platform lists it. Raises Invalid."""
    return from_json(PlatformKey, document)


def key_to_json(
    terms: KeyTerms, *, key_id: str, created_at: datetime, used_at: datetime | None
) -> dict[str, Any]:
    """A key, without its secret. used_at: the last use, or None."""
    times = {"createdAt": instant_text(created_at), "lastUsedAt": instant_text(used_at)}
    return {
        "id": key_id,
        **terms_to_json(terms),
        "eachOrderIsASale": terms.each_order_is_a_sale,
        "oneClient": terms.one_client,
        **times,
    }


def revoked_to_json(before: datetime | None) -> dict[str, Any]:
    """The answer to revoking a key. before: the time of an earlier revocation."""
    return {} if before is None else {"revokedAt": instant_text(before)}


def client_to_json(
    *,
    client_id: str,
    name: str,
    store_id: str | None,
    version: str,
    created_at: datetime,
    updated_at: datetime,
    last_seen_at: datetime | None,
) -> dict[str, Any]:
    """A client: the application of one till, as the relay knows it."""
    return {
        "id": client_id,
        "name": name,
        "storeId": store_id,
        "version": version,
        "createdAt": instant_text(created_at),
        "updatedAt": instant_text(updated_at),
        "lastSeenAt": instant_text(last_seen_at),
    }
