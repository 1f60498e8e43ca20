/* FNV-1a, 64 bits: tells texts apart that nobody chooses to collide. */
#ifndef HF_FNV_H
#define HF_FNV_H
#include <stddef.h>
#include <stdint.h>

#define FNV_BASE 0xcbf29ce484222325u

static inline uint64_t add_bytes(uint64_t sum, const void *bytes, size_t length) {
  const uint8_t *at = bytes;
  for (size_t i = 0; i < length; i++) sum = (sum ^ at[i]) * 0x100000001b3u;
  return sum;
}
#endif
