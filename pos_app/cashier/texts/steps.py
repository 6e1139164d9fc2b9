"""Words of the guided answers of Attention: steps of a doubt, refused and dropped sales."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    # --- steps of a doubt ------------------------------------------------------------------------
    "att.step.look": ("Каса је потражила рачун на процесору", "The processor was asked for it"),
    "att.step.look_first": ("Потражите рачун на процесору", "Have the processor asked for it"),
    "att.look.none": ("још није тражен", "not looked for yet"),
    "att.look.moved": (
        "{times} · није пронађен, али је бројач порастао са {before} на {now}",
        "{times} · not found, but the counter moved from {before} to {now}",
    ),
    "att.look.stands": (
        "{times} · није пронађен, бројач стоји на {now}",
        "{times} · not found, the counter stands at {now}",
    ),
    "att.look.plain": ("{times} · није пронађен", "{times} · not found"),
    "att.look.away": ("{times} · процесор се није јавио", "{times} · the processor did not answer"),
    "att.look.found": (
        "{times} · пронађен је рачун који није од ове продаје",
        "{times} · a receipt was found that is not of this sale",
    ),
    "att.look.times": (
        (
            "Тражен {n} пут, {when}|Тражен {n} пута, последњи пут {when}"
            "|Тражен {n} пута, последњи пут {when}"
        ),
        "Looked up once, {when}|Looked up {n} times, last {when}",
    ),
    "att.look_again": ("Потражи поново", "Look again"),
    "att.looking": ("Тражи се…", "Looking…"),
    "att.step.scan": (
        "Скенирајте QR код са папира који је процесор одштампао",
        "Scan the QR code on the paper that the processor printed",
    ),
    "att.scan_words": (
        "Каса проверава износ, време и купца пре него што прихвати рачун",
        "Amount, time and buyer are checked before the receipt is accepted",
    ),
    "att.scan_field": ("Адреса за проверу рачуна", "Verification address of the receipt"),
    "att.scan_hint": ("Адреса рачуна", "Its address"),
    "att.check": ("Провери рачун", "Check receipt"),
    "att.checking": ("Проверава се…", "Checking…"),
    "att.step.absent": ("Ако на процесору нема тог рачуна", "If the processor has no such receipt"),
    "att.absent_words": (
        "Тек тада продаја сме да се пошаље поново",
        "Only then may the sale be sent again",
    ),
    "att.manager": ("Име управника", "Name of the manager"),
    "att.manager.word": ("Управник", "Manager"),
    "att.manager.owner": ("Власник", "Owner"),
    "att.absent": ("Рачун не постоји, пошаљи поново", "No such receipt, send again"),
    "att.absent_foreign": ("Рачун не постоји", "No such receipt"),
    "att.absent_note": (
        "одлучује управник; уписује се ко је одлучио",
        "a manager decides; the name is recorded",
    ),
    "att.manager_needed": (
        "Упишите име управника",
        "Type the manager's name",
    ),
    "att.not_yet_known": (
        "Сервер још није јавио под којим бројем води овај рачун; сачекајте тренутак",
        "The server has not yet told the number of this receipt; wait a moment",
    ),
    "att.found": ("Рачун је пронађен.", "The receipt was found."),
    "att.not_found": (
        "Рачун ни сада није пронађен.",
        "The receipt was not found this time either.",
    ),
    "att.accepted": ("Рачун је прихваћен.", "The receipt was accepted."),
    "att.declared": ("Забележено: рачун не постоји.", "Recorded: there is no such receipt."),
    "att.url.address": (
        "Ово није адреса рачуна. Скенирајте цео QR код.",
        "This is not a receipt's address. Scan the whole QR code.",
    ),
    "att.url.read": (
        "QR код није прочитан до краја. Скенирајте поново.",
        "The QR code was not read to its end. Scan again.",
    ),
    "att.url.other": (
        "Тај рачун није од ове продаје.",
        "That receipt is not of this sale.",
    ),
    "att.url.known": (
        "Тај рачун је већ познат и припада другој продаји.",
        "That receipt is known already and belongs to another sale.",
    ),
    "att.failed.unreadable": (
        "Рачун је издат под бројем {number}, али сервер не може да га прочита.",
        "The receipt is issued under {number}, but the server can't read it.",
    ),
    "att.failed.refused": (
        "Сервер то није прихватио: {what}",
        "The server did not accept that: {what}",
    ),
    "att.failed.not_delivered": (
        "Сервер се не јавља; ништа није промењено. Покушајте поново.",
        "The server does not answer; nothing was changed. Try again.",
    ),
    "att.failed.outcome_unknown": (
        "Одговор сервера није стигао. Стање ће се само освежити.",
        "The server's answer did not arrive. This is refreshed by itself.",
    ),
    # --- refused sales ---------------------------------------------------------------------------
    "att.refused.happened": ("Сервер није прихватио захтев.", "The server refused the request."),
    "att.refused.item": ("Ставка {item}: {field}.", "Item {item}: {field}."),
    "att.refused.item_alone": ("Ставка {item}.", "Item {item}."),
    "att.refused.field": ("Поље: {field}.", "Field: {field}."),
    "att.step.said": ("Шта је рекао сервер", "What the server said"),
    "att.step.correct": ("Исправите продају", "Correct the sale"),
    "att.correct_words": (
        "Стари захтев се поништава, а ставке се враћају у корпу",
        "The old request is cancelled and the items return to the cart",
    ),
    "att.correct": ("Исправи", "Correct"),
    "att.again": ("Пошаљи поново", "Send again"),
    "att.again_name": ("Пошаљи поново без измене", "Send again unchanged"),
    "att.step.drop": ("Или је одбаците уз разлог", "Or drop it with a reason"),
    "att.drop_words": (
        "Рачун се неће издати; разлог остаје забележен",
        "No receipt will be issued; the reason is kept",
    ),
    "att.drop_waiting": ("Ако купац одустане", "If the customer gives up"),
    "att.drop_reason": ("Разлог", "Reason"),
    "att.drop": ("Одбаци продају", "Drop the sale"),
    "att.reason.withdrew": ("Купац је одустао", "The customer gave up"),
    "att.reason.mistake": ("Погрешан унос", "Entered by mistake"),
    "att.reason.twice": ("Већ је издат други рачун", "Another receipt was issued"),
    "att.reason_needed": ("Изаберите или упишите разлог", "Choose or type a reason"),
    "att.take_back": ("Врати ставке у корпу", "Take the items back"),
    "att.seen": ("Видео сам", "I have seen it"),
    "att.cancelling": (
        "Чека се потврда сервера да ништа није издато.",
        "The server is yet to confirm that nothing was issued.",
    ),
    "att.dropped": ("Продаја се поништава.", "The sale is being cancelled."),
    "att.sent_again": ("Продаја се шаље поново.", "The sale is sent again."),
    "att.field.sku": ("шифра артикла не постоји", "the item code does not exist"),
    "att.field.price": ("цена", "price"),
    "att.field.quantity": ("количина", "quantity"),
    "att.field.total": ("укупан износ", "total"),
    "att.field.name": ("назив", "name"),
    "att.field.article": ("артикал", "item"),
    "att.field.label": ("пореска ознака", "tax label"),
    "att.field.gtin": ("баркод", "barcode"),
    "att.field.buyer": ("број купца", "buyer's number"),
    "att.field.cost_centre": ("опционо поље купца", "optional field of the buyer"),
    "att.field.payments": ("плаћања", "payments"),
    "att.field.cashier": ("касир", "cashier"),
    "att.field.text": ("текст на рачуну", "text on the receipt"),
    "att.field.delivery": ("како купац добија рачун", "how the buyer gets the receipt"),
    "att.field.reference": ("референтни документ", "referenced document"),
    "att.field.pos_time": ("ЕСИР време", "ESIR time"),
    "att.field.split": ("подела аванса по ознакама", "split of the advance"),
    "att.field.discount": ("попуст", "discount"),
    "att.pfr.1300": ("Картица није у читачу.", "The card is not in the reader."),
    "att.pfr.1500": ("Процесор тражи ПИН.", "The processor asks for the PIN."),
    "att.pfr.2100": ("ПИН је погрешан.", "The PIN is wrong."),
    "att.pfr.2110": ("Картица је закључана.", "The card is locked."),
    "att.pfr.2210": (
        "Безбедносни елемент је закључан: потребно је очитавање.",
        "The secure element is locked: it needs an audit.",
    ),
    "att.pfr.2230": (
        "Безбедносни елемент не одговара верзији процесора.",
        "The secure element does not fit the processor's version.",
    ),
    "att.pfr.2310": (
        "Пореска ознака не постоји код процесора.",
        "The processor does not know the tax label.",
    ),
    "att.pfr.2400": ("Процесор није подешен.", "The processor is not set up."),
    "att.pfr.2800": ("Обавезан податак недостаје.", "A required value is missing."),
    "att.pfr.2801": ("Вредност је предугачка.", "A value is too long."),
    "att.pfr.2802": ("Вредност је прекратка.", "A value is too short."),
    "att.pfr.2803": ("Дужина вредности није добра.", "A value has a wrong length."),
    "att.pfr.2804": ("Вредност је ван дозвољених граница.", "A value is out of range."),
    "att.pfr.2805": ("Вредност није дозвољена.", "A value is not allowed."),
    "att.pfr.2806": ("Облик вредности није добар.", "A value has a wrong form."),
    "att.pfr.2807": ("Листа је прекратка.", "A list is too short."),
    "att.pfr.2808": ("Листа је предугачка.", "A list is too long."),
    "att.pfr.2809": ("Процесор је одбио захтев (2809).", "The processor refused it (2809)."),
    "error.not_allowed.not_yet_known": (
        "Сервер још није јавио под којим бројем води овај рачун",
        "The server has not yet told the number of this receipt",
    ),
}
