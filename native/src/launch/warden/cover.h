/* Covers a path in the box again, and reports it. */
#ifndef HF_LAUNCH_WARDEN_COVER_H
#define HF_LAUNCH_WARDEN_COVER_H
#include <stdbool.h>
#include "../plan/list.h"
#include "../root/builder.h"
#include "watched.h"

struct warded {
  const int *root_fds;
  const struct list *hits; /* of struct hit */
  int mounts, root, masks; /* the box's mount namespace, its root, and its masks */
  int outer;               /* a socket: its end means the end of outer */
};
struct warden {
  const struct plan *plan;
  struct warded warded;
  struct watched watched;
  struct builder builder;
  struct list subjects; /* of struct subject */
  unsigned reports;
  unsigned checks, read; /* of the directories' times, and entries that were read for them */
  bool listened;
};
void cover(struct warden *warden, struct subject subject, bool is_new);
void cover_all(struct warden *warden);
void add_subject(struct warden *warden, struct subject subject);
#endif
