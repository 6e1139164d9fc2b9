"""A cashier's work with existing receipts: refunds, copies, corrections, advances, exports."""
