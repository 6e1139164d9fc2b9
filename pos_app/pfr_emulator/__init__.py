"""The development processor: a fiscal processor (PFR, protocol v3) that signs nothing fiscal.

It stands in for an L-PFR or the V-PFR in the demo, in training, in tests and on a developer's
machine, and survives what a real one must survive. It shares no rule with the rest of the product
(own tax engine, own journal writer, own codes), so that one mistake can't hide on both sides.
"""
