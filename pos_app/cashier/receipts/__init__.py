"""The screen of receipts: the whole journal, and the acts on one receipt."""
