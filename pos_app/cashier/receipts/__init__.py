"""The screen of receipts: all of the journal, and what is done with one of them."""
