/* One operation. Pointers lead into the frame, where paths end with NUL. */
#ifndef HF_FILES_DECODE_H
#define HF_FILES_DECODE_H
#include <stdbool.h>
#include <stdint.h>
#include "protocol.h"

struct operation {
  enum operation_code code;
  bool has_nul; /* a path contains a NUL, and would mean another path */
  const char *path[3];
  uint64_t number[5]; /* numbers and protocol words, in the order of the wire format */
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

/* False if the bytes are not a request. The cursor is then anywhere. Never reads outside the bytes. */
bool decode_request(struct request *request, uint32_t id, struct cursor payload);
bool decode_operation(struct operation *operation, struct cursor *from);
#endif
