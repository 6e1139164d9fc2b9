"""Core of the server: each accepted request becomes exactly one signed receipt.

`execute` takes a request and answers it, `lane` sends it to the processor, `answer_check` decides
what an answer means, `doubt` resolves requests that got no answer. No HTTP, no SQL, no JSON.
"""
