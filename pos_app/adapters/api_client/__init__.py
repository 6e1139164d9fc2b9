"""The till's client of the local API: receipts, decisions, printing and files over HTTP."""
