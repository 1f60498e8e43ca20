/* Answers of a resident supervisor. This is a separate module, so that a fuzzer can read them. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { REPLY_HEAD = 5, MOST_SAID = 1024 * 1024 };

/* COLD: Node does the run. SAID: nothing runs; `status`, and a text for stderr. BOX: a text for stderr, and then the
 * box. BROKEN: the bytes are not a reply. */
enum reply_kind { REPLY_COLD, REPLY_SAID, REPLY_BOX, REPLY_BROKEN };
struct reply_head {
  enum reply_kind kind;
  uint8_t status;
  size_t length; /* of the text that follows */
};

/* u8 kind (`c`, `s` or `b`), u32 length. The payload of `s` begins with u8 status, which `length` here does not
 * include. */
struct reply_head read_reply_head(const uint8_t head[REPLY_HEAD]);
