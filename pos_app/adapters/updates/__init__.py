"""New versions of this product: found, checked, started."""
