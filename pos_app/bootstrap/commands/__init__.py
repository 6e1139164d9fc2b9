"""Programs that a person runs now and then on a data folder: check, stop, upgrade, forget-pin."""
