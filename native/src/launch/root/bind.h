/* Directories and files of the host. */
#ifndef HF_LAUNCH_ROOT_BIND_H
#define HF_LAUNCH_ROOT_BIND_H
#include "../plan/plan.h"
#include "builder.h"

int bind_source(const struct builder *builder, const struct mount_step *step); /* a detached tree; -1 if it may be absent */
uint64_t bind_attributes(const struct mount_step *step);
#endif
