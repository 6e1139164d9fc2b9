"""Every visible word of the till, by key, in Serbian and English."""
