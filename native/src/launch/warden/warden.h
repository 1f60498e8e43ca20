/* Covers paths again that a program outside uncovers while a box runs. */
#ifndef HF_LAUNCH_WARDEN_WARDEN_H
#define HF_LAUNCH_WARDEN_WARDEN_H
#include <sys/types.h>

struct list;
struct plan;
struct warded {
  const int *root_fds;
  const struct list *hits; /* of struct hit */
  int mounts, root, masks; /* the box's mount namespace, its root, and its masks */
  int outer;               /* a socket: its end means the end of outer */
};
_Noreturn void run_warden(const struct plan *plan, struct warded warded);
#endif
