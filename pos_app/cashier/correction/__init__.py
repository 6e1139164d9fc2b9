"""A receipt whose payment or buyer is wrong is corrected: one job with three parts."""
