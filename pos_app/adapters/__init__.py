"""Everything foreign, behind ports of the cores. Foreign exceptions stop here."""
