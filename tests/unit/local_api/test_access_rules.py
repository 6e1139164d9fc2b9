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


NAMES, NAMED_INSTALL = (42100001, "server.names"), (42100001, "X-Pos-Install")
PAGES, TOKENS = (40300001, "server.origins"), (40100001, "Unauthorized")
CONTENT_TYPE, LENGTH = (40090003, "Content-Type"), (40090003, "Content-Length")
CODED = (40090003, "Transfer-Encoding")
HOSTILE: list[tuple[str, RequestHead, int, str]] = [
    ("no host", asked(host=None), *NAMES),
    ("empty host", asked(host=""), *NAMES),
    ("two hosts", asked(host=("127.0.0.1:9999",) * 2), *NAMES),
    ("rebound name", asked(host="evil.example:9999"), 42100001, "evil.example"),
    ("rebound name, our port missing", asked(host="localhost"), *NAMES),
    ("our name, another port", asked(host="localhost:9998"), *NAMES),
    ("our name as a prefix", asked(host="localhost.evil.example:9999"), 42100001, "evil"),
    ("trailing dot", asked(host="localhost.:9999"), *NAMES),
    ("userinfo", asked(host="127.0.0.1:9999@evil.example"), *NAMES),
    ("other loopback", asked(host="127.0.0.2:9999"), *NAMES),
    ("long IPv6", asked(host="[0:0:0:0:0:0:0:1]:9999"), *NAMES),
    ("IPv6 without brackets", asked(host="::1:9999"), *NAMES),
    ("forwarded name, our port", asked(host="gate.example:9999"), 42100001, "gate.example"),
    ("port with a sign", asked(host="localhost:+9999"), *NAMES),
    ("two names", asked(host="localhost:9999, evil.example"), *NAMES),
    ("web page", asked(origin="https://evil.example"), *PAGES),
    ("opaque origin", asked(origin="null"), *PAGES),
    ("empty origin", asked(origin=""), *PAGES),
    ("two origins", asked(origin=(SHOP, SHOP)), *PAGES),
    ("origin, other port", asked(origin=f"{SHOP}:8443"), *PAGES),
    ("origin, other scheme", asked(origin="http://shop.example"), *PAGES),
    ("origin as a prefix", asked(origin=f"{SHOP}.evil.example"), 40300001, "evil"),
    ("origin with a path", asked(origin=f"{SHOP}/x"), *PAGES),
    ("our own origin", asked(origin="http://127.0.0.1:9999"), *PAGES),
    ("cross-site", asked(sec_fetch_site="cross-site"), *PAGES),
    ("same-site", asked(sec_fetch_site="same-site"), *PAGES),
    ("same-origin", asked(sec_fetch_site="same-origin"), *PAGES),
    ("site twice", asked(sec_fetch_site=("none", "cross-site")), *PAGES),
    ("health of a page", asked("GET", "/health", origin="null"), *PAGES),
    ("image of a page",
     asked("GET", "/pdf/x", sec_fetch_site="cross-site", sec_fetch_mode="no-cors"), *PAGES),
    ("navigation elsewhere",
     asked("GET", f"{RECEIPTS}/1", sec_fetch_site="cross-site", sec_fetch_mode="navigate"), *PAGES),
    ("form to a PDF link",
     asked("POST", "/pdf/x", sec_fetch_site="cross-site", sec_fetch_mode="navigate"), *PAGES),
    ("preflight of a page",
     asked("OPTIONS", origin="https://evil.example", access_control_request_method="POST"), *PAGES),
    ("no type", asked(content_type=None), *CONTENT_TYPE),
    ("form", asked(content_type="application/x-www-form-urlencoded"), 40090003, "Content"),
    ("text", asked(content_type="text/plain"), 40090003, "application/json"),
    ("json-like", asked(content_type="application/jsonp"), 40090003, "application/json"),
    ("utf-16", asked(content_type="application/json; charset=utf-16"), 40090003, "Content"),
    ("two types", asked(content_type=("application/json",) * 2), *CONTENT_TYPE),
    ("list of types", asked(content_type="application/json, x/y"), *CONTENT_TYPE),
    ("body of a GET", asked("GET", RECEIPTS, content_length="5"), *CONTENT_TYPE),
    ("compressed", asked(content_encoding="gzip"), 40090003, "Content-Encoding"),
    ("coded after identity", asked(content_encoding="identity, br"), 40090003, "Content-Enc"),
    ("too large", asked(content_length=str(1024 * 1024 + 1)), 41300001, "1048576"),
    ("two measures", asked(transfer_encoding="chunked"), *CODED),
    ("two lengths", asked(content_length=("10", "11")), *LENGTH),
    ("signed length", asked(content_length="+10"), *LENGTH),
    ("hidden length", asked(content_length="1_0"), *LENGTH),
    ("endless length", asked(content_length="9" * 40), *LENGTH),
    ("compressed transfer", asked(content_length=None, transfer_encoding="gzip, chunked"), *CODED),
    ("chunked twice", asked(content_length=None, transfer_encoding=("chunked", "chunked")), *CODED),
    ("chunked in HTTP/1.0", asked(content_length=None, transfer_encoding="chunked", version="1.0"),
     *CODED),
    ("wrong token", asked(x_pos_token="cd" * 32), *TOKENS),
    ("empty token", asked(x_pos_token=""), *TOKENS),
    ("token twice", asked(x_pos_token=(TOKEN, TOKEN)), *TOKENS),
    ("token in another alphabet", asked(x_pos_token="ж" * 64), *TOKENS),
    ("foreign install", asked(x_pos_install="another"), *NAMED_INSTALL),
    ("foreign till", asked(x_pos_token="cd" * 32, x_pos_install="another"), *NAMED_INSTALL),
    ("the name of another machine's address",
     asked(peer="192.168.1.20", address="192.168.1.5", host="192.168.1.6:9999"), *NAMES),
    ("a name for the address that was reached",
     asked(peer="192.168.1.20", address="192.168.1.5", host="kasa:9999", x_pos_token=LAN_TOKEN),
     *NAMES),
    ("LAN without token", asked(peer="192.168.1.20"), *TOKENS),
    ("unknown peer", asked(peer=""), *TOKENS),
    ("status without token", asked("GET", "/till/status"), *TOKENS),
    ("till root", asked("GET", "/till"), *TOKENS),
    ("stop with the LAN token", asked("POST", "/till/stop", x_pos_token=LAN_TOKEN), *TOKENS),
    ("stop of an unnamed install", asked("POST", "/till/stop", x_pos_token=TOKEN), *NAMED_INSTALL),
]  # fmt: skip


@each(("head", "code", "names"), [row[1:] for row in HOSTILE])
def test_hostile_heads(head: RequestHead, code: int, names: str) -> None:
    problem = refused(head).problem
    assert (problem.status, problem.code) == (code // 100_000, code)
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
