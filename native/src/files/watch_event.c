/* Queues events, so that many are sent together. */
#include <string.h>
#include "watch_event.h"
#include "reply.h"

void watch_event(uint32_t watch, enum event_kind kind, const char *directory, const char *name) {
  reply_begin(REPLY_EVENT, 0);
  reply_u32(watch);
  reply_u8(kind);
  reply_bytes(directory, strlen(directory));
  if (*directory && *name) reply_u8('/');
  reply_bytes(name, strlen(name));
  reply_queue();
}
