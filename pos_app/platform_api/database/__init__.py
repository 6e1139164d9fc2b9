"""The platform's database: SQLite in the data folder, or PostgreSQL for several workers."""
