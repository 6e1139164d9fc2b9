"""Point-of-sale cashier for shops in Serbia: a Qt till, a local fiscal API and their processors."""

__version__ = "3.2.0"
