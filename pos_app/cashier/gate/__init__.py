"""Who may: a person, a PIN, the lock of a manager, and what is approved."""
