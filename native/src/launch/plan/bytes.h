/* A piece of memory that another object owns. */
#ifndef HF_LAUNCH_PLAN_BYTES_H
#define HF_LAUNCH_PLAN_BYTES_H
#include <stddef.h>
#include <stdint.h>

struct bytes {
  const uint8_t *at;
  size_t length;
};
#endif
