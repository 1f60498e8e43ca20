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
/* The frame stays in place until the next call. Malformed bytes end the process. */
enum next_frame take_frame(struct frame *frame);
void read_input(void);        /* reads into the free room; called when descriptor 0 is readable */
bool is_cancelled(uint32_t id); /* checks the bytes that arrived meanwhile */
void forget_cancel(uint32_t id);
bool current_cancelled(void); /* whether the running request was cancelled; long operations check this */
void now_running(uint32_t id);
#endif
