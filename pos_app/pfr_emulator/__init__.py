"""The development processor: a fiscal processor (PFR, protocol v3) that signs nothing fiscal.

It replaces an L-PFR or the V-PFR in the demo, in training, in tests and on a developer's machine,
and is as robust as a real one. It shares no rule with the rest of the product (own tax engine, own
journal writer, own codes), so that no mistake is hidden by the same mistake on the other side.
"""
