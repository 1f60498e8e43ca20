/* A text with a maximum length. */
#pragma once
#include <stddef.h>

enum {
  /* Bytes of a question, and of the output on one stream: `mostBytes` of src/serve/requests/decide.ts. */
  MOST_BYTES = 192 * 1024,
};

struct text {
  size_t length;
  char bytes[MOST_BYTES];
};
