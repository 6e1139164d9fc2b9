"""Every visible text of the till, by id, in Serbian and English."""
