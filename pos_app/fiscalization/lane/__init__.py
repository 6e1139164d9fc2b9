"""One secure element, one request in flight: its queue, its probes, its look-ups."""
