"""Point-of-sale cashier for shops in Serbia: a Qt till, a local fiscal API and their processors."""

__version__ = "4.0.0"
