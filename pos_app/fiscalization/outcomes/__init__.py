"""The outcome of a request: the proof in an answer or a look-up, and its storage."""
