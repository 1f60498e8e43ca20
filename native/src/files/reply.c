/* Frames to descriptor 1: u32 length of what follows, u32 id, u8 kind, payload. One is built at a time. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "reply.h"

#define HEADER 9
/* The last result of a request waits for the request's end, so that both need only one system call. */
static uint8_t output[MAX_FRAME + 64] __attribute__((aligned(4096)));
static size_t begin, length, largest;
static uint32_t current, next_index;

static void wait_for_room(void) {
  struct pollfd full = {1, POLLOUT, 0};
  poll(&full, 1, -1);
}

/* The reader has gone, so there is no more work to do. */
static void write_out(void) {
  for (size_t at = 0; at < length;) {
    ssize_t sent = write(1, output + at, length - at);
    if (sent > 0) at += (size_t)sent;
    else if (errno == EAGAIN) wait_for_room();
    else if (errno != EINTR) _exit(0);
  }
  if (length > largest) largest = length;
  begin = length = 0;
}

static void close_frame(void) {
  uint32_t size = (uint32_t)(length - begin - 4);
  memcpy(output + begin, &size, 4);
}

void reply_bytes(const void *bytes, size_t count) {
  memcpy(output + length, bytes, count);
  length += count;
}

void reply_u8(unsigned value) {
  output[length++] = (uint8_t)value;
}

void reply_u16(unsigned value) {
  reply_bytes(&value, 2);
}

void reply_u32(uint32_t value) {
  reply_bytes(&value, 4);
}

void reply_u64(uint64_t value) {
  reply_bytes(&value, 8);
}

uint8_t *reply_room(size_t count) {
  return count <= sizeof output - length ? output + length : NULL;
}

void reply_used(size_t count) {
  length += count;
}

size_t reply_size(void) {
  return length;
}

void reply_put_u32(size_t at, uint32_t value) {
  memcpy(output + at, &value, 4);
}

void reply_undo(size_t size) {
  length = size;
}

void reply_begin(enum reply_kind kind, uint32_t id) {
  begin = length;
  reply_u32(0);
  reply_u32(id);
  reply_u8(kind);
}

void reply_send(void) {
  close_frame();
  write_out();
}

void reply_hello(void) {
  reply_begin(REPLY_HELLO, 0);
  reply_u32(PROTOCOL_MAGIC);
  reply_u32(PROTOCOL_VERSION);
  reply_u32(MAX_FRAME);
  reply_u32(MAX_PAYLOAD);
  reply_u32(MAX_HANDLES);
  reply_u32(MAX_WATCHES);
  reply_send();
}

void reply_start(uint32_t id) {
  current = id;
  next_index = 0;
}

/* If an operation fails in the middle of its answer, it begins another answer, and the first is dropped. */
void reply_result(enum result_kind kind) {
  length = 0;
  reply_begin(REPLY_RESULT, current);
  reply_u32(next_index);
  reply_u8(kind);
}

void reply_done(void) {
  close_frame();
  next_index++;
}

void reply_queue(void) {
  close_frame();
  if (length > MAX_FRAME / 2) write_out();
}

void reply_flush(void) {
  if (length > 0) write_out();
}

void reply_failed(struct failure failure) {
  size_t name = strlen(failure.call);
  reply_result(RESULT_FAILED);
  reply_u32((uint32_t)failure.error);
  reply_u8((unsigned)name);
  reply_bytes(failure.call, name);
  if (failure.path) reply_bytes(failure.path, strnlen(failure.path, 4096));
}

void reply_end(uint32_t id, uint32_t done) {
  /* The largest answer leaves no room after it, so this takes two system calls. */
  if (sizeof output - length < HEADER + 4) write_out();
  reply_begin(REPLY_END, id);
  reply_u32(done);
  reply_send();
}

void reply_trim(void) {
  /* Whole pages only, because the last page also holds other variables. */
  if (largest > MAX_FRAME / 16) madvise(output, MAX_FRAME, MADV_DONTNEED);
  largest = 0;
}
