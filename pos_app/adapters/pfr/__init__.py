"""Fiscal processors over HTTP, as fiscalization.ports.Processor."""
