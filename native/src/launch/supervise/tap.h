/* The command's stderr on its way to the real one. */
#ifndef HF_LAUNCH_SUPERVISE_TAP_H
#define HF_LAUNCH_SUPERVISE_TAP_H
#include <stddef.h>
#include <stdint.h>

#define TAIL_SIZE 65536
struct tap {
  int from, to; /* the command's stderr pipe, and the real stderr; -1 without a tap */
};
struct relay {
  struct tap tap;
  uint8_t pending[4096];
  size_t pending_at, pending_length;
  uint8_t tail[TAIL_SIZE];
  size_t tail_length;
};
void relay_in(struct relay *relay);
void relay_out(struct relay *relay);
#endif
