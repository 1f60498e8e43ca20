/* Lets the box's supervisor judge programs that would start in the guest. */
#ifndef HF_GUEST_HOST_ASK_H
#define HF_GUEST_HOST_ASK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "protocol.h"

struct wire;
struct asking {
  struct {
    pid_t pid; /* 0: a free slot */
    uint64_t call;
  } open[MOST_ASKED];
};
bool ask(struct asking *asking, struct wire *wire, uint8_t *payload, size_t length); /* false: no valid guest sends this */
void hear_askers(struct asking *asking, struct wire *wire);
#endif
