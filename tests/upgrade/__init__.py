"""What is kept from release to release: the public contracts, and the data that shops have."""
