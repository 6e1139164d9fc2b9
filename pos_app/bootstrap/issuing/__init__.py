"""The parts that sign and deliver, for a shop's server and for each element of a signer."""
