"""The parts that sign and deliver, joined for a shop's server and for each element of a signer."""
