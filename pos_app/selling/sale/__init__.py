"""A cart from its first scan to the confirmed sale: its lines, its checks, its states."""
