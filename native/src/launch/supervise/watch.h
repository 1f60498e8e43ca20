/* Everything that outer knows about a running box and needs to act on it. */
#ifndef HF_LAUNCH_SUPERVISE_WATCH_H
#define HF_LAUNCH_SUPERVISE_WATCH_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "../box/box.h"
#include "../plan/plan.h"
#include "bring.h"
#include "tap.h"

/* The parts with which outer keeps the names of a box covered: the descriptors that init sent, and the process that
 * covers names. */
struct keeping {
  int lent[3], said; /* mount namespace, root and masks of the box; where the warden reports; -1 */
  unsigned count;
  uint64_t due;      /* when it starts */
  pid_t warden;      /* 0 before */
};
/* Signals for a command that may not begin yet, in order. */
struct early {
  uint8_t numbers[16], count;
};
struct watch {
  struct plan *plan;
  struct box *box;
  struct sweep_roots roots;
  struct relay relay;
  struct keeping keeping;
  struct early early;
  int terminal, signal_fd, listener; /* the seccomp listener, until the supervisor has it */
  int command;                       /* the command of a warm box, until the supervisor knows the findings */
  pid_t supervisor;
  uint64_t deadline; /* of SIGTERM, then of SIGKILL */
  bool stopped, terminated, ending, failed, supervisor_gone, reported, started, dismissed;
  uint32_t status, signal;
};
uint64_t now_ms(void);
void start_clock(struct watch *watch);
void order(const struct watch *watch, const uint8_t *bytes, size_t length); /* to init */
void signal_command(struct watch *watch, uint32_t number);
void let_held_begin(struct watch *watch);
void kill_box(struct watch *watch);
void lose_supervisor(struct watch *watch);
#endif
