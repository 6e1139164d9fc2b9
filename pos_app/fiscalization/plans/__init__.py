"""What each operation makes of a request and of the receipts before it: plans, without I/O.

A plan is a tuple of receipts to be signed in order. `chain` knows the receipts that belong
together, `legal_life` which operation they allow; the rest is one module for each operation.
"""
