"""The till's own server as a child process: started, watched, replaced."""
