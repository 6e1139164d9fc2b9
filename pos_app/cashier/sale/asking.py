"""The open question at the sale. While scans wait for its answer nothing enters the cart."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from pos_app.cashier.sale import questions
from pos_app.cashier.sale.context import SaleContext, SalePart
from pos_app.cashier.sale.notices import TypedNotTaken
from pos_app.cashier.sale.typed import amount
from pos_app.errors import DatabaseBusy, PosError
from pos_app.selling.sale.ticket import Ticket
from pos_app.selling.sale.unusual_amounts import Unusual


class Questions:
    """The open question, and the question whose answer is being carried out. ticket: returns the
    open cart. leave_out: forgets the quantity typed for an item that is left out. go_on: enters the
    scans that waited for the answer."""

    def __init__(self, context: SaleContext) -> None:
        self._context = context
        self.ticket: Callable[[], Ticket]
        self.leave_out: Callable[[], None]
        self.go_on: Callable[[], None]
        self.question: questions.Question | None = None
        self._asked: Ticket | None = None
        self._awaits_leave = False
        self.answering: questions.Question | None = None
        self.unfinished_input = questions.UnfinishedInput()
        context.as_answer = self._as_answer

    @property
    def is_asked(self) -> bool:
        """Whether a question is open that must be answered or closed first."""
        return self.question is not None and self.question.waits

    @property
    def asked(self) -> Ticket:
        """The cart when the question was asked: the subject is a part of that cart, even when it is
        gone by now."""
        return self._asked or self.ticket()

    def ask(self, question: questions.Question, *, typed_text: str = "") -> None:
        """Open a question. typed_text: the text typed before its key was pressed. A question that
        scans wait for is answered or closed before another one opens, because its article and the
        waiting scans would be lost. No such question opens while scans wait for a file, because
        they would wait longer."""
        if self.is_asked or (question.waits and self._context.blocked_by is not None):
            self._context.tone("no")
            return
        if typed_text:
            self.unfinished_input.save(question, self.ticket(), {questions.TEXT: typed_text})
        self.question, self._asked = question, self.ticket()
        self._context.announce(SalePart.QUESTION)

    def follow(self) -> None:
        """Close the question if its subject is gone, as a row that was removed beside it, and say
        which typed text is dropped. A change of the cart asks for it."""
        question, asked = self.question, self.asked
        if question is None or questions.stands(question, asked, self.ticket()):
            return
        subject = questions.subject_of(question, asked)
        typed = self.unfinished_input.text_of(subject)
        self.unfinished_input.forget(subject)
        self.question = None
        self._context.announce(SalePart.QUESTION)
        if typed:
            self._context.notify(TypedNotTaken(typed, questions.article_of(question, asked)), "no")
        self.go_on()

    def ask_number(self, question: questions.Question, typed_text: str) -> bool:
        """Ask for a number. A number typed before the key was pressed goes into the question;
        return whether it did."""
        number = "" if amount(typed_text) is None else typed_text.strip()
        self.ask(question, typed_text=number)
        return bool(number) and self.question == question

    def go_back(self) -> None:
        """Go one step back from a question: to the question whose answer it doubts, else to the
        sale."""
        if isinstance(self.question, questions.UnusualAmountQuestion):
            self.ask_again()
        else:
            self.put_away()

    def put_away(self) -> None:
        """Close the question without an answer, and enter the waiting scans."""
        question = self.question
        if question is None:
            return
        try:
            self.unfinished_input.leave(self._subject)
        finally:  # scans wait, whatever fails
            self.question = None
            if questions.is_of_item(question):
                self.leave_out()
            self._context.announce(SalePart.QUESTION)
            self.go_on()

    def ask_again(self) -> None:
        """Return from a wrong number to the question that it answered."""
        before = (
            self.question.before
            if isinstance(self.question, questions.UnusualAmountQuestion)
            else None
        )
        if before is None:
            self.put_away()
            return
        self.question = before
        self._context.announce(SalePart.QUESTION)

    def answered(self, act: Callable[[], None]) -> None:
        """Close the question, carry out its answer, then enter the scans that waited. If the answer
        could not be carried out its text is kept for the next time. The question stays open as it
        is while somebody is asked to lift its act, and if another program held a file, because it
        may be about a scan."""
        self.answering, self.question, self._awaits_leave = self.question, None, False
        try:
            subject = questions.subject_of(self.answering, self.asked)
            self.unfinished_input.leave(subject)
            failed = self._carry_out(act)
            if self._awaits_leave:
                self.question = self.answering
            else:
                self._end(subject, failed)
        finally:  # scans wait, whatever fails
            self.answering = None
            if not self._awaits_leave:
                self._context.announce(SalePart.QUESTION)
                self.go_on()

    def _end(self, subject: Hashable, failed: PosError | None) -> None:
        """End the question whose answer was carried out. failed: why it could not be."""
        self._context.follow_refusal(subject, failed)
        if failed is None and not isinstance(self.question, questions.UnusualAmountQuestion):
            self.unfinished_input.forget(subject)
        if failed is None or self.question is not None or self.answering is None:
            return
        if isinstance(failed, DatabaseBusy):
            self.question = self.answering
        elif questions.is_of_item(self.answering):
            self.leave_out()

    def ask_if_right(
        self,
        unusual: Unusual,
        agreed: Callable[[], None],
        *,
        before: questions.Question | None = None,
        is_paid: bool = False,
    ) -> None:
        """Ask whether a number far above the usual is right, before anything is done. is_paid: the
        number is the sum that was taken for the cart as it is."""
        self.ask(questions.UnusualAmountQuestion(unusual, agreed, before, is_paid))
        self._context.tone("attention")

    def if_right(self, unusual: Unusual | None, act: Callable[[], None]) -> None:
        if unusual is None:
            act()
        else:
            self.ask_if_right(unusual, act, before=self.answering)

    def _as_answer(self, act: Callable[[], None]) -> Callable[[], None]:
        """Keep the question that is being answered open until somebody lifts its act; whoever does
        not leads back to what was typed."""
        question = self.answering
        if question is None:
            return act
        self._awaits_leave = True

        def answer() -> None:
            if self.question == question:
                self.answered(act)
            else:
                act()

        return answer

    @property
    def _subject(self) -> Hashable:
        return questions.subject_of(self.question, self.asked)

    def _carry_out(self, act: Callable[[], None]) -> PosError | None:
        self._context.failed = None
        act()
        return self._context.failed
