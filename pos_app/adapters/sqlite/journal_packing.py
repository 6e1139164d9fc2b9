"""How bodies, plans and answers lie in the journal: compressed, with what all of them say in mind.

Each is a small JSON that says little of its own, so the compression is given a text that looks like
them to point into. The first byte says which text that was; a text is frozen once it was released,
because what was packed with it can be read with it alone: a better one gets the next number. Four
bytes of a sum over all the others come next, which find what is damaged; zlib's own head and sum
would be as many more as a small content has.
"""

from __future__ import annotations

import zlib

_LEVEL = 6
_RAW = -zlib.MAX_WBITS
"""Without zlib's own head and sum."""
_HEAD = 5
_FIRST = (
    '{"invoiceType": "normal", "transactionType": "sale", "payments": {"cash": 0}, "items": [{"sku"'
    ': 1, "quantity": 1, "unitPrice": 99.99}], "receiptDelivery": {"pdf": false, "base64pdf": false'
    '}, "items": [{"sku": 1, "quantity": 1, "unitPrice": 99.99}, {"sku": '
    '[["","Г","ком",null],["","А","kg","860000000"],["","Ђ","кг",null],["","Е","ком","86000'
    '{"by":"","request":{"unknownAmountAdvance":true,"referentDocumentNumber":"","referentDocumentDT'
    '":"202","buyerId":"10:1","buyerCostCenterId":"","additionalText":"","dateAndTimeOfPos":"2026-'
    '{"payments":{"wireTransfer":,"voucher":,"check":,"mobileMoney":,"other":,"card":,"cash":'
    '{"invoiceType":"advance","transactionType":"refund","payments":{"card":'
    '{"invoiceType":"normal","transactionType":"sale","payments":{"cash":000},"items":[{"sku":1,'
    '"quantity":1,"unitPrice":99.99,"totalAmount":99.99,"article":{"name":"","taxRateLabel":"Ђ",'
    '"unit":"ком","gtin":"8600000000000"}},{"sku":2,"quantity":2,"unitPrice":'
    '}],"receiptDelivery":{"thermalPrinter":true,"a4Printer":false,"email":"","pdf":false,'
    '"base64pdf":false},"totalAmount":'
    '{"document":{"type":"copy","transaction":"refund","lines":[{"name":"'
    '"referent_number":"","referent_time":"2026-01-01T10:00:00+00:00","pos_time":"","buyer":"10:",'
    '"cost_centre":"","order":{"lines":[],"known":true},"follows":0,"reversal":true,"warnings":[["'
    '{"document":{"type":"normal","transaction":"sale","lines":[{"name":"/kom","label":"Ђ",'
    '"quantity":1,"unit_price":99.99,"total":99.99,"gtin":"8600000000000","sku":1},{"name":"/ком",'
    '"label":"Е","quantity":2,"unit_price":49.99,"total":99.98,"sku":'
    '}],"payments":[["card",000],["cash",000]],"cashier":"","esir_number":"1234/3.2.0"},'
    '"esir":{"lowered":[["","text":"","advance":[0,0,0],"last_advance":["},'
    '"delivery":{"a4":true,"email":"","pdf":true,"thermal":true}}{"esir":{},"delivery":{}}'
    "======= КОПИЈА =========-------------РЕФУНДАЦИЈА-------------АВАНС ПРОДАЈАПРЕДРАЧУН ОБУКА "
    "ОВО НИЈЕ ФИСКАЛНИ РАЧУНПренос на рачун:Ваучер:Чек:Инстант плаћање:Друго безготовинско плаћање:"
    "Платна картица:ПовраћајИД купца:Опционо поље купца:Реф. број:Реф. време:ЕСИР време:Повраћај:"
    "ЦАО АРРПКРПАКААРОПОРПП"
    '{"requestedBy":"","sdcDateTime":"2026-01-01T00:00:00.000+01:00","invoiceCounter":"1/1ПП",'
    '"invoiceCounterExtension":"ПП","invoiceNumber":"-","taxItems":[{"categoryType":0,'
    '"categoryName":"Без ПДВ","label":"А","rate":0,"amount":0},{"categoryType":0,"categoryName":'
    '"ПДВ","label":"Г","rate":0,"amount":0},{"categoryType":0,"categoryName":"О-ПДВ","label":"Ђ",'
    '"rate":20,"amount":16.6667},{"categoryType":0,"categoryName":"П-ПДВ","label":"Е","rate":10,'
    '"amount":18.1818}],"verificationUrl":"https://sandbox.suf.purs.gov.rs/v/?vl='
    "https://suf.purs.gov.rs/v/?vl=AAAAAAAAAA%2B%2F%3D%3D"
    '","journal":"============ ФИСКАЛНИ РАЧУН ============\\r\\n100000001\\r\\nПРОДАВНИЦА\\r\\n'
    "УЛИЦА \\r\\nБеоград\\r\\nКасир:                              \\r\\n"
    "ЕСИР број:                    1234/3.2.0\\r\\n-------------ПРОМЕТ ПРОДАЈА-------------\\r\\n"
    "Артикли\\r\\n========================================\\r\\n"
    "Назив   Цена         Кол.         Укупно\\r\\n /kom (Ђ)\\r\\n /ком (Е)\\r\\n"
    "        99,99          1           99,99\\r\\n       199,99          2          399,98\\r\\n"
    "----------------------------------------\\r\\nУкупан износ:                     299,97\\r\\n"
    "Готовина:                         300,00\\r\\n========================================\\r\\n"
    "Ознака       Име      Стопа        Порез\\r\\nА         Без ПДВ    0,00%          0,00\\r\\n"
    "Ђ           О-ПДВ   20,00%         16,67\\r\\nЕ           П-ПДВ   10,00%         18,18\\r\\n"
    "----------------------------------------\\r\\nУкупан износ пореза:               34,85\\r\\n"
    "========================================\\r\\nПФР време:           21.11.2026. 10:00:15\\r\\n"
    "ПФР број рачуна:     \\r\\nБројач рачуна:                     1/1ПП\\r\\n"
    "========================================\\r\\n======== КРАЈ ФИСКАЛНОГ РАЧУНА =========\\r\\n"
    '","messages":"Успешно","signedBy":"","encryptedInternalData":[49,256],"signature":[305,256],'
    '"totalCounter":1,"transactionTypeCounter":1,"totalAmount":299.97,"taxGroupRevision":1,'
    '"businessName":"","tin":"1000","locationName":"1000001-","address":"УЛИЦА ","district":"",'
    '"mrc":"00-0001-"}'
).encode()
_TEXTS = {1: _FIRST}
_NOW = 1


def packed(*parts: bytes) -> bytes:
    """A content as it is stored; parts that look different are coded each by itself."""
    made = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, zdict=_TEXTS[_NOW])
    first, *others = parts
    coded = [made.compress(first)]
    for part in others:
        coded += [made.flush(zlib.Z_BLOCK), made.compress(part)]
    content = b"".join((*coded, made.flush()))
    return bytes((_NOW,)) + _sum(_NOW, content) + content


def unpacked(content: bytes) -> bytes:
    """What `packed` was given, in one. Raises ValueError, zlib.error."""
    if len(content) < _HEAD or content[1:_HEAD] != _sum(content[0], content[_HEAD:]):
        raise ValueError("it is damaged, as its sum says")
    text = _TEXTS.get(content[0])
    if text is None:
        raise ValueError(f"it was packed by a later version (text {content[0]})")
    return zlib.decompressobj(_RAW, zdict=text).decompress(content[_HEAD:])


def _sum(number: int, content: bytes) -> bytes:
    return zlib.crc32(content, number).to_bytes(4, "big")
