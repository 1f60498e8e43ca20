/* Brings the command of a box that was built ahead. */
#ifndef HF_LAUNCH_SUPERVISE_BRING_H
#define HF_LAUNCH_SUPERVISE_BRING_H
#include <stddef.h>

struct list;
struct plan;
struct sweep_roots {
  const int *fds;
  struct list *before; /* of struct hit */
};
/* outer: the new request, with names that no mount protects and that are new since the box was built */
struct brought {
  int memory;
  size_t found;
};
struct brought take_command(const struct plan *plan, struct sweep_roots roots);
void hand_over_command(int status, int memory);
#endif
