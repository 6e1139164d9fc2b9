"""The program `pos-app till`, its demo, and the processes that work with files for it."""
