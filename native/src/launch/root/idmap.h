/* Owners of the host's files, as a box of root sees them. */
#ifndef HF_LAUNCH_ROOT_IDMAP_H
#define HF_LAUNCH_ROOT_IDMAP_H
#include "../plan/plan.h"

/* Only as root of the host: outer for binds, and the process that mounts them for staged layers. */
void prepare_idmapped_binds(struct plan *plan);
void prepare_idmapped_layers(struct plan *plan);
#endif
