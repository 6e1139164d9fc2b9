"""The program `pos-app till`, its demo, and the process that works with files for it."""
