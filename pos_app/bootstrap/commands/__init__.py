"""Programs that a person runs occasionally on a data folder: check, stop, upgrade, forget-pin."""
