/* A request to a supervisor. */
#pragma once
#include <stddef.h>

/* The caller frees it. `bytes` is NULL if it is longer than a supervisor accepts. */
struct request {
  unsigned char *bytes;
  size_t length;
};
struct request write_request(char **words);
