/* Stops programs that start in the guest until the host has judged them. */
#ifndef HF_GUEST_INIT_GUARD_H
#define HF_GUEST_INIT_GUARD_H
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct blob;
struct wire;
struct guard {
  int channel;  /* on which the command sends its listener; -1 afterwards */
  int listener; /* -1 before the command has begun, and after the last caller */
  pid_t entry;  /* becomes the command, which was judged outside */
  unsigned asked;
  int ruleset; /* of listed programs */
};
int open_guard(struct guard *guard); /* the command's end of the channel */
bool install_guard(const struct blob *filter, int channel); /* in the command; after no_new_privs */
struct pollfd guard_waits(const struct guard *guard);
void guard_hear(struct guard *guard, struct wire *wire, short events);
bool guard_answer(struct guard *guard, const uint8_t *payload, size_t length); /* false: no valid host sends this */
#endif
