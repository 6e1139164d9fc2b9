"""Sign-in, the lock, and the approval of an act that somebody may not do."""
