"""The parts that all HTTP fronts share."""
