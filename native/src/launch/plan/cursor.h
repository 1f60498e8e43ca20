/* Takes values from the front of untrusted bytes. Returns false if the bytes do not hold one. */
#ifndef HF_LAUNCH_PLAN_CURSOR_H
#define HF_LAUNCH_PLAN_CURSOR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
  uint8_t *at, *end;
};
bool take(struct cursor *in, void *value, size_t size);
bool take_string(struct cursor *in, const char **text);
bool take_path(struct cursor *in, const char **path); /* an absolute path that can be walked component-wise */
#endif
