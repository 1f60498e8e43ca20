#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "listing.h"

/* Few directories are near the root, and those may be large. */
static size_t size_at(int depth) {
  return depth < 4 ? 32768 : 4096;
}

long read_entries(struct listing *listing, int depth, int fd) {
  char **buffer = &listing->buffer[depth];
  if (!*buffer) *buffer = malloc(size_at(depth));
  return *buffer ? syscall(SYS_getdents64, fd, *buffer, size_at(depth)) : -1;
}

void free_listing(struct listing *listing) {
  for (int depth = 0; depth <= MAX_DEPTH; depth++) {
    free(listing->buffer[depth]);
    listing->buffer[depth] = NULL;
  }
}
