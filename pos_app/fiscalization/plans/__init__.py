"""Plans: each operation turns a request and the receipts before it into a plan, without I/O.

A plan is a tuple of receipts to be signed in order. `chain` holds the receipts that belong
together, `lifecycle` the operations that they allow; each operation has a module.
"""
