"""What the acts on a receipt share: refund, correction, exchange and advances."""
