"""The output and statuses of the process that prints pages."""

BEGAN = "began\n"
"""Written to standard output: from here on something may come out of the printer."""

PRINTED, UNREADABLE, NO_QUEUE, QUEUE_REFUSES, BROKE_OFF = 0, 20, 21, 22, 23
"""Exit statuses. Any other one is a crash, or the end of a process that took too long."""
