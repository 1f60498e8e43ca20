/* Frames from descriptor 0. */
#ifndef HF_FILES_INPUT_H
#define HF_FILES_INPUT_H
#include <stdbool.h>
#include <stdint.h>
#include "decode.h"

struct frame {
  uint32_t id;
  uint8_t kind;
  struct cursor payload;
};
enum next_frame { FRAME_READY, FRAME_NONE, FRAME_END };
/* The frame stays where it is until the next call. Malformed bytes end the process. */
enum next_frame take_frame(struct frame *frame);
void read_input(void);        /* reads into the free room; called when descriptor 0 is readable */
bool is_cancelled(uint32_t id); /* looks at what arrived meanwhile */
void forget_cancel(uint32_t id);
bool current_cancelled(void); /* of the request that is running: asked by what takes long */
void now_running(uint32_t id);
#endif
