#include <string.h>
#include "reply.h"

struct reply_head read_reply_head(const uint8_t head[REPLY_HEAD]) {
  const struct reply_head broken = {REPLY_BROKEN, 0, 0};
  uint32_t length;
  memcpy(&length, head + 1, sizeof length);
  if (length > MOST_SAID) return broken;
  switch (head[0]) {
    case 'c':
      return length == 0 ? (struct reply_head){REPLY_COLD, 0, 0} : broken;
    case 's':
      return length > 0 ? (struct reply_head){REPLY_SAID, 0, length - 1} : broken;
    case 'b':
      return (struct reply_head){REPLY_BOX, 0, length};
  }
  return broken;
}
