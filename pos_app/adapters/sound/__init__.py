"""The till's tones."""
