/* Frames to descriptor 1. Waits while it is full, and reads nothing during that time. */
#ifndef HF_FILES_REPLY_H
#define HF_FILES_REPLY_H
#include <stddef.h>
#include <stdint.h>
#include "protocol.h"

struct failure {
  int error;
  const char *call; /* the name that Node's fs would use */
  const char *path; /* in a tree: where */
};
void reply_hello(void);
void reply_begin(enum reply_kind kind, uint32_t id);
void reply_result(enum result_kind kind); /* the next result of the running request; its fields follow */
void reply_u8(unsigned value);
void reply_u16(unsigned value);
void reply_u32(uint32_t value);
void reply_u64(uint64_t value);
void reply_bytes(const void *bytes, size_t length);
uint8_t *reply_room(size_t length); /* to be filled by a system call, then `reply_used` */
void reply_used(size_t length);
size_t reply_size(void);
void reply_put_u32(size_t at, uint32_t value); /* in the payload that is being written */
void reply_undo(size_t size);                  /* back to that size */
void reply_send(void);
void reply_start(uint32_t id);
void reply_failed(struct failure failure);
void reply_done(void);  /* the result is complete */
void reply_flush(void); /* and on its way */
void reply_end(uint32_t id, uint32_t done);
void reply_queue(void); /* an event is complete; many are sent together by reply_flush */
void reply_trim(void); /* gives large buffers back */
#endif
