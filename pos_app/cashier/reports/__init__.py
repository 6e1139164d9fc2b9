"""Reports: what was sold and done in a period, beside the period before."""
