"""The product's own database files, through apsw alone."""
