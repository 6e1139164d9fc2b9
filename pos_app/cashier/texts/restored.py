"""Words about copies that were put back, and another secure element: key -> (Serbian, English)."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    # --- rows and titles -------------------------------------------------------------------------
    "att.row.restored": ("Враћена је старија резервна копија", "An older backup was restored"),
    "att.row.new_element": ("Нови безбедносни елемент", "New secure element"),
    "att.row.carts_set_aside": ("Корпе из резервне копије", "Carts from a backup"),
    "att.why.restored": ("прегледајте рачуне", "check the receipts"),
    "att.why.carts_set_aside": (
        "{n} корпа|{n} корпе|{n} корпи",
        "{n} cart|{n} carts",
    ),
    "att.ask.restored": ("Да ли су рачуни прегледани?", "Were the receipts checked?"),
    "att.ask.new_element": (
        "Прихватити нови безбедносни елемент?",
        "Accept the new secure element?",
    ),
    "att.ask.carts_set_aside": (
        "Да ли су ове корпе већ наплаћене?",
        "Were these carts paid already?",
    ),
    # --- what happened ---------------------------------------------------------------------------
    "att.restored.till_witness": (
        "Враћена је старија резервна копија рачуна (примећено {when}): каса памти новије.",
        (
            "An older backup of the receipts was restored (seen {when}): the till remembers newer "
            "ones."
        ),
    ),
    "att.restored.server_witness": (
        "Враћена је старија резервна копија рачуна (примећено {when}): сервер памти новије.",
        (
            "An older backup of the receipts was restored (seen {when}): the server remembers "
            "newer ones."
        ),
    ),
    "att.restored.processor_holds": (
        "Фискални процесор има рачуне којих овде нема (примећено {when}).",
        "The fiscal processor holds receipts that are missing here (seen {when}).",
    ),
    "att.restored.other_machine": (
        "Подаци касе су пренети на други рачунар (примећено {when}).",
        "The till's data were moved to another computer (seen {when}).",
    ),
    "att.restored.damaged": (
        "Сачувани рачуни на серверу су оштећени (примећено {when}). Позовите подршку.",
        "The receipts kept on the server are damaged (seen {when}). Call support.",
    ),
    "att.restored.other": (
        "Сачувани рачуни на серверу нису они који су били (примећено {when}).",
        "The receipts kept on the server are not those that were here (seen {when}).",
    ),
    "att.happened.new_element": (
        "Фискални процесор има други безбедносни елемент: {uid}, а до сада је био {known}.",
        "The fiscal processor has another secure element: {uid}; until now it was {known}.",
    ),
    "att.happened.carts_set_aside": (
        "Подаци касе су враћени из резервне копије. Остављене су корпе: {carts}.",
        "The till's data were restored from a backup. Held carts: {carts}.",
    ),
    # --- what is safe ----------------------------------------------------------------------------
    "att.safe.restored": (
        "Издати рачуни важе. Ништа старо се не шаље поново без провере; нове продаје иду даље.",
        "Issued receipts are valid. Nothing old is sent again unchecked; new sales go on.",
    ),
    "att.safe.new_element": (
        (
            "Рачуни у сумњи и недовршени парови остају уз стари елемент док се не реше; продаје "
            "чекају, а кад се нови прихвати, издају се са њим."
        ),
        (
            "Receipts in doubt and unfinished pairs stay with the old element until they are "
            "solved; sales wait, and are issued with the new one once it is accepted."
        ),
    ),
    "att.safe.carts_set_aside": (
        "Корпе су сачуване; ниједна није послата.",
        "The carts are kept; none was sent.",
    ),
    # --- what to do ------------------------------------------------------------------------------
    "att.press.restored": (
        (
            "Упоредите рачуне од тог тренутка са одштампанима и са порталом Пореске управе, решите "
            "сумње, па управник затвара упозорење. Ако је ово погрешан рачунар, угасите га."
        ),
        (
            "Compare the receipts since then with the printed ones and the tax portal, solve the "
            "doubts, then a manager closes the alert. If this is the wrong computer, switch it off."
        ),
    ),
    "att.press.new_element": (
        "Ако је картица обновљена или процесор замењен, управник прихвата. Иначе вратите стари.",
        (
            "If the card was renewed or the processor replaced, a manager accepts. If not, put the "
            "old one back."
        ),
    ),
    "att.press.carts_set_aside": (
        "Погледајте одштампане рачуне: наплаћену корпу обришите, ненаплаћену узмите назад (F6).",
        "Look at the printed receipts: drop a cart that was paid, recall one that was not (F6).",
    ),
    # --- the answer ------------------------------------------------------------------------------
    "att.step.restored": ("Управник је прегледао рачуне", "A manager has checked the receipts"),
    "att.restored_note": (
        "Уписује се ко је потврдио; рачуни се опет сматрају тачним",
        "Who confirmed it is recorded; the receipts count as right again",
    ),
    "att.close_restored": ("Затвори упозорење", "Close the alert"),
    "att.step.new_element": ("Управник прихвата елемент", "A manager accepts the element"),
    "att.new_element_note": (
        "Уписује се ко је прихватио; враћа се само новим прихватањем",
        "Who accepted it is recorded; only another acceptance takes it back",
    ),
    "att.accept_element": ("Прихвати елемент", "Accept the element"),
}
