/* The same box, with namespaces and mounts made by bubblewrap. */
#ifndef HF_LAUNCH_BOX_HELPER_H
#define HF_LAUNCH_BOX_HELPER_H
#include <signal.h>
#include "box.h"

struct box start_helper(struct plan *plan, const struct list *hits, struct handover hand);
_Noreturn void run_inner(struct plan *plan, sigset_t mask);
#endif
