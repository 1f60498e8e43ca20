/* A request to a supervisor. */
#pragma once
#include <stddef.h>

/* The caller frees it. `bytes` is NULL where it is more than a supervisor takes. */
struct request {
  unsigned char *bytes;
  size_t length;
};
struct request write_request(char **words);
