"""Words about copies that were put back, and another secure element: key -> (Serbian, English)."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    # --- rows and titles -------------------------------------------------------------------------
    "att.row.restored": ("Враћена је старија копија", "An older copy was put back"),
    "att.row.new_element": ("Нови безбедносни елемент", "Another secure element"),
    "att.row.carts_set_aside": ("Корпе из копије су остављене", "Carts of a copy were set aside"),
    "att.why.restored": ("прегледајте рачуне", "check the receipts"),
    "att.why.carts_set_aside": (
        "{n} корпа|{n} корпе|{n} корпи",
        "{n} cart|{n} carts",
    ),
    "att.ask.restored": ("Да ли су рачуни прегледани?", "Were the receipts checked?"),
    "att.ask.new_element": ("Прихватити нови елемент?", "Accept the other element?"),
    "att.ask.carts_set_aside": (
        "Да ли су ове корпе већ наплаћене?",
        "Were these carts paid already?",
    ),
    # --- what happened ---------------------------------------------------------------------------
    "att.restored.till_witness": (
        "Враћена је старија копија дневника рачуна (примећено {when}): каса памти новије.",
        "An older copy of the journal was put back (seen {when}): the till remembers a newer one.",
    ),
    "att.restored.server_witness": (
        "Враћена је старија копија дневника рачуна (примећено {when}): сервер памти новије.",
        "An older copy of the journal was put back (seen {when}): the server remembers newer rows.",
    ),
    "att.restored.processor_holds": (
        "Процесор има рачуне којих у овом дневнику нема (примећено {when}).",
        "The processor holds receipts that this journal lacks (seen {when}).",
    ),
    "att.restored.other_machine": (
        "Фасцикла с подацима ради на другом рачунару (примећено {when}).",
        "The data folder runs on another computer (seen {when}).",
    ),
    "att.restored.damaged": (
        "Датотека дневника рачуна је оштећена (примећено {when}). Позовите сервис.",
        "The file of the journal is damaged (seen {when}). Call the service.",
    ),
    "att.restored.other": (
        "Дневник рачуна није онај који је био (примећено {when}).",
        "The journal is not the one that was here (seen {when}).",
    ),
    "att.happened.new_element": (
        "Процесор има други безбедносни елемент: {uid}, а до сада је био {known}.",
        "The processor has another secure element: {uid}; until now it was {known}.",
    ),
    "att.happened.carts_set_aside": (
        "Подаци касе су враћени из копије. Остављене су корпе: {carts}.",
        "The till's data were put back from a copy. Set aside were: {carts}.",
    ),
    # --- what is safe ----------------------------------------------------------------------------
    "att.safe.restored": (
        "Издати рачуни важе. Ништа старо се не шаље поново без провере; нове продаје иду даље.",
        "Issued receipts stand. Nothing old is sent again unchecked; new sales go on.",
    ),
    "att.safe.new_element": (
        (
            "Рачуни у сумњи и недовршени парови остају уз стари елемент док се не реше;"
            " продаје чекају, а после прихватања излазе новим."
        ),
        (
            "Receipts in doubt and half-done pairs stay with the old element until they are solved;"
            " sales wait, and once it is accepted they are signed by the new one."
        ),
    ),
    "att.safe.carts_set_aside": (
        "Корпе су сачуване, под новим ознакама; ниједна није послата.",
        "The carts are kept, under new marks; none was sent.",
    ),
    # --- what to do ------------------------------------------------------------------------------
    "att.press.restored": (
        (
            "Упоредите рачуне од тог тренутка с папирима и порталом, решите сумње,"
            " па управник затвара ознаку. Ако је рачунар погрешан, угасите га."
        ),
        (
            "Compare the receipts since then with the papers and the portal, solve the doubts,"
            " then a manager closes the mark. If this is the wrong computer, switch it off."
        ),
    ),
    "att.press.new_element": (
        "Ако је картица обновљена или процесор замењен, управник прихвата. Иначе вратите стари.",
        "If the card was renewed or the processor replaced, a manager accepts. Else put it back.",
    ),
    "att.press.carts_set_aside": (
        "Погледајте папире: наплаћену корпу обришите, ненаплаћену узмите назад (F6).",
        "Look at the papers: drop a cart that was paid, take one back that was not (F6).",
    ),
    # --- the answer ------------------------------------------------------------------------------
    "att.step.restored": ("Управник је прегледао рачуне", "A manager has checked the receipts"),
    "att.restored_note": (
        "Упише се ко, и бележи се; дневнику се опет верује",
        "Who it was is logged; the journal is trusted again",
    ),
    "att.close_restored": ("Затвори ознаку", "Close the mark"),
    "att.step.new_element": ("Управник прихвата елемент", "A manager accepts the element"),
    "att.new_element_note": (
        "Упише се ко, и бележи се; враћа се само новим прихватањем",
        "Who it was is logged; only another acceptance takes it back",
    ),
    "att.accept_element": ("Прихвати елемент", "Accept the element"),
}
