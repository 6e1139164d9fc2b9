/* Reads of one file fail with EIO, as a dying disk's do: loaded before the C library (LD_PRELOAD).

   FAILING_FILE: how the path of the file ends. FAILING_FROM, FAILING_COUNT: which reads fail, counted
   from 1 by each process for itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long seen = 0;

static int fails(int file) {
  const char *end = getenv("FAILING_FILE");
  char link[64], name[4096];
  if (end == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < (ssize_t)strlen(end)) return 0;
  name[length] = 0;
  if (strcmp(name + length - strlen(end), end) != 0) return 0;
  long from = atol(getenv("FAILING_FROM")), count = atol(getenv("FAILING_COUNT"));
  seen++;
  return seen >= from && seen < from + count;
}

#define REFUSED(file) if (fails(file)) { errno = EIO; return -1; }
#define NEXT(name) static __typeof__(name) *next; if (next == NULL) next = dlsym(RTLD_NEXT, #name);

ssize_t read(int file, void *into, size_t size) {
  NEXT(read) REFUSED(file) return next(file, into, size);
}

ssize_t pread(int file, void *into, size_t size, off_t at) {
  NEXT(pread) REFUSED(file) return next(file, into, size, at);
}

ssize_t pread64(int file, void *into, size_t size, off64_t at) {
  NEXT(pread64) REFUSED(file) return next(file, into, size, at);
}
