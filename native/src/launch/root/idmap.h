/* Owners of the host's files, as a box of root sees them. */
#ifndef HF_LAUNCH_ROOT_IDMAP_H
#define HF_LAUNCH_ROOT_IDMAP_H
#include "../plan/plan.h"

void prepare_idmapped_binds(struct plan *plan); /* outer, only as root */
#endif
