"""Programs for a data folder: check, stop, upgrade, backup, restore, forget-pin."""
