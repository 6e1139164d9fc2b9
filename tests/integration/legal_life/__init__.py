"""The legal life of receipts over HTTP, held against a model that shares no rule with us."""
