/* A program that would start in the guest, as the guest describes it to the host. */
#ifndef HF_GUEST_QUESTION_H
#define HF_GUEST_QUESTION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "start.h"

struct question {
  uint64_t call;
  const char *path;     /* absolute */
  struct strings words; /* the caller frees `items` */
};
/* Strings point into `payload`. If it returns false, nothing has to be freed. */
bool question_decode(struct question *question, uint8_t *payload, size_t length);
#endif
