"""What lies in a data folder beside its databases, and who may have it open."""
