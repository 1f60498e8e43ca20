/* Frames from descriptor 0: u32 length of what follows, u32 id, u8 kind, payload. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "input.h"
#include "malformed.h"

#define HEADER 9
#define MAX_CANCELS 64

/* Bytes from `start` to `end` were not taken yet. Frames behind `peeked` were not checked for cancels. A page that is
 * never used costs no memory. */
static uint8_t input[MAX_FRAME + 4] __attribute__((aligned(4096)));
static size_t start, end, peeked;
static bool ended, fresh; /* fresh: nothing can have been cancelled since it was read */
static uint32_t cancelled[MAX_CANCELS], cancels, running;

static uint32_t size_at(size_t at) {
  uint32_t size;
  memcpy(&size, input + at, 4);
  return size + 4;
}

static bool possible_at(size_t at) {
  return size_at(at) >= HEADER && size_at(at) <= MAX_FRAME + 4;
}

static bool whole_at(size_t at) {
  return end - at >= 4 && possible_at(at) && end - at >= size_at(at);
}

static uint32_t id_at(size_t at) {
  uint32_t id;
  memcpy(&id, input + at + 4, 4);
  return id;
}

/* Moves the remaining bytes to the front, because only there is room for a frame of any size. */
static void make_room(void) {
  if (start == end) {
    /* Whole pages only, because the last page also holds other variables. */
    if (end > MAX_FRAME / 4) madvise(input, MAX_FRAME, MADV_DONTNEED);
    start = end = peeked = 0;
  } else if (start > 0) {
    memmove(input, input + start, end - start);
    end -= start;
    peeked = peeked > start ? peeked - start : 0;
    start = 0;
  }
}

enum next_frame take_frame(struct frame *frame) {
  if (!whole_at(start)) {
    if (end - start >= 4 && !possible_at(start)) malformed("a frame has an impossible length");
    make_room();
    if (!ended) return FRAME_NONE;
    if (start != end) malformed("the last frame is cut short");
    return FRAME_END;
  }
  size_t at = start;
  start += size_at(at);
  *frame = (struct frame){id_at(at), input[at + 8], {input + at + HEADER, input + start}};
  return FRAME_READY;
}

void read_input(void) {
  if (ended || end == sizeof input) return;
  ssize_t got;
  do got = read(0, input + end, sizeof input - end);
  while (got < 0 && errno == EINTR);
  fresh = got > 0;
  if (got > 0) end += (size_t)got;
  else if (got == 0 || errno != EAGAIN) ended = true;
}

static void look_for_cancels(void) {
  struct pollfd ready = {0, POLLIN, 0};
  if (!fresh && !ended && end < sizeof input && poll(&ready, 1, 0) == 1) read_input();
  fresh = false;
  if (peeked < start) peeked = start;
  for (; whole_at(peeked); peeked += size_at(peeked))
    /* A cancel that finds no room comes too late, which may always happen to a cancel. */
    if (input[peeked + 8] == REQUEST_CANCEL && cancels < MAX_CANCELS) cancelled[cancels++] = id_at(peeked);
}

bool is_cancelled(uint32_t id) {
  look_for_cancels();
  for (uint32_t i = 0; i < cancels; i++)
    if (cancelled[i] == id) return true;
  return false;
}

void forget_cancel(uint32_t id) {
  for (uint32_t i = 0; i < cancels; i++)
    if (cancelled[i] == id) cancelled[i--] = cancelled[--cancels];
}

void now_running(uint32_t id) {
  running = id;
}

bool current_cancelled(void) {
  return is_cancelled(running);
}
