"""The product's own database files, which are used through apsw alone."""
