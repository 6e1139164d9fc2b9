"""Core of the server: each accepted request becomes exactly one signed receipt.

`issue` accepts a request and answers it, `lane` carries it to the processor, `doubt` settles
what was not answered, `evidence` weighs what a processor said. No HTTP, no SQL, no JSON.
"""
