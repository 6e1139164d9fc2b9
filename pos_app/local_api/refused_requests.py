"""Keeps the last requests that the access rules refused, in memory, for the settings."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from datetime import datetime

from pos_app.domain.receipt.server_status import RefusedCaller
from pos_app.http_front.web_pages import as_origin, split_authority
from pos_app.local_api import access_rules

MOST = 200
_LONGEST = 200


class RefusedRequests:
    def __init__(self, most: int = MOST) -> None:
        self._callers: deque[RefusedCaller] = deque(maxlen=most)

    def remember(
        self,
        head: access_rules.RequestHead,
        refused: access_rules.AccessRefused,
        *,
        at: datetime,
        settings: access_rules.AccessSettings,
    ) -> None:
        setting, entry = what_lets_in(head, refused, settings)
        self._callers.append(
            RefusedCaller(
                at=at,
                reason=refused.reason,
                message=refused.problem.message,
                method=head.method[:_LONGEST],
                path=head.path[:_LONGEST],
                host=", ".join(head.values("host"))[:_LONGEST],
                origin=", ".join(head.values("origin"))[:_LONGEST],
                setting=setting,
                entry=entry,
            )
        )

    def latest(self) -> tuple[RefusedCaller, ...]:
        return tuple(reversed(self._callers))


def what_lets_in(
    head: access_rules.RequestHead,
    refused: access_rules.AccessRefused,
    settings: access_rules.AccessSettings,
) -> tuple[str, str]:
    """Return the setting, and the entry in its list, that would admit the refused request.

    | refused                                   | added                                      |
    | a host name with the port of the server   | server.names, the name                     |
    | one with another port, or with none       | server.names, the name with that port      |
    | a web origin                              | server.origins, the origin                 |
    | an address of this machine, anything else | nothing                                    |
    """
    if refused.reason == "origin":
        entry = as_origin(head.only("origin") or "") or ""
        tried = replace(settings, origins=(*settings.origins, entry))
        setting = "server.origins"
    elif refused.reason == "host":
        entry = _name_to_add(head)
        tried = replace(settings, names=(*settings.names, entry))
        setting = "server.names"
    else:
        return "", ""
    if not entry or len(entry) > _LONGEST:
        return "", ""
    then = access_rules.decide(head, tried)
    helps = not (isinstance(then, access_rules.AccessRefused) and then.reason == refused.reason)
    return (setting, entry) if helps else ("", "")


def _name_to_add(head: access_rules.RequestHead) -> str:
    target = split_authority(head.only("host") or "")
    if target is None or target[0] in access_rules.OUR_NAMES:
        return ""
    name, port = target
    return name if port == head.port else f"{name}:{port or 80}"
