/* One operation. Pointers lead into the frame; paths are NUL-terminated there. */
#ifndef HF_FILES_DECODE_H
#define HF_FILES_DECODE_H
#include <stdbool.h>
#include <stdint.h>
#include "protocol.h"

struct operation {
  enum operation_code code;
  bool has_nul; /* a path has a NUL inside, and would mean another one */
  const char *path[3];
  uint64_t number[5]; /* numbers and words, in the order of the wire */
  const uint8_t *data;
  uint32_t length;
};
struct cursor {
  const uint8_t *at, *end;
};
struct request {
  uint32_t id, count;
  bool never_stop;
  struct cursor operations;
};

/* False, and the cursor anywhere, when the bytes are no such thing. Never reads outside of them. */
bool decode_request(struct request *request, uint32_t id, struct cursor payload);
bool decode_operation(struct operation *operation, struct cursor *from);
#endif
