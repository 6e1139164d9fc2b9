"""Who works at the till: signing in, the lock, and who lifts what somebody may not do."""
