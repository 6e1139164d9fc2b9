"""What a cashier does with receipts that exist."""
