/* Waits for a box. */
#ifndef HF_LAUNCH_SUPERVISE_SUPERVISE_H
#define HF_LAUNCH_SUPERVISE_SUPERVISE_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "bring.h"
#include "tap.h"

struct box;
struct plan;
struct handover_ends {
  int terminal;
  struct tap tap;
  pid_t supervisor;
};
struct outcome {
  bool failed, supervisor_gone;
  uint32_t status, signal;
};
struct outcome supervise(struct plan *plan, struct box *box, struct sweep_roots roots, struct handover_ends ends);
#endif
