"""Access to the local server, decided by the head of a request alone."""

from __future__ import annotations

from dataclasses import replace

from pos_app.local_api import access_rules
from pos_app.local_api.access_rules import (
    AccessDecision,
    AccessLevel,
    AccessRefused,
    AccessSettings,
    Admitted,
    Preflight,
    RequestHead,
)
from pos_app.wire.problem import problem_to_json
from tests.sweep import each

INSTALL = "0d7f6c1e-0000-4000-8000-000000000001"
TOKEN = "ab" * 32
LAN_TOKEN = "lan-secret-lan-secret"
SHOP = "https://shop.example"
SETTINGS = AccessSettings(
    INSTALL,
    TOKEN,
    lan_token=LAN_TOKEN,
    names=("kasa.local", "fd00::7", "gate.example:8443"),
    origins=(SHOP, "http://erp.example:8080/"),
)
RECEIPTS = "/fiscalization/receipts"
JSON = {"content-type": "application/json", "content-length": "10"}
TILL = {"x-pos-token": TOKEN, "x-pos-install": INSTALL}


def asked(
    method: str = "POST",
    path: str = RECEIPTS,
    *,
    peer: str = "127.0.0.1",
    address: str = "127.0.0.1",
    version: str = "1.1",
    **headers: str | tuple[str, ...] | None,
) -> RequestHead:
    """A request as curl sends it: a header of a tuple is sent that often, None leaves it out."""
    given: dict[str, str | tuple[str, ...] | None] = {"host": "127.0.0.1:9999"}
    if method == "POST":
        given |= JSON
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {
        name: value if isinstance(value, tuple) else (value,)
        for name, value in given.items()
        if value is not None
    }
    return RequestHead(method, path, peer, 9999, address, version, sent)


def decided(head: RequestHead, settings: AccessSettings = SETTINGS) -> AccessDecision:
    return access_rules.decide(head, settings)


def refused(head: RequestHead, settings: AccessSettings = SETTINGS) -> AccessRefused:
    decision = decided(head, settings)
    assert isinstance(decision, AccessRefused), decision
    return decision


def with_till(head: RequestHead) -> RequestHead:
    return replace(head, headers={**head.headers, **{n: (v,) for n, v in TILL.items()}})


# --- what passes -------------------------------------------------------------------------------


NONE, LAN, TILL_LEVEL = AccessLevel.NONE, AccessLevel.LAN, AccessLevel.TILL
FROM_LAN = {"peer": "192.168.1.20", "x_pos_token": LAN_TOKEN}


@each(
    ("level", "heads"),
    [
        (NONE, [
            asked(), asked("GET", f"{RECEIPTS}/A-B-1"), asked("GET", "/pdf/secret"),
            asked("GET", "/health"), asked("GET", "/health", x_pos_install="another"),
            asked(host="localhost:9999"), asked(host="LocalHost:9999"),
            asked(host="[::1]:9999", peer="::1"), asked(peer="::ffff:127.0.0.1"),
            asked(host="kasa.local:9999"), asked(host="KASA.local:9999"),
            asked(host="[fd00::7]:9999"), asked(host="gate.example:8443"),
            asked(sec_fetch_site="none"), asked(content_encoding="identity"),
            asked(content_type="application/json; charset=utf-8"), asked(content_encoding=""),
            asked(content_type='Application/JSON;charset="UTF-8"'),
            asked(content_length=None, transfer_encoding="chunked"),
            asked(content_length=str(1024 * 1024)),
        ]),
        (LAN, [
            asked(address="192.168.1.5", host="192.168.1.5:9999", **FROM_LAN),
            asked(address="::ffff:192.168.1.5", host="192.168.1.5:9999", **FROM_LAN),
            asked(address="fd00::5", host="[fd00::5]:9999", **FROM_LAN),
            asked(address="fe80::5%eth0", host="[fe80::5]:9999", **FROM_LAN),
            asked(**FROM_LAN), asked(x_pos_token=LAN_TOKEN),
        ]),
        (TILL_LEVEL, [
            with_till(asked()), asked(x_pos_token=TOKEN), with_till(asked(peer="192.168.1.20")),
            with_till(asked("GET", "/till/status")),
        ]),
    ],
)  # fmt: skip
def test_programs_of_this_machine_of_the_lan_and_the_till_pass(
    level: AccessLevel, heads: list[RequestHead]
) -> None:
    for head in heads:
        assert decided(head) == Admitted(level), head


@each(
    ("origin", "site"),
    [
        (SHOP, None), ("HTTPS://Shop.Example", "cross-site"),
        ("https://shop.example:443", "same-site"), ("http://erp.example:8080", "cross-site"),
    ],
)  # fmt: skip
def test_an_allowed_origin_passes_and_is_told_back(origin: str, site: str | None) -> None:
    decision = decided(asked(origin=origin, sec_fetch_site=site))
    assert decision == Admitted(AccessLevel.NONE, origin)
    refusal = refused(asked(origin=origin, content_type="text/plain"))
    assert refusal.origin == origin, "it is told for its script"
    for private, expected in ((None, False), ("true", True), ("false", False)):
        head = asked(
            "OPTIONS",
            origin=origin,
            sec_fetch_site="cross-site",
            access_control_request_method="POST",
            access_control_request_private_network=private,
        )
        assert decided(head) == Preflight(origin, private_network=expected)


# --- what does not -----------------------------------------------------------------------------

HOSTILE: list[tuple[str, RequestHead, int, int, str]] = [
    ("no host", asked(host=None), 421, 42100001, "server.names"),
    ("empty host", asked(host=""), 421, 42100001, "server.names"),
    ("two hosts", asked(host=("127.0.0.1:9999",) * 2), 421, 42100001, "server.names"),
    ("rebound name", asked(host="evil.example:9999"), 421, 42100001, "evil.example"),
    ("rebound name, our port missing", asked(host="localhost"), 421, 42100001, "server.names"),
    ("our name, another port", asked(host="localhost:9998"), 421, 42100001, "server.names"),
    ("our name as a prefix", asked(host="localhost.evil.example:9999"), 421, 42100001, "evil"),
    ("trailing dot", asked(host="localhost.:9999"), 421, 42100001, "server.names"),
    ("userinfo", asked(host="127.0.0.1:9999@evil.example"), 421, 42100001, "server.names"),
    ("other loopback", asked(host="127.0.0.2:9999"), 421, 42100001, "server.names"),
    ("long IPv6", asked(host="[0:0:0:0:0:0:0:1]:9999"), 421, 42100001, "server.names"),
    ("IPv6 without brackets", asked(host="::1:9999"), 421, 42100001, "server.names"),
    ("forwarded name, our port", asked(host="gate.example:9999"), 421, 42100001, "gate.example"),
    ("port with a sign", asked(host="localhost:+9999"), 421, 42100001, "server.names"),
    ("two names", asked(host="localhost:9999, evil.example"), 421, 42100001, "server.names"),
    ("web page", asked(origin="https://evil.example"), 403, 40300001, "server.origins"),
    ("opaque origin", asked(origin="null"), 403, 40300001, "server.origins"),
    ("empty origin", asked(origin=""), 403, 40300001, "server.origins"),
    ("two origins", asked(origin=(SHOP, SHOP)), 403, 40300001, "server.origins"),
    ("origin, other port", asked(origin=f"{SHOP}:8443"), 403, 40300001, "server.origins"),
    ("origin, other scheme", asked(origin="http://shop.example"), 403, 40300001, "server.origins"),
    ("origin as a prefix", asked(origin=f"{SHOP}.evil.example"), 403, 40300001, "evil"),
    ("origin with a path", asked(origin=f"{SHOP}/x"), 403, 40300001, "server.origins"),
    ("our own origin", asked(origin="http://127.0.0.1:9999"), 403, 40300001, "server.origins"),
    ("cross-site", asked(sec_fetch_site="cross-site"), 403, 40300001, "server.origins"),
    ("same-site", asked(sec_fetch_site="same-site"), 403, 40300001, "server.origins"),
    ("same-origin", asked(sec_fetch_site="same-origin"), 403, 40300001, "server.origins"),
    ("site twice", asked(sec_fetch_site=("none", "cross-site")), 403, 40300001, "server.origins"),
    ("health of a page", asked("GET", "/health", origin="null"), 403, 40300001, "server.origins"),
    ("image of a page",
     asked("GET", "/pdf/x", sec_fetch_site="cross-site", sec_fetch_mode="no-cors"), 403, 40300001,
     "server.origins"),
    ("navigation elsewhere",
     asked("GET", f"{RECEIPTS}/1", sec_fetch_site="cross-site", sec_fetch_mode="navigate"), 403,
     40300001, "server.origins"),
    ("form to a PDF link",
     asked("POST", "/pdf/x", sec_fetch_site="cross-site", sec_fetch_mode="navigate"), 403,
     40300001, "server.origins"),
    ("preflight of a page",
     asked("OPTIONS", origin="https://evil.example", access_control_request_method="POST"), 403,
     40300001, "server.origins"),
    ("no type", asked(content_type=None), 400, 40090003, "Content-Type"),
    ("form", asked(content_type="application/x-www-form-urlencoded"), 400, 40090003, "Content"),
    ("text", asked(content_type="text/plain"), 400, 40090003, "application/json"),
    ("json-like", asked(content_type="application/jsonp"), 400, 40090003, "application/json"),
    ("utf-16", asked(content_type="application/json; charset=utf-16"), 400, 40090003, "Content"),
    ("two types", asked(content_type=("application/json",) * 2), 400, 40090003, "Content-Type"),
    ("list of types", asked(content_type="application/json, x/y"), 400, 40090003, "Content-Type"),
    ("body of a GET", asked("GET", RECEIPTS, content_length="5"), 400, 40090003, "Content-Type"),
    ("compressed", asked(content_encoding="gzip"), 400, 40090003, "Content-Encoding"),
    ("coded after identity", asked(content_encoding="identity, br"), 400, 40090003, "Content-Enc"),
    ("too large", asked(content_length=str(1024 * 1024 + 1)), 413, 41300001, "1048576"),
    ("two measures", asked(transfer_encoding="chunked"), 400, 40090003, "Transfer-Encoding"),
    ("two lengths", asked(content_length=("10", "11")), 400, 40090003, "Content-Length"),
    ("signed length", asked(content_length="+10"), 400, 40090003, "Content-Length"),
    ("hidden length", asked(content_length="1_0"), 400, 40090003, "Content-Length"),
    ("endless length", asked(content_length="9" * 40), 400, 40090003, "Content-Length"),
    ("compressed transfer", asked(content_length=None, transfer_encoding="gzip, chunked"), 400,
     40090003, "Transfer-Encoding"),
    ("chunked twice", asked(content_length=None, transfer_encoding=("chunked", "chunked")), 400,
     40090003, "Transfer-Encoding"),
    ("chunked in HTTP/1.0", asked(content_length=None, transfer_encoding="chunked", version="1.0"),
     400, 40090003, "Transfer-Encoding"),
    ("wrong token", asked(x_pos_token="cd" * 32), 401, 40100001, "Unauthorized"),
    ("empty token", asked(x_pos_token=""), 401, 40100001, "Unauthorized"),
    ("token twice", asked(x_pos_token=(TOKEN, TOKEN)), 401, 40100001, "Unauthorized"),
    ("token in another alphabet", asked(x_pos_token="ж" * 64), 401, 40100001, "Unauthorized"),
    ("foreign install", asked(x_pos_install="another"), 421, 42100001, "X-Pos-Install"),
    ("foreign till", asked(x_pos_token="cd" * 32, x_pos_install="another"), 421, 42100001,
     "X-Pos-Install"),
    ("the name of another machine's address",
     asked(peer="192.168.1.20", address="192.168.1.5", host="192.168.1.6:9999"), 421, 42100001,
     "server.names"),
    ("a name for the address that was reached",
     asked(peer="192.168.1.20", address="192.168.1.5", host="kasa:9999", x_pos_token=LAN_TOKEN),
     421, 42100001, "server.names"),
    ("LAN without token", asked(peer="192.168.1.20"), 401, 40100001, "Unauthorized"),
    ("unknown peer", asked(peer=""), 401, 40100001, "Unauthorized"),
    ("status without token", asked("GET", "/till/status"), 401, 40100001, "Unauthorized"),
    ("till root", asked("GET", "/till"), 401, 40100001, "Unauthorized"),
    ("stop with the LAN token", asked("POST", "/till/stop", x_pos_token=LAN_TOKEN), 401, 40100001,
     "Unauthorized"),
    ("stop of an unnamed install", asked("POST", "/till/stop", x_pos_token=TOKEN), 421, 42100001,
     "X-Pos-Install"),
]  # fmt: skip


@each(("head", "status", "code", "names"), [row[1:] for row in HOSTILE])
def test_hostile_heads(head: RequestHead, status: int, code: int, names: str) -> None:
    problem = refused(head).problem
    assert (problem.status, problem.code) == (status, code)
    assert names in problem.message
    body = problem_to_json(problem)
    told = [one for one in ("Content-Type", "Content-Encoding") if f'"{one}"' in problem.message]
    assert body["validation"].get("headers", {}).get("keys", []) == told[: code == 40090003]
    assert TOKEN not in str(body)
    assert LAN_TOKEN not in str(body)


@each("listed", ["null", "*", "", "shop.example", "https://"])
def test_a_careless_list_allows_nothing_more(listed: str) -> None:
    settings = replace(SETTINGS, origins=(listed,))
    for origin in ("null", "https://evil.example", "https://shop.example", "*", ""):
        refusal = refused(asked(origin=origin), settings)
        assert (refusal.reason, refusal.origin) == ("origin", None)


# --- links to PDFs -------------------------------------------------------------------------------


@each(
    "head",
    [
        *(asked("GET", "/pdf/x", sec_fetch_site=site, sec_fetch_mode="navigate")
          for site in ("cross-site", "same-site", "same-origin", "none")),
        asked("GET", "/pdf/x"),
        asked("GET", "/pdf/x", peer="192.168.1.20"),
    ],
)  # fmt: skip
def test_a_pdf_link_carries_its_own_right_and_is_followed_from_any_page(head: RequestHead) -> None:
    for settings in (SETTINGS, replace(SETTINGS, api_enabled=False)):
        assert isinstance(decided(head, settings), Admitted)


# --- tokens --------------------------------------------------------------------------------------


def test_no_token_is_set_for_the_lan() -> None:
    settings = replace(SETTINGS, lan_token=None)
    for token in ("", LAN_TOKEN, "None"):
        assert refused(asked(x_pos_token=token), settings).reason == "token"
    assert refused(asked(peer="10.0.0.5"), settings).reason == "lan"


def test_switched_off_it_serves_the_till_alone() -> None:
    off = replace(SETTINGS, api_enabled=False)
    for head in (asked(), asked("GET", f"{RECEIPTS}/1"), asked(x_pos_token=LAN_TOKEN)):
        decision = refused(head, off)
        assert decision.problem.status == 403
        assert "server.api_enabled" in decision.problem.message
    assert decided(with_till(asked()), off) == Admitted(AccessLevel.TILL)
    assert decided(asked("GET", "/health"), off) == Admitted(AccessLevel.NONE)


def test_the_reserve_is_for_health_and_the_till() -> None:
    assert access_rules.is_reserved(asked("GET", "/health"), SETTINGS)
    assert access_rules.is_reserved(with_till(asked()), SETTINGS)
    assert not access_rules.is_reserved(asked(), SETTINGS)
    assert not access_rules.is_reserved(asked(x_pos_token=LAN_TOKEN), SETTINGS)
    assert not access_rules.is_reserved(asked("GET", "/till/status", x_pos_token="guess"), SETTINGS)
