"""The tests of the product; `docs/develop.md` says how they are run."""
