"""The answers about a print or mail that did not come out: once more, it is there, as a file."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.cashier.attention.steps import Guide
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import JobMethod, JobState
from pos_app.selling.delivery_trouble import is_paper_to_come


class JobGuide(Guide):
    """Its answers. Signals: `again()`; `seen()`, it came out, or is not wanted any more; `pdf()`,
    a receipt is to be opened as a file: instead of a paper that waits, once it was opened; else
    it answers nothing.
    """

    again = Signal()
    seen = Signal()
    pdf = Signal()

    def __init__(self, theme: Theme, texts: Texts, job: DeliveryJob) -> None:
        super().__init__(theme, texts)
        way = "mail" if job.method is JobMethod.EMAIL else "paper"
        perhaps = job.state is JobState.UNPROVEN
        end = f"att.job.there.{way}" if perhaps else "att.job.not_needed"
        self.repeat = self.button(f"att.job.again.{way}", icon="refresh-cw", kind=ButtonKind.FILLED)
        self.repeat.clicked.connect(self.again)
        self.end = self.button(end, icon="check")
        self.end.clicked.connect(self.seen)
        pdf = "att.job.pdf_instead" if is_paper_to_come(job) else "att.job.pdf"
        self.open_pdf = self.button(pdf, icon="file-text")
        self.open_pdf.clicked.connect(self.pdf)
        self.open_pdf.setVisible(job.receipt_id is not None)
        said = texts("att.job.look" if perhaps else "att.job.mend")
        # Three in one row are too wide for a narrow window with large letters.
        rows = (self.row(self.repeat, self.end), self.row(self.open_pdf))
        line = self.step(texts("att.step.job"), said, *rows)
        line.number.set_step(current=True)

    def first(self) -> QWidget | None:
        return self.repeat
