"""The local API over real sockets, with the real journal and the development processor."""
