"""What each operation makes of a request and the receipts before it: plans, without I/O.

A plan is a tuple of receipts to be signed in order. `chain` holds the receipts that belong
together, `lifecycle` which operations they allow; the rest is one module for each operation.
"""
