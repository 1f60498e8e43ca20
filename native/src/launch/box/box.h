/* A box of namespaces. */
#ifndef HF_LAUNCH_BOX_BOX_H
#define HF_LAUNCH_BOX_BOX_H
#include <sys/types.h>
#include "../confine/handover.h"

struct list;
struct plan;
struct box {
  pid_t init;
  int status; /* outer's end of the socket to init; -1 once the box has ended */
};
struct box start_box(struct plan *plan, const struct list *hits, struct handover hand);
#endif
