/* Shared code of the bench's client and server. */
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SMALL "small body!\n"

/* One connection; `ssl` is NULL in the clear. */
struct wire {
  int fd;
  SSL *ssl;
};

static inline long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline int take(struct wire wire, char *into, int size) {
  return wire.ssl ? SSL_read(wire.ssl, into, size) : (int)read(wire.fd, into, (size_t)size);
}

/* False if the other side is gone. */
static inline int put(struct wire wire, const char *from, long size) {
  while (size > 0) {
    int step = size > 1 << 20 ? 1 << 20 : (int)size;
    int done = wire.ssl ? SSL_write(wire.ssl, from, step) : (int)write(wire.fd, from, (size_t)step);
    if (done <= 0) return 0;
    from += done;
    size -= done;
  }
  return 1;
}

/* Reads up to the end of a message's head, and maybe more. Returns the number of bytes, or 0 at the end. `into` ends
 * with NUL. */
static inline int take_head(struct wire wire, char *into, int size) {
  int length = 0;
  while (length < size - 1) {
    int got = take(wire, into + length, size - 1 - length);
    if (got <= 0) return 0;
    length += got;
    into[length] = 0;
    if (strstr(into, "\r\n\r\n")) return length;
  }
  return 0;
}

static inline void shut(struct wire wire) {
  if (wire.ssl) {
    SSL_shutdown(wire.ssl);
    SSL_free(wire.ssl);
  }
  close(wire.fd);
}
