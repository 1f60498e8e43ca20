/* Frames of a byte stream that does not block. */
#ifndef HF_GUEST_WIRE_H
#define HF_GUEST_WIRE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "protocol.h"

struct wire {
  int fd;
  bool broken;
  uint8_t *out, *in;
  size_t out_length, out_size, in_length, in_size, longest;
};
struct hearing {
  void (*frame)(void *context, enum frame kind, uint8_t *payload, size_t length);
  void *context;
};
void wire_open(struct wire *wire, int fd, size_t longest); /* `longest`: most bytes of a payload that is accepted; running out of memory ends the process */
void wire_send(struct wire *wire, enum frame kind, const void *payload, size_t length);
void wire_flush(struct wire *wire);
void wire_receive(struct wire *wire, struct hearing hearing);
#endif
