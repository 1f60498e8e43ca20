/* Mounts that protect and hide names. */
#ifndef HF_LAUNCH_ROOT_PROTECT_H
#define HF_LAUNCH_ROOT_PROTECT_H
#include "../plan/list.h"
#include "../plan/plan.h"
#include "builder.h"

void protect_hits(const struct builder *builder, const struct plan *plan, const struct list *hits);
#endif
