"""The only place that joins cores, adapters and fronts into programs."""
